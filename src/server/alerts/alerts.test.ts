import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { sendJob } from '../../../test/support/jobs.ts'
import { ownerOf, propertyId, refresh } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { alertCondition, alertConditions, backtestAnswer, type NewCondition } from '../../contract/alert-conditions.ts'
import { alert, alertReport, alerts, type Alert, evaluateAnswer } from '../../contract/alerts.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'

// The life of alerts against the real server, with days dictated to the stand-in.

const site = 'https://life.example/'
const today = '2026-03-18'
/** The last day that is complete on that day. */
const through = '2026-03-15'
const page = 'https://life.example/lamps'
const odd = `https://life.example/<img src=x onerror=alert(1)>&"'`
let app: TestApp
let owner: Visitor

const rowsOf = (clicks: number, oddClicks = 40) => [
  { query: 'lamp', page, clicks, impressions: clicks * 10, position: 4 },
  { query: '<b>odd</b>', page: odd, clicks: oddClicks, impressions: oddClicks * 10, position: 6 },
]
const dictate = async (from: string, to: string, clicks: number, oddClicks?: number) => {
  for (const date of eachDay(from, to)) await app.google.setRows(site, date, rowsOf(clicks, oddClicks))
}

beforeAll(async () => {
  app = await startTestApp({ today, demo: false })
  await app.google.account('owner@example.test', { [site]: 'empty' })
  await app.google.call('PUT', 'late', { site, days: 3 })
  const first = addDays(today, -120)
  await dictate(first, addDays(through, -7), 100)
  // The last week: one page loses four fifths of its clicks, the other keeps its own.
  await dictate(addDays(through, -6), today, 20)
  owner = await ownerOf(app, site, { profile: 'empty', days: 121 })
}, 120_000)
afterAll(() => app.close())

const list = async (query = ''): Promise<Alert[]> => alerts.parse((await owner.get(`/api/alerts${query}`)).body)
let asked = 0
const evaluate = async (): Promise<number> => {
  // From another address each time: nobody may ask as often as a test does.
  const headers = { 'x-forwarded-for': `10.0.${(asked += 1) >> 8}.${asked & 255}` }
  return evaluateAnswer.parse((await owner.send('POST', '/api/alerts/evaluate', undefined, { headers })).body).count
}
const conditions = async () => alertConditions.parse((await owner.get('/api/alert-conditions')).body)
const create = async (rule: NewCondition) => alertCondition.parse((await owner.send('POST', '/api/alert-conditions', rule)).body)
const drop = async (id: string) => expect((await owner.send('DELETE', `/api/alert-conditions/${id}`)).status).toBe(204)
const report = async (id: string) => alertReport.parse((await owner.get(`/api/alerts/${id}`)).body)
const states = async (id: string) => (await report(id)).timeline.map(({ to, reason, by }) => [to, reason, by])
const completeThrough = async (day: string) =>
  (await app.stores()).sql('UPDATE property_syncs SET complete_through = $1 WHERE property_id = $2', [day, await propertyId(app, site)])

describe('without being asked', () => {
  test('a property has the four default rules of the specification', async () => {
    expect(await conditions()).toMatchObject([
      { type: 'clicks', isEnabled: true, monitor: 'top_pages', threshold: 15, thresholdUnit: '%', comparison: 'previous_7_days' },
      { type: 'ctr', isEnabled: true, monitor: 'top_queries', threshold: 10, minimumImpressions: 100 },
      { type: 'impressions', isEnabled: false, monitor: 'new_content', threshold: 50, minimumImpressions: 50 },
      { type: 'position', isEnabled: true, monitor: 'queries', threshold: 3, thresholdUnit: 'positions', minimumImpressions: 50 },
    ])
  })

  test('rules are judged as soon as new days are complete', async () => {
    await lookForAlerts()
    const found = await until(list, (all) => all.length > 0)
    expect(found).toMatchObject([
      {
        type: 'clicks',
        severity: 'critical',
        entity: { kind: 'page', name: page },
        previousValue: 700,
        currentValue: 140,
        change: -80,
        current: { start: addDays(through, -6), end: through },
        previous: { start: addDays(through, -13), end: addDays(through, -7) },
        description: `Clicks of <code>${page}</code> fell from 700 to 140 (−80.0%), 9–15 Mar against 2–8 Mar.`,
        state: 'firing',
        viewed: false,
      },
    ])
    expect(found[0]?.data.slice(-8)).toEqual([100, 20, 20, 20, 20, 20, 20, 20])
  })

  test('evaluating again adds nothing, however many at once', async () => {
    const counts = await Promise.all([evaluate(), evaluate(), evaluate(), evaluate()])
    expect(counts).toEqual([0, 0, 0, 0])
    expect(await list()).toHaveLength(1)
  })
})

