import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import type { SearchType } from '../../../contract/common.ts'
import { addDays, dayNumber } from '../../../core/analytics/days.ts'
import { createBaselines } from './baselines.ts'

// The rule about what is unusual for the whole site, for search types other than web, on the real stores.

const through = '2026-03-15'
const oldest = addDays(through, -300)
const lostFrom = addDays(through, -6)
let evaluated: EvaluatedSites
let count = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

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
  const made = await evaluated.property(`https://site-types-${++count}.example/`, { through, rules })
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
      evaluated.stores.db,
    )
  ).rows.map(({ of }) => of)

test('a site that loses 60% in Discover gets one alert about Discover, with what was expected and how rare that is', async () => {
  const one = await site([unusual('discover'), unusual('web')], { discover: 0.4 })
  await evaluated.alerts.runDue()
  const [alert, ...others] = await one.list()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ searchType: 'discover', entity: { kind: 'site' }, severity: 'critical', state: 'firing' })
  expect(alert!.title).toMatch(/Discover/)
  const { start, end } = alert!.current!
  const days = dayNumber(end) - dayNumber(start) + 1
  expect(alert!.previousValue! / days).toBeGreaterThan(950)
  expect(alert!.previousValue! / days).toBeLessThan(1_100)
  expect(alert!.unusual?.months).toBeGreaterThan(12)

  const report = await evaluated.alerts.report('u', alert!.id)
  expect(report.firstDay).toBe(lostFrom)
  const inBand = report.series.filter(({ date, value }) => {
    const day = report.expectation?.days.find((each) => each.date === date)
    return day && value !== null && day.low <= value && value <= day.high
  })
  expect(inBand.length).toBeGreaterThan(20)
  expect(inBand.every(({ date }) => date < lostFrom)).toBe(true)
  const tried = await evaluated.alerts.backtest('u', one, unusual('discover'))
  expect(tried.days).toMatchObject([{ alerts: 1, entities: [one.name] }])
  expect(tried.expected?.value).toBeGreaterThan(2_000)
  expect((await evaluated.alerts.backtest('u', one, unusual('web'))).days).toEqual([])
  expect(await kept(one)).toEqual(['discover clicks', 'web clicks'])
})

test('image, video, news and Google News have their own usual level, by clicks or impressions', { tags: ['full'] }, async () => {
  const rules = [unusual('image'), unusual('video', 'impressions'), unusual('news'), unusual('googleNews', 'impressions')]
  const one = await site(rules, { image: 0.3, video: 3, news: 1, googleNews: 0.3 })
  await evaluated.alerts.runDue()
  expect((await one.list()).map(({ title, severity }) => [title, severity]).toSorted()).toEqual([
    ['Clicks unusually low across the site in image search', 'critical'],
    ['Impressions unusually high across the site in video search', 'positive'],
    ['Impressions unusually low across the site in Google News', 'critical'],
  ])
  // Google never counted video search differently, so all of its past tells what to expect.
  const { id } = (await one.list()).find(({ searchType }) => searchType === 'video')!
  const { expectation, series } = await evaluated.alerts.report('u', id)
  expect(expectation?.days.length).toBe(series.length)
  expect(expectation?.firstDay).toBe(lostFrom)
})

test('a day that isn’t final in Discover yet isn’t evaluated, though web search has it', { tags: ['full'] }, async () => {
  const one = await site([unusual('discover')], {})
  const final = addDays(through, -1)
  await one.store(oldest, through, (date) => [{ page: '/', clicks: date === through ? 3 : usual(date) }], 'discover')
  await one.fetched('discover', oldest, final)
  await evaluated.alerts.runDue()
  expect(await one.list()).toEqual([])
  expect(await evaluated.alerts.backtest('u', one, unusual('discover'))).toMatchObject({ through: final, days: [] })
  await one.fetched('discover', oldest, through)
  await evaluated.alerts.runDue()
  expect(await one.list()).toMatchObject([{ current: { end: through }, severity: 'critical' }])
})

