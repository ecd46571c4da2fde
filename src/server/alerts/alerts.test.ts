import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { refresh } from '../../../test/support/people.ts'
import { storeHistory } from '../../../test/support/stored-history.ts'
import { putAlerts } from '../../../test/support/stored-alerts.ts'
import { through, today, type TwoPages, twoPages } from '../../../test/support/two-pages.ts'
import { until } from '../../../test/support/until.ts'
import { inFull } from '../../../test/support/in-full.ts'
import { backtestAnswer, type NewCondition } from '../../contract/alerts/conditions.ts'
import { alert, alerts } from '../../contract/alerts/alerts.ts'
import { addDays, eachDay } from '../../core/analytics/days.ts'

// An alert's lifecycle on the real server, with days dictated to the stand-in.

const test = appTest({ today, demo: false })
/** The first page's clicks in its last complete week, when it usually has a hundred a day. */
const fallen = 20
/** Enough if alerts are added, not found. */
const fewDays = 10

const only = async (site: TwoPages) => {
  const [found, ...others] = await site.list()
  expect(others).toEqual([])
  return found!
}
/** What has happened to an alert, and who did it. */
const states = async (site: TwoPages, id: string) => (await site.report(id)).timeline.map(({ to, reason, by }) => [to, reason, by])
const lastOf = async (site: TwoPages, id: string) => (await site.report(id)).timeline.at(-1)

describe('automatically', () => {
  test('rules are evaluated as soon as new days are complete', async ({ app }) => {
    const site = await twoPages(app, fallen)
    await app.google.setToday(addDays(today, 1))
    await refresh(site.owner, site.site)
    const found = await until(site.list, (all) => all.length > 0)
    expect(found).toMatchObject([
      {
        type: 'clicks',
        severity: 'critical',
        entity: { kind: 'page', name: site.page },
        previousValue: 620,
        currentValue: 140,
        current: { start: addDays(through, -5), end: addDays(through, 1) },
        previous: { start: addDays(through, -12), end: addDays(through, -6) },
        state: 'firing',
        viewed: false,
      },
    ])
  })
})

test('evaluating finds what has dropped, and says so with figures', async ({ app }) => {
  const site = await twoPages(app, fallen)
  expect(await site.evaluate()).toBe(1)
  const found = await only(site)
  expect(found).toMatchObject({
    type: 'clicks',
    severity: 'critical',
    entity: { kind: 'page', name: site.page },
    previousValue: 700,
    currentValue: 140,
    change: -80,
    current: { start: addDays(through, -6), end: through },
    previous: { start: addDays(through, -13), end: addDays(through, -7) },
    description: `Clicks for <code>${site.page}</code> fell from 700 to 140 (−80.0%), 9–15 Mar vs 2–8 Mar.`,
    state: 'firing',
    viewed: false,
  })
  expect(found.data.slice(-8)).toEqual([100, 20, 20, 20, 20, 20, 20, 20])
})

test('evaluating leaves the rules unchanged, and again adds nothing, however many at once', async ({ app }) => {
  const site = await twoPages(app, fallen)
  const rules = await site.conditions()
  const first = await Promise.all([site.evaluate(), site.evaluate(), site.evaluate(), site.evaluate()])
  expect(first.toSorted()).toEqual([0, 0, 0, 1])
  expect(await Promise.all([site.evaluate(), site.evaluate()])).toEqual([0, 0])
  expect(await site.list()).toHaveLength(1)
  expect(await site.conditions()).toEqual(rules)
})