describe('rules', () => {
  test.each<[object, string, string | undefined]>([
    [{ type: 'clicks', threshold: 0 }, 'threshold', 'The threshold must be at least 1'],
    [{ type: 'clicks', threshold: 101 }, 'threshold', 'A percentage is at most 100'],
    [{ type: 'clicks', threshold: 1.5 }, 'threshold', 'Enter a whole number'],
    [{ type: 'ctr', minimumImpressions: 0 }, 'minimumImpressions', 'Minimum impressions must be at least 1'],
    [{ type: 'ctr', comparison: 'previous_30_days' }, 'comparison', undefined],
    [{ type: 'clicks', minimumImpressions: 5 }, 'minimumImpressions', undefined],
    [{ type: 'position', thresholdUnit: '%' }, 'thresholdUnit', undefined],
    [{ type: 'clicks', kind: 'new_query' }, 'type', undefined],
    [{ type: 'position', kind: 'new_query', monitor: 'pages' }, 'monitor', undefined],
    [{ type: 'clicks', title: ' ' }, 'title', undefined],
    [{ type: 'clicks', title: 'a\u0000b' }, 'title', undefined],
  ])('%j is refused', async (rule, field, message) => {
    for (const path of ['/api/alert-conditions', '/api/alert-conditions/backtest']) {
      const answer = await owner.send('POST', path, rule)
      expect(answer).toMatchObject({ status: 400, body: { field, ...(message && { message }) } })
    }
  })

  test('are changed, with the same validation, copied and deleted', async () => {
    const made = await create({ type: 'impressions', title: 'Impressions spike', monitor: 'site', threshold: 40 })
    expect(made).toMatchObject({ threshold: 40, thresholdUnit: '%', minimumImpressions: 50, isEnabled: true })
    const path = `/api/alert-conditions/${made.id}`
    expect(await owner.send('PATCH', path, { threshold: 200 })).toMatchObject({ status: 400, body: { field: 'threshold' } })
    expect(await owner.send('PATCH', path, {})).toMatchObject({ status: 400 })
    expect(await owner.send('PATCH', path, { threshold: 60, isEnabled: false })).toMatchObject({ status: 200, body: { threshold: 60 } })
    const copy = alertCondition.parse((await owner.send('POST', `${path}/duplicate`)).body)
    expect(copy).toMatchObject({ title: 'Impressions spike (copy)', threshold: 60, isEnabled: false })
    for (const id of [made.id, copy.id]) await drop(id)
    expect((await owner.send('PATCH', path, { threshold: 5 })).status).toBe(404)
    expect(await conditions()).toHaveLength(4)
  })

  test('a template for each kind of alert can be set up as it is', async () => {
    const templates = (await owner.get('/api/alert-templates')).body as { id: string; condition: NewCondition }[]
    expect(templates).toHaveLength(8)
    for (const { condition } of templates) {
      const answer = await owner.send('POST', '/api/alert-conditions', condition)
      expect(answer.status).toBe(201)
      await drop(alertCondition.parse(answer.body).id)
    }
  })

  test('a rule that is broken says so, and stops no other', async () => {
    const good = await create({ type: 'clicks', title: 'Good', monitor: 'pages', targets: [page] })
    const bad = await create({ type: 'clicks', title: 'Bad', monitor: 'site' })
    const { sql } = await app.stores()
    await sql(`UPDATE alert_conditions SET monitor = 'nonsense' WHERE id = $1`, [bad.id])
    expect(await evaluate()).toBe(1)
    expect((await conditions()).find(({ id }) => id === bad.id)?.problem).toMatch(/could not be judged: its monitor is not understood/)
    const [{ later } = { later: false }] = await sql<{ later: boolean }>(
      'SELECT retry_at > problem_since AS later FROM alert_conditions WHERE id = $1',
      [bad.id],
    )
    expect(later).toBe(true)
    await owner.send('PATCH', `/api/alert-conditions/${bad.id}`, { monitor: 'pages', targets: [odd] })
    await evaluate()
    expect((await conditions()).find(({ id }) => id === bad.id)?.problem).toBeNull()
    for (const id of [good.id, bad.id]) await drop(id)
  })

  test.each(['type', 'kind', 'threshold_unit'])(
    'one whose %s is not understood is listed all the same, and can only be deleted',
    async (column) => {
      const bad = await create({ type: 'clicks', title: 'Bad', monitor: 'site' })
      await (await app.stores()).sql(`UPDATE alert_conditions SET ${column} = 'nonsense' WHERE id = $1`, [bad.id])
      expect((await conditions()).find(({ id }) => id === bad.id)).toMatchObject({ type: 'clicks', kind: 'change', thresholdUnit: '%' })
      const path = `/api/alert-conditions/${bad.id}`
      const refusal = { status: 409, body: { message: 'What this rule looks for is not understood. Delete it, and create it anew.' } }
      expect(await owner.send('PATCH', path, { threshold: 20 })).toMatchObject(refusal)
      expect(await owner.send('POST', `${path}/duplicate`)).toMatchObject(refusal)
      await drop(bad.id)
    },
  )

  test('the four are there before any other, even where nobody has looked at them', async () => {
    const fresh = await ownerOf(app, 'https://fresh.example/', { days: 3, email: 'fresh@example.test' })
    await (await app.stores()).sql('DELETE FROM alert_watches WHERE property_id = $1', [await propertyId(app, 'https://fresh.example/')])
    await (await app.stores()).sql('DELETE FROM alert_conditions WHERE property_id = $1', [await propertyId(app, 'https://fresh.example/')])
    await fresh.send('POST', '/api/alert-conditions', { type: 'position', title: 'Mine' })
    const titles = alertConditions.parse((await fresh.get('/api/alert-conditions')).body).map(({ title }) => title)
    expect(titles).toEqual(['Clicks drop', 'CTR drop', 'Impressions spike', 'Position drop', 'Mine'])
  })

  test('a copy can be copied, and never has too long a title', async () => {
    const made = await create({ type: 'clicks', title: 'x'.repeat(120), monitor: 'site' })
    const copy = alertCondition.parse((await owner.send('POST', `/api/alert-conditions/${made.id}/duplicate`)).body)
    expect(copy.title).toBe(`${'x'.repeat(113)} (copy)`)
    for (const id of [made.id, copy.id]) await drop(id)
  })

  test('a deleted or switched off rule ends its alerts, which stay readable', async () => {
    const rule = await create({ type: 'clicks', title: 'Short', monitor: 'pages', targets: [page] })
    expect(await evaluate()).toBe(1)
    const found = (await list()).find(({ conditionId }) => conditionId === rule.id)
    await drop(rule.id)
    expect(await report(found!.id)).toMatchObject({ state: 'recovered', conditionId: null, title: `Clicks dropped: ${page}` })
    expect((await states(found!.id)).at(-1)).toEqual(['recovered', 'rule_deleted', expect.any(String)])
  })
})

