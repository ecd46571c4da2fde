import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AlertCondition, NewCondition } from '../../contract/alerts/conditions.ts'
import { type Alert, alert, alertReport, type AlertReport } from '../../contract/alerts/alerts.ts'
import { addDays, daysBetween, eachDay } from '../../core/analytics/days.ts'
import type { ReportProperty } from '../accounts/service.ts'
import { parseConfig } from '../config.ts'
import type { FactRow } from '../facts/load.ts'
import { createLog } from '../platform/log.ts'
import { openStores, type Stores } from '../stores/stores.ts'
import type { AlertsService } from './service.ts'
import { alertsServiceOn } from '../../../test/support/alerts-service.ts'
import { inFull } from '../../../test/support/in-full.ts'

// Full reports on the real stores without the rest of the server.

const through = '2026-03-15'
const first = addDays(through, -500)
/** A page's name can be any text: markup, and the null character that PostgreSQL can't store. */
const odd = `https://report.example/<img src=x onerror=alert(1)>\0"&'`
let dataDir: string
let stores: Stores
let alerts: AlertsService
let site: ReportProperty
const now = { at: new Date('2026-03-18T20:00:00Z') }

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-report-'))
  stores = await openStores(parseConfig({ DATA_DIR: dataDir }), createLog('silent'), (error) => {
    throw error
  })
  const clock = { now: () => now.at }
  alerts = alertsServiceOn({ db: stores.db, facts: stores.facts, clock })
  const { db } = stores
  await sql`INSERT INTO users (id, name, email) VALUES ('u', 'Ursula', 'u@example.test'), ('v', 'v', 'v@example.test')`.execute(db)
  await sql`INSERT INTO people (user_id) VALUES ('u'), ('v')`.execute(db)
  const name = 'https://report.example/'
  const { rows } = await sql<{ id: number }>`INSERT INTO properties (user_id, name, kind, monitored) VALUES ('u', ${name}, 'google', true)
    RETURNING id`.execute(db)
  site = { id: rows[0]?.id ?? 0, name, completeThrough: through, factsVersion: 1 }
  // A fifth of the clicks in the last week, and two days that Google hasn't completed.
  await store(first, addDays(through, 2), (date) => (date > addDays(through, -7) ? 10 : 50))
  await sql`INSERT INTO property_syncs (property_id, state, complete_through, facts_version) VALUES (${site.id}, 'ok', ${through}, 1)`.execute(
    db,
  )
  await sql`INSERT INTO search_type_syncs (property_id, search_type, backfill_to, backfilled_from) VALUES (${site.id}, 'web', ${first}, ${first})`.execute(
    db,
  )
  for (const { id } of await alerts.conditions.list(site)) await alerts.conditions.remove('u', id)
}, 60_000)
afterAll(async () => {
  await stores.close()
  await rm(dataDir, { recursive: true, force: true })
})

/**
 * Days of the site with one page and one query, both with the same name; if clicks are `null` there is neither. The page is found by three
 * queries.
 */
async function store(from: string, to: string, clicksOn: (date: string) => number | null): Promise<void> {
  const days = eachDay(from, to)
  const load = await stores.facts.beginLoad(site.id, 'web')
  const rowsOf = (keys: string[]): FactRow[] =>
    days.flatMap((date) => {
      const clicks = clicksOn(date)
      return clicks === null ? [] : [{ date, keys, clicks, impressions: 500, position: 3 + (50 - clicks) / 10 }]
    })
  await load.write('total', rowsOf([]))
  await load.write('page', rowsOf([odd]))
  await load.write('query', rowsOf([odd]))
  await load.write('query_page', [
    // One loses most, one a little, one gains.
    ...rowsOf(['lamp', odd]).map((row) => ({ ...row, clicks: row.clicks - 6, impressions: 300 })),
    ...rowsOf(['<b>lamps</b>', odd]).map((row) => ({ ...row, clicks: row.clicks > 40 ? 5 : 2, impressions: 100 })),
    ...rowsOf(['lights', odd]).map((row) => ({ ...row, clicks: row.clicks > 40 ? 1 : 2, impressions: 100 })),
    ...rowsOf([odd, 'https://report.example/other']),
  ])
  await load.publish(new Map((['total', 'page', 'query', 'query_page'] as const).map((grain) => [grain, days])))
}

/** The alert that a rule opens now. */
async function opened(rule: NewCondition): Promise<{ found: Alert; rule: AlertCondition }> {
  // Two rules that find the same thing would make one alert.
  for (const { id } of await alerts.conditions.list(site)) await alerts.conditions.remove('u', id)
  const made = await alerts.conditions.create(site, rule)
  expect(await alerts.evaluate('u', site)).toEqual({ count: 1, leftOut: 0 })
  const found = (await listed()).find(({ conditionId }) => conditionId === made.id)
  if (!found) throw new Error('The rule has found nothing')
  return { found, rule: made }
}
const listed = (): Promise<Alert[]> => alerts.list('u', { propertyId: null, state: 'all', limit: 100, offset: 0 })
const report = async (id: string): Promise<AlertReport> => alertReport.parse(await alerts.report('u', id))