test('a broken rule says so, and stops no other', async ({ app }) => {
  const site = await twoPages(app, fallen)
  for (const { id } of await site.conditions()) await site.owner.send('DELETE', `/api/alert-conditions/${id}`)
  await site.create({ type: 'clicks', title: 'Good', monitor: 'pages', targets: [site.page] })
  const bad = await site.create({ type: 'clicks', title: 'Bad', monitor: 'site' })
  const badNow = async () => (await site.conditions()).find(({ id }) => id === bad.id)
  const { sql } = await app.stores()
  await sql(`UPDATE alert_conditions SET monitor = 'nonsense' WHERE id = $1`, [bad.id])
  expect(await site.evaluate()).toBe(1)
  expect((await badNow())?.problem).toMatch(/could not be checked: its monitor is invalid/)
  const [{ later } = { later: false }] = await sql<{ later: boolean }>(
    'SELECT retry_at > problem_since AS later FROM alert_conditions WHERE id = $1',
    [bad.id],
  )
  expect(later).toBe(true)
  await site.owner.send('PATCH', `/api/alert-conditions/${bad.id}`, { monitor: 'pages', targets: [site.odd] })
  await site.evaluate()
  expect((await badNow())?.problem).toBeNull()
})

test('a deleted or switched-off rule ends its alerts, which stay readable', { tags: ['full'] }, async ({ app }) => {
  const site = await twoPages(app, fallen)
  await site.evaluate()
  const { id, conditionId } = await only(site)
  expect((await site.owner.send('DELETE', `/api/alert-conditions/${conditionId}`)).status).toBe(204)
  expect(await site.report(id)).toMatchObject({ state: 'recovered', conditionId: null, title: `Clicks dropped: ${site.page}` })
  expect((await states(site, id)).at(-1)).toEqual(['recovered', 'rule_deleted', expect.any(String)])
})