describe('an alert', () => {
  const own = async () => (await list('?state=open'))[0]!

  test.each(['acknowledge', 'viewed'])('stays as it is when one that is not theirs is named with it (%s)', async (what) => {
    const before = await own()
    const life = await states(before.id)
    expect((await owner.send('POST', `/api/alerts/${what}`, { ids: [before.id, '999999'] })).status).toBe(404)
    expect(await own()).toEqual(before)
    expect(await states(before.id)).toEqual(life)
  })

  test('is new until it is viewed, whatever else becomes of it', async () => {
    const { id } = await own()
    const answer = await owner.send('POST', '/api/alerts/viewed', { ids: [id] })
    expect(alerts.parse(answer.body)).toMatchObject([{ id, viewed: true, state: 'firing' }])
  })

  test('is snoozed until a time to come, and wakes then', async () => {
    const { id } = await own()
    const at = (ms: number) => new Date(app.google.now().getTime() + ms).toISOString()
    expect(await owner.send('POST', `/api/alerts/${id}/snooze`, { until: at(-1000) })).toMatchObject({
      status: 400,
      body: { field: 'until' },
    })
    const snoozed = alert.parse((await owner.send('POST', `/api/alerts/${id}/snooze`, { until: at(3_600_000) })).body)
    expect(snoozed).toMatchObject({ state: 'snoozed', snoozedUntil: at(3_600_000) })
    expect(await evaluate()).toBe(0)
    app.google.advance(3_601_000)
    await lookForAlerts()
    expect((await until(own, ({ state }) => state === 'firing')).snoozedUntil).toBeNull()
    expect((await states(id)).slice(-2)).toEqual([
      ['snoozed', 'snoozed', expect.any(String)],
      ['firing', 'snooze_over', null],
    ])
  })

  test('is acknowledged, and stays so until it recovers', async () => {
    const { id } = await own()
    expect(alerts.parse((await owner.send('POST', '/api/alerts/acknowledge', { ids: [id] })).body)).toMatchObject([
      { state: 'acknowledged' },
    ])
    expect(await evaluate()).toBe(0)
    expect(await own()).toMatchObject({ id, state: 'acknowledged' })
  })

  test('has a report: series with complete days marked, and its life', async () => {
    const { id } = await own()
    const { series, timeline, deliveries, ...rest } = await report(id)
    expect(alert.parse(rest)).toEqual(await own())
    expect(series.at(0)).toEqual({ date: addDays(through, -6 - 49), value: 100, complete: true })
    expect(series.findLast(({ complete }) => complete)).toEqual({ date: through, value: 20, complete: true })
    expect(timeline[0]).toMatchObject({ from: null, to: 'firing', reason: 'condition_met', by: null })
    // Free: with the weekly digest.
    expect(deliveries[0]).toMatchObject({ channel: 'email', event: 'opened', inDigest: true, state: 'waiting', to: 'owner@example.test' })
  })

  test('waits while days of its window are incomplete, and recovers when the figures have', async () => {
    const { id } = await own()
    const rule = await create({ type: 'clicks', title: 'Waits', monitor: 'pages', targets: [page] })
    // A day past the stored ones: nothing is known of it, so nothing is judged.
    await completeThrough('2026-03-20')
    expect(await evaluate()).toBe(0)
    expect(await own()).toMatchObject({ id, state: 'acknowledged' })
    await completeThrough(through)
    await drop(rule.id)

    // Eight days later the page is back where it was.
    await dictate('2026-03-16', '2026-03-26', 100)
    await app.google.setToday('2026-03-26')
    await refresh(owner, site)
    const ended = await until(
      () => report(id),
      ({ state }) => state === 'recovered',
    )
    expect(ended.timeline.at(-1)).toMatchObject({ from: 'acknowledged', to: 'recovered', reason: 'back', by: null })
  })

  test('that Google revises away ends, with that reason', async () => {
    await dictate('2026-03-20', '2026-03-30', 15)
    await app.google.setToday('2026-03-30')
    await refresh(owner, site)
    const fired = await until(own, Boolean)
    expect(fired).toMatchObject({ entity: { name: page }, severity: 'critical' })
    await dictate('2026-03-20', '2026-03-30', 100)
    await refresh(owner, site)
    await lookForAlerts()
    const ended = await until(
      () => report(fired.id),
      ({ state }) => state === 'recovered',
    )
    expect(ended.timeline.at(-1)).toMatchObject({ reason: 'revised' })
  })

  test('about a page that is gone is one of nothing, while the days are complete; names are text', async () => {
    for (const date of eachDay('2026-03-28', '2026-04-06')) await app.google.setRows(site, date, rowsOf(100).slice(0, 1))
    await app.google.setToday('2026-04-06')
    await refresh(owner, site)
    const [gone] = await until(
      () => list('?state=open'),
      (all) => all.some(({ type }) => type === 'clicks'),
    )
    expect(gone).toMatchObject({
      entity: { kind: 'page', name: odd },
      currentValue: 0,
      previousValue: 280,
      change: -100,
      severity: 'critical',
    })
    expect(gone!.description).toContain(
      '<code>https://life.example/&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;</code> fell from 280 to 0',
    )
    expect(gone!.description.replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>]/)
    // It stays gone: judged until that is the usual level, though it is among no first ten any more.
    await dictate('2026-04-04', '2026-04-20', 100, 40)
    await app.google.setToday('2026-04-20')
    await refresh(owner, site)
    expect(
      (
        await until(
          () => report(gone!.id),
          ({ state }) => state === 'recovered',
        )
      ).timeline.at(-1),
    ).toMatchObject({ reason: 'back' })
  })

  test('about the whole site takes those of its pages as what it is made of', async () => {
    await owner.send('PATCH', `/api/alert-conditions/${(await conditions())[0]!.id}`, { isEnabled: false })
    const wide = await create({ type: 'clicks', title: 'Whole site', monitor: 'site' })
    const pages = await create({ type: 'clicks', title: 'Its pages', monitor: 'top_pages' })
    // A calm season, then a week of little for all of them.
    await dictate('2026-04-18', '2026-08-08', 100)
    await dictate('2026-08-09', '2026-08-18', 30, 10)
    await app.google.setToday('2026-08-18')
    await refresh(owner, site)
    const open = await until(
      () => list('?state=open'),
      (all) => all.some(({ entity }) => entity.kind === 'site'),
    )
    expect(open.filter(({ type }) => type === 'clicks')).toMatchObject([{ entity: { kind: 'site', name: site }, conditionId: wide.id }])
    const { contributors } = await report(open.find(({ type }) => type === 'clicks')!.id)
    expect(contributors.map(({ entity }) => entity.name).toSorted()).toEqual([odd, page].toSorted())
    for (const id of [wide.id, pages.id]) await drop(id)
  }, 90_000)
})