test('ratings in Discover say nothing about web search, and vice versa', { tags: ['full'] }, async () => {
  const one = await site([unusual('discover'), unusual('web')], { discover: 0.4, web: 0.4 })
  await evaluated.alerts.runDue()
  const list = await one.list()
  expect(list.map(({ searchType = 'web' }) => searchType).toSorted()).toEqual(['discover', 'web'])
  const rate = async (type: SearchType, verdict: 'useful' | null) => {
    const { id } = list.find(({ searchType = 'web' }) => searchType === type)!
    await evaluated.alerts.rate({ userId: 'u', id: Number(id) }, verdict, 'app')
    return [...(await createBaselines(evaluated.stores.db).confirmed([one.id])).keys()]
  }
  expect(await rate('discover', 'useful')).toEqual([`${one.id} discover clicks`])
  await rate('discover', null)
  expect(await rate('web', 'useful')).toEqual([`${one.id} web clicks`])
})

test('days on which Google counted one search type differently leave the history of the others alone', { tags: ['full'] }, async () => {
  const one = await site([], { discover: 1 })
  const firstDay = async (type: SearchType, metric: 'clicks' | 'impressions') =>
    (await evaluated.alerts.backtest('u', one, unusual(type, metric))).from!
  // Since 10 September 2025, impressions in web search are counted differently.
  expect((await firstDay('web', 'impressions')) > '2025-09-10').toBe(true)
  expect((await firstDay('discover', 'impressions')) < '2025-09-10').toBe(true)
  expect((await firstDay('web', 'clicks')) < '2025-09-10').toBe(true)
})

test('a site that Discover shows in bursts, with weeks of nothing in between, gets no alert about another burst or its end', async () => {
  const one = await evaluated.property(`https://site-types-${++count}.example/`, { through, rules: [unusual('discover')] })
  const since = addDays(through, -450)
  const ago = (date: string) => dayNumber(through) - dayNumber(date)
  /** Bursts of some days, some weeks apart; the last one ended in the last days. */
  const bursts = [6, 45, 71, 120, 141, 190, 236, 260, 300, 341, 390, 433]
  const clicks = (date: string) =>
    bursts.reduce((sum, first, i) => {
      const age = first - ago(date)
      return age < 0 ? sum : sum + Math.round((2_000 + ((i * 997) % 1_500)) * 0.45 ** age)
    }, 0)
  const shown = (date: string) => (clicks(date) === 0 ? [] : [{ page: '/', clicks: clicks(date) }])
  await one.store(since, through, shown, 'discover')
  await one.fetched('discover', since, through)
  await one.backfilled(since, since)
  await evaluated.alerts.runDue()
  expect(await one.list()).toEqual([])
  const { days } = await evaluated.alerts.backtest('u', one, unusual('discover'))
  expect(days.filter(({ date }) => date > addDays(through, -180))).toEqual([])
})

test('a day that Google didn’t fully log in Discover is no drop, and the days before it still count', { tags: ['full'] }, async () => {
  const [ended, notLogged] = ['2026-07-05', '2026-06-24']
  evaluated.clock.at = new Date(`${addDays(ended, 3)}T20:00:00Z`)
  const since = addDays(ended, -300)
  const one = await evaluated.property(`https://site-types-${++count}.example/`, { through: ended, rules: [unusual('discover')] })
  const factor = (date: string) => (date === notLogged ? 0.1 : date > addDays(ended, -7) ? 0.4 : 1)
  await one.store(since, ended, (date) => [{ page: '/', clicks: Math.round(usual(date) * factor(date)) }], 'discover')
  await one.fetched('discover', since, ended)
  await one.backfilled(since, since)
  await evaluated.alerts.runDue()
  const [alert, ...others] = await one.list()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ title: 'Clicks unusually low across the site in Discover', severity: 'critical' })
  expect(alert!.unusual?.months).toBeGreaterThan(12)
  const { expectation, firstDay } = await evaluated.alerts.report('u', alert!.id)
  expect(firstDay).toBe(addDays(ended, -6))
  expect(expectation!.days.length).toBeGreaterThan(30)
  expect((await evaluated.alerts.backtest('u', one, unusual('discover'))).days).toHaveLength(1)
})