describe('an alert', () => {
  test('from before alerts had findings has one: its own', { tags: ['full'] }, async ({ app }) => {
    const site = await twoPages(app, 100, fewDays)
    const [id = ''] = await putAlerts(app, site.site, [{ openedAt: '2026-03-16T09:00:00Z', severity: 'critical' }])
    const own = {
      id,
      severity: 'critical',
      state: 'firing',
      type: 'clicks',
      title: 'Clicks dropped across the site',
      entity: { kind: 'site', name: site.site },
      currentValue: 150,
      previousValue: 200,
      change: -25,
    }
    expect((await only(site)).findings).toEqual([own])
    expect((await site.report(id)).findings).toEqual([own])
  })

  test.for(['acknowledge', ...inFull(['viewed'])])(
    "stays unchanged if somebody else's is named along with it (%s)",
    async (what, { app }) => {
      const site = await twoPages(app, 100, fewDays)
      const [id = ''] = await putAlerts(app, site.site, [{ openedAt: '2026-03-16T09:00:00Z' }])
      const before = await site.report(id)
      expect((await site.owner.send('POST', `/api/alerts/${what}`, { ids: [id, '999999'] })).status).toBe(404)
      expect((await site.list())[0]).toMatchObject({ id, state: 'firing', viewed: false })
      expect((await site.report(id)).timeline).toEqual(before.timeline)
    },
  )

  test('is new until viewed, whatever else happens to it', async ({ app }) => {
    const site = await twoPages(app, 100, fewDays)
    const [id = ''] = await putAlerts(app, site.site, [{ openedAt: '2026-03-16T09:00:00Z' }])
    const acknowledged = await site.owner.send('POST', '/api/alerts/acknowledge', { ids: [id] })
    expect(alerts.parse(acknowledged.body)).toMatchObject([{ id, viewed: false, state: 'acknowledged' }])
    const viewed = await site.owner.send('POST', '/api/alerts/viewed', { ids: [id] })
    expect(alerts.parse(viewed.body)).toMatchObject([{ id, viewed: true, state: 'acknowledged' }])
  })

  test('is snoozed until a future time, and wakes then', async ({ app }) => {
    const site = await twoPages(app, fallen)
    await site.evaluate()
    const { id } = await only(site)
    const at = (ms: number) => new Date(app.google.now().getTime() + ms).toISOString()
    expect(await site.owner.send('POST', `/api/alerts/${id}/snooze`, { until: at(-1000) })).toMatchObject({
      status: 400,
      body: { field: 'until' },
    })
    const snoozed = alert.parse((await site.owner.send('POST', `/api/alerts/${id}/snooze`, { until: at(3_600_000) })).body)
    expect(snoozed).toMatchObject({ state: 'snoozed', snoozedUntil: at(3_600_000) })
    expect(await site.evaluate()).toBe(0)
    app.google.advance(3_601_000)
    await runJob(app, 'alerts-due')
    expect(await only(site)).toMatchObject({ state: 'firing', snoozedUntil: null })
    expect((await states(site, id)).slice(-2)).toEqual([
      ['snoozed', 'snoozed', expect.any(String)],
      ['firing', 'snooze_over', null],
    ])
  })

  test('has a report: series with complete days marked, and its timeline', { tags: ['full'] }, async ({ app }) => {
    const site = await twoPages(app, fallen)
    // As when days are complete. Whom to notify is stored together with the alert.
    await runJob(app, 'alerts-due')
    const { id } = await only(site)
    const { series, timeline, deliveries, ...rest } = await site.report(id)
    expect(alert.parse(rest)).toEqual(await only(site))
    expect(series.at(0)).toEqual({ date: addDays(through, -6 - 49), value: 100, complete: true })
    expect(series.findLast(({ complete }) => complete)).toEqual({ date: through, value: 20, complete: true })
    expect(timeline[0]).toMatchObject({ from: null, to: 'firing', reason: 'condition_met', by: null })
    // Free: with the weekly digest.
    expect(deliveries[0]).toMatchObject({ channel: 'email', event: 'opened', inDigest: true, state: 'waiting' })
  })

  test(
    'stays acknowledged, even while days of its window are incomplete, until the figures recover',
    { tags: ['full'] },
    async ({ app }) => {
      const site = await twoPages(app, fallen)
      await site.evaluate()
      const { id } = await only(site)
      const acknowledged = await site.owner.send('POST', '/api/alerts/acknowledge', { ids: [id] })
      expect(alerts.parse(acknowledged.body)).toMatchObject([{ state: 'acknowledged' }])
      expect(await site.evaluate()).toBe(0)
      expect(await only(site)).toMatchObject({ id, state: 'acknowledged' })
      await site.create({ type: 'clicks', title: 'Waits', monitor: 'pages', targets: [site.page] })
      // A day after the stored ones: unknown, so nothing is evaluated.
      await site.completeThrough('2026-03-20')
      expect(await site.evaluate()).toBe(0)
      expect(await only(site)).toMatchObject({ id, state: 'acknowledged' })
      await site.completeThrough(through)
      await site.owner.send('DELETE', `/api/alert-conditions/${(await site.conditions()).at(-1)!.id}`)

      // Eight days later the page has recovered.
      await site.dictate('2026-03-16', '2026-03-26', 100)
      await app.google.setToday('2026-03-26')
      await refresh(site.owner, site.site)
      await runJob(app, 'alerts-due')
      expect(await lastOf(site, id)).toMatchObject({ from: 'acknowledged', to: 'recovered', reason: 'back', by: null })
    },
  )

  test('ends when Google revises it away, with that reason', { tags: ['full'] }, async ({ app }) => {
    const site = await twoPages(app, fallen)
    await site.evaluate()
    const { id } = await only(site)
    await site.dictate(addDays(through, -6), today, 100)
    await refresh(site.owner, site.site)
    await runJob(app, 'alerts-due')
    expect(await lastOf(site, id)).toMatchObject({ to: 'recovered', reason: 'revised' })
  })

  test(
    'about a page that is gone counts as zero, as long as the days are complete; names are text',
    { tags: ['full'] },
    async ({ app }) => {
      const site = await twoPages(app)
      await site.dictate(addDays(through, -6), today, 100, 'gone')
      await refresh(site.owner, site.site)
      await site.evaluate()
      const gone = (await site.list('?state=open')).find(({ type }) => type === 'clicks')
      expect(gone).toMatchObject({
        entity: { kind: 'page', name: site.odd },
        currentValue: 0,
        previousValue: 280,
        change: -100,
        severity: 'critical',
      })
      expect(gone!.description).toContain(`<code>${site.site}&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;</code> fell from 280 to 0`)
      expect(gone!.description.replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>]/)
      // Evaluated until it is back at its usual level, though it is no longer in any top ten.
      await site.dictate('2026-03-16', '2026-04-01', 100, 40)
      await app.google.setToday('2026-04-01')
      await refresh(site.owner, site.site)
      await runJob(app, 'alerts-due')
      expect(await lastOf(site, gone!.id)).toMatchObject({ to: 'recovered', reason: 'back' })
    },
  )

  test('about the whole site includes those of its pages as its parts', { tags: ['full'] }, async ({ app }) => {
    const site = await twoPages(app)
    for (const { id } of await site.conditions()) await site.owner.send('DELETE', `/api/alert-conditions/${id}`)
    const wide = await site.create({ type: 'clicks', title: 'Whole site', monitor: 'site' })
    await site.create({ type: 'clicks', title: 'Its pages', monitor: 'top_pages' })
    await site.dictate(addDays(through, -6), today, 30, 10)
    await refresh(site.owner, site.site)
    await site.evaluate()
    const open = await site.list('?state=open')
    expect(open).toMatchObject([{ entity: { kind: 'site', name: site.site }, conditionId: wide.id }])
    const { contributors } = await site.report(open[0]!.id)
    expect(contributors.map(({ entity }) => entity.name).toSorted()).toEqual([site.odd, site.page].toSorted())
  })
})