test('lists are filtered and paged', async () => {
  const all = await list()
  expect(all.length).toBeGreaterThan(3)
  expect(await list('?limit=2&offset=1')).toEqual(all.slice(1, 3))
  expect(await list('?severity=positive')).toEqual([])
  expect((await list('?severity=critical')).length).toBeGreaterThan(0)
  expect(await list('?from=2026-03-01&to=2026-03-20')).toEqual(all.filter(({ timestamp }) => timestamp < '2026-03-21'))
  expect(await list('?property=all')).toEqual(all)
  expect((await owner.get('/api/alerts?property=nobody')).status).toBe(404)
})

test('the backtest of a rule is what evaluating day by day finds', async () => {
  const { sql } = await app.stores()
  const rule: NewCondition = { type: 'clicks', title: 'Day by day', monitor: 'top_pages', threshold: 20 }
  const { days, from, through: last } = backtestAnswer.parse((await owner.send('POST', '/api/alert-conditions/backtest', rule)).body)
  expect(days.length).toBeGreaterThan(2)
  const made = await create(rule)
  const opened: { date: string; alerts: number; entities: string[] }[] = []
  for (const date of eachDay(from!, last!)) {
    await completeThrough(date)
    await evaluate()
    const rows = await sql<{ entity_name: string }>(
      'SELECT entity_name FROM alerts WHERE condition_id = $1 AND judged_through = $2 AND (opening #>> $3) = $4 ORDER BY id',
      [made.id, date, '{windows,current,end}', date],
    )
    if (rows.length > 0) opened.push({ date, alerts: rows.length, entities: rows.map((row) => row.entity_name) })
  }
  expect(opened).toEqual(days)
}, 300_000)

/** The look at what is due that the server takes every minute, now. */
const lookForAlerts = () => sendJob(app.dataDir, 'alerts-due')