const page: NewCondition = { type: 'clicks', title: 'Clicks drop', monitor: 'pages', targets: [odd] }

describe("the chart has both compared periods, which add up to the list's figures", () => {
  type Window = NonNullable<Alert['current']>
  const within = (series: AlertReport['series'], { start, end }: Window) => series.filter(({ date }) => date >= start && date <= end)
  const sum = (days: AlertReport['series']) => days.reduce((all, { value }) => all + (value ?? Number.NaN), 0)

  test.each([
    ['previous_7_days', 7, 1],
    ...inFull([
      ['previous_30_days', 30, 7 / 30],
      ['same_period_last_year', 7, 1],
    ]),
  ] as const)('%s', async (comparison, days, scale) => {
    const { found } = await opened({ ...page, comparison })
    const { series, previousSeries, timeline, contributors, deliveries, viewedAt, ...rest } = await report(found.id)
    expect(alert.parse(rest)).toEqual(found)
    const current = within(series, found.current!)
    const isLastYear = comparison === 'same_period_last_year'
    const previous = within(isLastYear ? previousSeries : series, found.previous!)
    expect([current.length, previous.length]).toEqual([7, days])
    expect([...current, ...previous].every(({ complete }) => complete)).toBe(true)
    expect(sum(current)).toBe(found.currentValue)
    expect(sum(previous) * scale).toBeCloseTo(found.previousValue ?? 0, 9)
    expect([deliveries, viewedAt]).toEqual([[], null])
    expect(contributors.map(({ entity }) => entity.name)).toEqual(['lamp', '<b>lamps</b>'])
    expect(timeline).toEqual([{ at: now.at.toISOString(), from: null, to: 'firing', reason: 'condition_met', by: null }])

    // Last year lines up with these days one by one: the same number of days, with the same weekdays.
    expect(previousSeries.map(({ date }) => date)).toEqual(isLastYear ? series.map(({ date }) => addDays(date, -364)) : [])
    // A readable line: two months, not a year.
    expect(series.length).toBe(49 + 7 + 3)
  })
})