test('lists are filtered and paged', async ({ app }) => {
  const site = await twoPages(app, 100, fewDays)
  const about = (name: string) => ({ entity: { kind: 'query', name } as const })
  await putAlerts(app, site.site, [
    { openedAt: '2026-03-16T09:00:00Z', severity: 'critical', ...about('a') },
    { openedAt: '2026-03-17T09:00:00Z', ...about('b') },
    { openedAt: '2026-03-21T09:00:00Z', ...about('c') },
    { openedAt: '2026-03-22T09:00:00Z', state: 'recovered', ...about('d') },
  ])
  const all = await site.list()
  expect(all).toHaveLength(4)
  expect(await site.list('?limit=2&offset=1')).toEqual(all.slice(1, 3))
  expect(await site.list('?severity=positive')).toEqual([])
  expect(await site.list('?severity=critical')).toEqual([all[3]])
  expect(await site.list('?from=2026-03-01&to=2026-03-20')).toEqual(all.slice(2))
  expect(await site.list('?property=all')).toEqual(all)
  expect((await site.owner.get('/api/alerts?property=nobody')).status).toBe(404)
})

test('the backtest of a rule finds what evaluating day by day finds', { tags: ['full'] }, async ({ app }) => {
  const site = await twoPages(app, fallen, 130)
  // Drops at different times, of one page and of the other.
  await site.dictate('2026-02-09', '2026-02-14', 100, 4)
  await site.dictate('2026-02-23', '2026-02-28', 20)
  await storeHistory(app, site.site, { days: 131 })
  const rule: NewCondition = { type: 'clicks', title: 'Day by day', monitor: 'top_pages', threshold: 20 }
  const { days, from, through: last } = backtestAnswer.parse((await site.owner.send('POST', '/api/alert-conditions/backtest', rule)).body)
  expect(days.length).toBeGreaterThan(2)
  // Together with another rule that finds the same thing it would make one alert.
  for (const { id } of await site.conditions()) await site.owner.send('DELETE', `/api/alert-conditions/${id}`)
  const made = await site.create(rule)
  const { sql } = await app.stores()
  const opened: { date: string; alerts: number; silenced: number; entities: string[] }[] = []
  for (const date of eachDay(from!, last!)) {
    await site.completeThrough(date)
    await site.evaluate()
    const rows = await sql<{ entity_name: string }>(
      'SELECT entity_name FROM alerts WHERE condition_id = $1 AND judged_through = $2 AND (opening #>> $3) = $4 ORDER BY id',
      [made.id, date, '{windows,current,end}', date],
    )
    if (rows.length > 0) opened.push({ date, alerts: rows.length, silenced: 0, entities: rows.map((row) => row.entity_name) })
  }
  expect(opened).toEqual(days)
})
