import { expect } from 'vitest'
import { alertReport } from '../../src/contract/alerts/alerts.ts'
import { appTest } from '../support/app-test.ts'
import { newPerson } from '../support/people.ts'
import { putAlerts } from '../support/stored-alerts.ts'
import { watch } from '../support/stored-history.ts'

// Snoozing an alert again and again writes an event each time, and sends a message when each snooze ends.

const test = appTest({ today: '2026-03-18', demo: false })
const site = 'https://snoozed.example/'
const hourMs = 3_600_000

test('an alert can be snoozed twenty times a day, however many at once', async ({ app }) => {
  const owner = await newPerson(app, { sites: { [site]: 'empty' } })
  await watch(app, site)
  const [id = ''] = await putAlerts(app, site, [{ openedAt: '2026-03-16T09:00:00Z' }])
  const inHours = (hours: number) => new Date(app.google.now().getTime() + hours * hourMs).toISOString()
  const snooze = () => owner.send('POST', `/api/alerts/${id}/snooze`, { until: inHours(48) })
  const statuses = (await Promise.all(Array.from({ length: 25 }, snooze))).map(({ status }) => status)
  expect(Map.groupBy(statuses, (status) => status).get(200)).toHaveLength(20)
  expect(await snooze()).toMatchObject({
    status: 409,
    body: { message: 'This alert was snoozed 20 times within a day. Acknowledge it, or snooze it again tomorrow.' },
  })
  expect((await owner.send('POST', '/api/alerts/acknowledge', { ids: [id] })).status).toBe(200)
  app.google.advance(25 * hourMs)
  expect((await snooze()).status).toBe(200)
})

test('an endless timeline shows the newest events and messages, and the report says that older ones are omitted', async ({ app }) => {
  const owner = await newPerson(app, { email: 'long@example.test', sites: { 'https://long.example/': 'empty' } })
  await watch(app, 'https://long.example/')
  const [id = '', short = ''] = await putAlerts(app, 'https://long.example/', [
    { openedAt: '2026-03-01T09:00:00Z' },
    { openedAt: '2026-03-02T09:00:00Z', state: 'recovered' },
  ])
  const { sql } = await app.stores()
  await sql(
    `INSERT INTO alert_events (alert_id, from_state, to_state, reason, at)
     SELECT $1, 'firing', 'snoozed', 'snoozed', '2026-03-02T00:00:00Z'::timestamptz + at * interval '1 minute' FROM generate_series(1, 300) AS at`,
    [id],
  )
  await sql(
    `INSERT INTO delivery_news (user_id, property_id, alert_id, channel, event, at, state)
     SELECT properties.user_id, property_id, alerts.id, 'email', 'woken', '2026-03-02T00:00:00Z'::timestamptz + at * interval '1 minute', 'suppressed'
     FROM alerts JOIN properties ON properties.id = property_id, generate_series(1, 300) AS at WHERE alerts.id = $1`,
    [id],
  )
  const report = alertReport.parse((await owner.get(`/api/alerts/${id}`)).body)
  expect(report).toMatchObject({ timelineCut: true, deliveriesCut: true })
  expect(report.timeline).toHaveLength(100)
  expect(report.timeline.at(-1)?.at).toBe('2026-03-02T05:00:00.000Z')
  expect(report.timeline[0]?.at).toBe('2026-03-02T03:21:00.000Z')
  expect(report.deliveries).toHaveLength(100)
  const { timelineCut, deliveriesCut, timeline } = alertReport.parse((await owner.get(`/api/alerts/${short}`)).body)
  expect({ timelineCut, deliveriesCut, events: timeline.length }).toEqual({ timelineCut: undefined, deliveriesCut: undefined, events: 1 })
})

test('an account can snooze a thousand alerts a day: the end of each is announced', async ({ app }) => {
  const many = 'https://many.example/'
  const owner = await newPerson(app, { email: 'many@example.test', sites: { [many]: 'empty' } })
  await watch(app, many)
  const [first = '', second = ''] = await putAlerts(app, many, [
    { openedAt: '2026-03-16T09:00:00Z' },
    { openedAt: '2026-03-16T10:00:00Z', entity: { kind: 'page', name: many } },
  ])
  const { sql } = await app.stores()
  await sql(`INSERT INTO day_counts (what, whose, day, used) SELECT 'snooze', id, $1, 999 FROM users WHERE email = 'many@example.test'`, [
    app.google.now().toISOString().slice(0, 10),
  ])
  const snooze = (id: string) =>
    owner.send('POST', `/api/alerts/${id}/snooze`, { until: new Date(app.google.now().getTime() + 48 * hourMs).toISOString() })
  expect((await snooze(first)).status).toBe(200)
  const message = 'You can snooze up to 1,000 alerts a day. Acknowledge these, or snooze them tomorrow (UTC).'
  expect(await snooze(second)).toMatchObject({ status: 409, body: { message } })
  expect((await owner.send('POST', '/api/alerts/acknowledge', { ids: [second] })).status).toBe(200)
  app.google.advance(25 * hourMs)
  expect((await snooze(second)).status).toBe(200)
})