describe('a report', () => {
  test('distinguishes unfinished days from complete ones, and unknown days from days with zero', async () => {
    const { found } = await opened(page)
    const { series } = await report(found.id)
    expect(series.slice(-4)).toEqual([
      { date: through, value: 10, complete: true },
      { date: addDays(through, 1), value: 10, complete: false },
      { date: addDays(through, 2), value: 10, complete: false },
      // The day it was opened.
      { date: '2026-03-18', value: null, complete: false },
    ])
  })

  test('on CTR and position has no figure for a day without impressions', async () => {
    await store('2026-02-10', '2026-02-10', () => null)
    const { found } = await opened({ type: 'position', title: 'Position drop', monitor: 'site' })
    const { series } = await report(found.id)
    expect(series.find(({ date }) => date === '2026-02-10')).toEqual({ date: '2026-02-10', value: null, complete: true })
    expect(series.find(({ date }) => date === '2026-02-11')).toEqual({ date: '2026-02-11', value: 3, complete: true })
    await store('2026-02-10', '2026-02-10', () => 50)
  })

  test("says which queries account for a page's loss, and which pages for a query's, in the same metric", async () => {
    const { found } = await opened(page)
    expect((await report(found.id)).contributors).toEqual([
      { entity: { kind: 'query', name: 'lamp' }, previousValue: 308, currentValue: 28, change: expect.closeTo(-90.9, 1) },
      { entity: { kind: 'query', name: '<b>lamps</b>' }, previousValue: 35, currentValue: 14, change: -60 },
    ])

    const query = await opened({ type: 'position', title: 'Position drop', monitor: 'queries', targets: [odd] })
    const { contributors } = await report(query.found.id)
    expect(contributors).toMatchObject([{ entity: { kind: 'page', name: 'https://report.example/other' }, change: 4 }])
    expect(contributors[0]?.currentValue).toBeCloseTo(query.found.currentValue ?? 0, 9)
  })

  test('says what else a lost ranking lost', { tags: ['full'] }, async () => {
    await store(addDays(through, -6), through, () => null)
    const { found } = await opened({ type: 'position', kind: 'lost_query', monitor: 'queries', targets: [odd] })
    expect(found).toMatchObject({ previousValue: 3, currentValue: null, change: null })
    expect((await report(found.id)).contributors).toEqual([
      { entity: { kind: 'page', name: 'https://report.example/other' }, previousValue: 3, currentValue: null, change: null },
    ])
    await store(addDays(through, -6), through, () => 10)
  })

  test('leaves names unchanged, and nothing in them is markup', { tags: ['full'] }, async () => {
    const { found } = await opened(page)
    const { entity, title, description, series } = await report(found.id)
    expect(entity).toEqual({ kind: 'page', name: odd })
    expect(title).toBe(`Clicks dropped: ${odd}`)
    expect(description).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(description.replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>]/)
    expect(series.find(({ date }) => date === through)?.value).toBe(10)
  })

  test('stays readable when its rule is deleted', { tags: ['full'] }, async () => {
    const { found, rule } = await opened(page)
    const before = await report(found.id)
    await alerts.conditions.remove('u', rule.id)
    const after = await report(found.id)
    expect(after).toMatchObject({ state: 'recovered', conditionId: null, title: before.title, current: before.current })
    expect(after.series).toEqual(before.series)
    expect(after.timeline.at(-1)).toMatchObject({ from: 'firing', to: 'recovered', reason: 'rule_deleted', by: 'Ursula' })
  })

  test('says when it was viewed and who changed it, and continues with the following days', async () => {
    const { found } = await opened(page)
    now.at = new Date('2026-03-19T07:30:00Z')
    await alerts.view('u', [found.id])
    await alerts.acknowledgeAll('u', [found.id])
    now.at = new Date('2026-03-25T20:00:00Z')
    // The page is gone, and so are its rows: that counts as zero, on known days.
    await store(addDays(through, 1), '2026-03-24', (date) => (date <= '2026-03-18' ? 10 : null))
    await sql`UPDATE property_syncs SET complete_through = '2026-03-22' WHERE property_id = ${site.id}`.execute(stores.db)
    const seen = await report(found.id)
    expect(seen).toMatchObject({ viewed: true, viewedAt: '2026-03-19T07:30:00.000Z', state: 'acknowledged' })
    expect(seen.timeline.at(-1)).toMatchObject({ from: 'firing', to: 'acknowledged', reason: 'acknowledged', by: 'Ursula' })
    expect(seen.series.slice(-4)).toEqual([
      { date: '2026-03-21', value: 0, complete: true },
      { date: '2026-03-22', value: 0, complete: true },
      { date: '2026-03-23', value: 0, complete: false },
      { date: '2026-03-24', value: 0, complete: false },
    ])
  })

  test('on an ongoing alert covers its opening as well as the latest week, at most half a year', { tags: ['full'] }, async () => {
    const { found } = await opened({ ...page, comparison: 'same_period_last_year' })
    const figures = (end: string) =>
      JSON.stringify({
        previous: 350,
        current: 70,
        change: -80,
        windows: {
          current: { start: addDays(end, -6), end },
          base: { start: addDays(end, -370), end: addDays(end, -364) },
          scale: 1,
        },
      })
    const openedAs = (end: string) =>
      sql`UPDATE alerts SET opening = ${figures(end)}, opened_at = ${`${end}T20:00:00Z`} WHERE id = ${found.id}`
    await openedAs(addDays(through, -90)).execute(stores.db)
    const { series, current } = await report(found.id)
    expect(series[0]?.date).toBe(addDays(through, -90 - 6 - 14))
    await openedAs(addDays(through, -400)).execute(stores.db)
    const longer = (await report(found.id)).series
    expect(daysBetween(longer[0]?.date ?? '', current?.start ?? '')).toBe(182 + 1)
    // However late it is viewed, it ends some weeks after what it is about.
    expect(longer.length).toBeLessThanOrEqual(182 + 7 + 28)
  })

  test('with a short history starts with the first known day, but covers both compared periods', { tags: ['full'] }, async () => {
    const { found: week } = await opened({ ...page, title: 'Week', comparison: 'previous_7_days' })
    const { found: month } = await opened({ ...page, title: 'Month', comparison: 'previous_30_days' })
    const known = addDays(week.current?.end ?? '', -20)
    await stores.clickhouse.command({
      query: `ALTER TABLE facts_current DELETE WHERE property = ${site.id} AND date < '${known}' SETTINGS mutations_sync = 1`,
    })
    expect((await report(week.id)).series[0]).toMatchObject({ date: known, complete: true })
    expect((await report(month.id)).series[0]).toEqual({ date: month.previous?.start, value: null, complete: false })
  })

  test('is only accessible to its owner', async () => {
    const [own] = await listed()
    await expect(alerts.report('v', own?.id ?? '')).rejects.toMatchObject({ status: 404 })
    await expect(alerts.report('u', '999999999')).rejects.toMatchObject({ status: 404 })
  })
})
