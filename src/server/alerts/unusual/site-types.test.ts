import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JudgedSites, openJudgedSites } from '../../../../test/support/judged-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import type { SearchType } from '../../../contract/common.ts'
import { addDays, dayNumber } from '../../../core/analytics/days.ts'

// The rule about what is unusual for the whole site, for search types other than web, on the real stores.

const through = '2026-03-15'
const oldest = addDays(through, -300)
const lostFrom = addDays(through, -6)
let judged: JudgedSites
let count = 0
beforeAll(async () => void (judged = await openJudgedSites('2026-03-18T20:00:00Z')))
afterAll(() => judged.close())

const unusual = (searchType: SearchType, metric: 'clicks' | 'impressions' = 'clicks'): NewCondition => ({
  type: metric,
  kind: 'unusual',
  title: `Unusual ${metric}`,
  monitor: 'site',
  searchType,
})
const usual = (date: string): number => 1_000 + ((dayNumber(date) * 37) % 60)
/** Each search type's share of its usual clicks in the last week. */
async function site(rules: readonly NewCondition[], shares: Partial<Record<SearchType, number>>) {
  const made = await judged.property(`https://site-types-${++count}.example/`, { through, rules })
  for (const [type, share = 1] of Object.entries({ web: 1, ...shares }) as [SearchType, number][]) {
    await made.store(oldest, through, (date) => [{ page: '/', clicks: Math.round(usual(date) * (date >= lostFrom ? share : 1)) }], type)
    if (type !== 'web') await made.fetched(type, oldest, through)
  }
  await made.backfilled(oldest, oldest)
  return made
}
const kept = async ({ id }: { id: number }) =>
  (
    await sql<{ of: string }>`SELECT search_type || ' ' || metric AS "of" FROM site_baselines WHERE property_id = ${id} ORDER BY 1`.execute(
      judged.stores.db,
    )
  ).rows.map(({ of }) => of)

test('a site that loses 60% in Discover gets one alert about Discover, with what was expected and how rare that is', async () => {
  const one = await site([unusual('discover'), unusual('web')], { discover: 0.4 })
  await judged.alerts.runDue()
  const [alert, ...others] = await one.list()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ searchType: 'discover', entity: { kind: 'site' }, severity: 'critical', state: 'firing' })
  expect(alert!.title).toMatch(/Discover/)
  const { start, end } = alert!.current!
  const days = dayNumber(end) - dayNumber(start) + 1
  expect(alert!.previousValue! / days).toBeGreaterThan(950)
  expect(alert!.previousValue! / days).toBeLessThan(1_100)
  expect(alert!.unusual?.months).toBeGreaterThan(12)

  const report = await judged.alerts.report('u', alert!.id)
  expect(report.firstDay).toBe(lostFrom)
  const inBand = report.series.filter(({ date, value }) => {
    const day = report.expectation?.days.find((each) => each.date === date)
    return day && value !== null && day.low <= value && value <= day.high
  })
  expect(inBand.length).toBeGreaterThan(20)
  expect(inBand.every(({ date }) => date < lostFrom)).toBe(true)
  const tried = await judged.alerts.backtest('u', one, unusual('discover'))
  expect(tried.days).toMatchObject([{ alerts: 1, entities: [one.name] }])
  expect(tried.expected?.value).toBeGreaterThan(2_000)
  expect((await judged.alerts.backtest('u', one, unusual('web'))).days).toEqual([])
  expect(await kept(one)).toEqual(['discover clicks', 'web clicks'])
})
