import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { runJob } from '../../../../test/support/jobs.ts'
import { announceOf, openAlerts } from '../../../../test/support/opened-alerts.ts'
import { ownerAtOnce } from '../../../../test/support/stored-history.ts'
import { alertReport } from '../../../contract/alerts/alerts.ts'

const site = 'https://swings.example/'
const email = 'swings@example.test'
/** A digest that is days late keeps its interval to the next one. */
const intervalMs = 14 * 86_400_000

const test = appTest({ today: '2026-03-18', demo: false })

test('a change that became far worse only for a while is in no digest, and what follows is compared with what was sent', async ({
  app,
}) => {
  const owner = await ownerAtOnce(app, site, { profile: 'local', days: 5, email })
  await owner.send('POST', '/api/delivery-settings', { frequency: 'weekly', digestWhenQuiet: true })
  await runJob(app, 'delivery-due')
  const { sql } = await app.stores()
  const [id] = await openAlerts(app, site, [{ openedAt: '2026-03-18T12:00:00Z', severity: 'critical', change: -32 }])
  await sql(`UPDATE alerts SET opening = opening || '{"firstDay": "2026-03-09"}'`)
  const change = (percent: number) => sql(`UPDATE alerts SET figures = figures || jsonb_build_object('change', $1::float8)`, [percent])
  const worsened = () => announceOf(app, site, { worsened: [{ id: Number(id), isMoreUrgent: false }] })
  async function digest(): Promise<string> {
    await app.mail.clear()
    app.google.advance(intervalMs)
    await runJob(app, 'delivery-due')
    const mail = (await app.mail.mails(email)).find(({ kind }) => kind === 'digest')
    return mail!.text.replaceAll(/\s+/g, ' ')
  }
  expect(await digest()).toContain('1 alert')

  await change(-70)
  await worsened()
  await change(-20)
  expect(await digest()).toContain('No new alerts on your property, 1 still open')

  await change(-72)
  await worsened()
  expect(await digest()).toContain('This alert has become much worse: was −32.0%, now −72.0%.')
  const { deliveries } = alertReport.parse((await owner.get(`/api/alerts/${id}`)).body)
  expect(deliveries.map(({ event, state, detail }) => [event, state, detail])).toEqual([
    ['opened', 'sent', null],
    ['worsened', 'suppressed', 'The alert was no longer much worse when this was due.'],
    ['worsened', 'sent', null],
  ])
})

test('somebody whose only message says that a change is mild is told when it becomes far worse', async ({ app }) => {
  const other = 'https://mild.example/'
  await ownerAtOnce(app, other, { profile: 'local', days: 5, email: 'mild@example.test' })
  await runJob(app, 'delivery-due')
  const { sql } = await app.stores()
  const [id] = await openAlerts(app, other, [{ openedAt: '2026-03-18T12:00:00Z', severity: 'critical', change: -32 }])
  const change = (percent: number) => sql(`UPDATE alerts SET figures = figures || jsonb_build_object('change', $1::float8)`, [percent])
  const worsened = () => announceOf(app, other, { worsened: [{ id: Number(id), isMoreUrgent: false }] })
  await sql(`UPDATE alerts SET opening = opening || '{"firstDay": "2026-03-09"}'`)
  await change(-70)
  await worsened()
  await change(-20)
  app.google.advance(intervalMs)
  await runJob(app, 'delivery-due')
  const rows = () =>
    sql(`SELECT event, state, change, change_before FROM delivery_news WHERE alert_id = $1 AND channel = 'email' ORDER BY id`, [id])
  expect((await rows()).at(-1)).toMatchObject({ event: 'worsened', state: 'told' })
  await change(-72)
  await worsened()
  expect((await rows()).at(-1)).toMatchObject({ event: 'worsened', state: 'waiting', change: -72 })
})

test('the end of a snooze is not lost to a change that became far worse only for a while', async ({ app }) => {
  const woken = 'https://woken.example/'
  const reader = 'woken@example.test'
  const owner = await ownerAtOnce(app, woken, { profile: 'local', days: 5, email: reader })
  await owner.send('POST', '/api/delivery-settings', { frequency: 'weekly', digestWhenQuiet: true })
  await runJob(app, 'delivery-due')
  const { sql } = await app.stores()
  const [id] = await openAlerts(app, woken, [{ openedAt: '2026-03-18T12:00:00Z', severity: 'critical', change: -32 }])
  await sql(`UPDATE alerts SET opening = opening || '{"firstDay": "2026-03-09"}'`)
  app.google.advance(intervalMs)
  await runJob(app, 'delivery-due')
  const change = (percent: number) =>
    sql(`UPDATE alerts SET figures = figures || jsonb_build_object('change', $1::float8) WHERE id = $2`, [percent, id])
  await announceOf(app, woken, { woken: [Number(id)] })
  await change(-70)
  await announceOf(app, woken, { worsened: [{ id: Number(id), isMoreUrgent: false }] })
  await change(-20)
  await app.mail.clear()
  app.google.advance(intervalMs)
  await runJob(app, 'delivery-due')
  const mail = (await app.mail.mails(reader)).find(({ kind }) => kind === 'digest')
  expect(mail!.text.replaceAll(/\s+/g, ' ')).toContain('1 alert on')
})
