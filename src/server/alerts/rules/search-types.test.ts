import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluatedSite, type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import type { SearchType } from '../../../contract/common.ts'
import { exploreEndpoints } from '../../../contract/explore/explore.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { createAnalyticsService } from '../../analytics/service.ts'
import { createEventBus } from '../../common/events.ts'

// Rules about search types other than web, on the real stores without the rest of the server.

const through = '2026-03-15'
const first = addDays(through, -100)
const isLastWeek = (date: string): boolean => date > addDays(through, -7)
let evaluated: EvaluatedSites
let count = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

const pages = ['/a', '/b']
/** Each page's clicks on a day, halved in the last week if it falls. */
const clicksOf = (falls: boolean) => (date: string) => pages.map((page) => ({ page, clicks: isLastWeek(date) && falls ? 100 : 200 }))

/** A site with web search and another type, each of which may lose half of its clicks in the last week. */
async function site(rules: readonly NewCondition[], { web = false, other = true, type = 'discover' as SearchType, final = through } = {}) {
  const made = await evaluated.property(`https://types-${++count}.example/`, { through, rules })
  await made.store(first, through, clicksOf(web))
  await made.backfilled(first, first)
  await made.store(first, final, clicksOf(other), type)
  await made.fetched(type, first, final)
  return made
}
const falling = { type: 'clicks', title: 'Falls', threshold: 20, searchType: 'discover' } as const
const titles = async (of: EvaluatedSite) => (await of.list()).map(({ title }) => title).toSorted()

test('a rule about the whole site in Discover looks at its clicks, and leaves web search alone', async () => {
  const one = await site([{ ...falling, monitor: 'site' }])
  await evaluated.alerts.runDue()
  const [alert, ...others] = await one.list()
  expect(others).toEqual([])
  expect(alert).toMatchObject({
    title: 'Clicks dropped across the site in Discover',
    searchType: 'discover',
    entity: { kind: 'site' },
    currentValue: 1400,
    previousValue: 2800,
    data: [...Array(21).fill(400), ...Array(7).fill(200)],
  })
  expect(alert!.description).toMatch(/^Clicks in Discover fell from 2,800 to 1,400/)
  const report = await evaluated.alerts.report('u', alert!.id)
  expect(report.series.find(({ date }) => date === through)).toMatchObject({ value: 200, complete: true })
  expect(report.contributors.map(({ entity }) => entity.name).toSorted()).toEqual(pages)
  const tried = await evaluated.alerts.backtest('u', one, { ...falling, monitor: 'site' })
  expect(tried.days.at(-1)).toMatchObject({ alerts: 1, entities: [one.name] })
})

test.each<[SearchType, NewCondition]>([
  ['discover', { type: 'clicks', monitor: 'site' }],
  ...inFull<[SearchType, NewCondition]>([
    ['discover', { type: 'ctr', monitor: 'site', direction: 'both', threshold: 1 }],
    ['image', { type: 'impressions', monitor: 'top_queries' }],
    ['googleNews', { type: 'clicks', kind: 'unusual', monitor: 'all_pages' }],
  ]),
])('the figures of an alert are those of the explorer, in %s for %o', async (type, rule) => {
  const one = await evaluated.property(`https://types-${++count}.example/`, {
    through,
    rules: [{ ...rule, title: 'One', searchType: type }],
  })
  await one.store(first, through, clicksOf(false))
  await one.backfilled(first, first)
  const odd = (date: string) => [
    { page: '/a', clicks: isLastWeek(date) ? 31 : 203, impressions: 4_001 },
    { page: '/b', clicks: 207, impressions: isLastWeek(date) ? 2_009 : 9_011 },
  ]
  await one.store(first, through, odd, type)
  await one.fetched(type, first, through)
  await evaluated.alerts.runDue()
  const [alert] = await one.list()
  const { db, facts } = evaluated.stores
  const { explore } = createAnalyticsService({ db, facts, events: createEventBus(), clock: { now: () => evaluated.clock.at } })
  const by = alert!.entity.kind === 'site' ? 'date' : (alert!.entity.kind as 'page' | 'query')
  const explored = async ({ start, end }: { start: string; end: string }) => {
    const query = exploreEndpoints.read.query.parse({ range: `${start}_${end}`, compare: 'none', type, by })
    const found = await explore.read({ ...one, completeThrough: through }, query)
    return by === 'date' ? found!.totals : found!.rows.find(({ name }) => name === alert!.entity.name)
  }
  // The expected value isn't the figure of any actual days.
  const compared = [
    { days: alert!.current!, value: alert!.currentValue! },
    ...(alert!.unusual ? [] : [{ days: alert!.previous!, value: alert!.previousValue! }]),
  ]
  for (const { days, value } of compared) expect((await explored(days))?.[rule.type]).toBeCloseTo(value, 9)
})

test('web search alone opens nothing for it', async () => {
  const one = await site(
    [
      { ...falling, monitor: 'site' },
      { ...falling, monitor: 'top_pages' },
    ],
    { web: true, other: false },
  )
  await evaluated.alerts.runDue()
  expect(await titles(one)).toEqual([])
})

test.each<[SearchType, NewCondition, readonly unknown[]]>([
  ['discover', { type: 'clicks', kind: 'unusual', monitor: 'all_pages' }, ['/a', '/b']],
  ...inFull<[SearchType, NewCondition, readonly unknown[]]>([
    ['discover', { type: 'impressions', monitor: 'pages', targets: ['/b'] }, ['/b']],
    ['googleNews', { type: 'clicks', monitor: 'top_pages' }, ['/a', '/b']],
    ['image', { type: 'clicks', kind: 'unusual', monitor: 'all_queries' }, ['/a', '/b']],
    ['video', { type: 'impressions', monitor: 'queries', targets: ['/a'] }, ['/a']],
    ['news', { type: 'clicks', monitor: 'top_queries' }, ['/a', '/b']],
  ]),
])('in %s: %o', async (type, rule, found) => {
  const given = { ...rule, title: 'One', searchType: type }
  const one = await site([given, { ...rule, title: 'Web' }], { type })
  await evaluated.alerts.runDue()
  const list = await one.list()
  expect(list.map((alert) => [alert.searchType, alert.entity.name]).toSorted()).toEqual(found.map((name) => [type, name]))
  const report = await evaluated.alerts.report('u', list[0]!.id)
  expect(report.series.find(({ date }) => date === through)?.value).toBe(report.type === 'clicks' ? 100 : 1000)
  expect((await evaluated.alerts.backtest('u', one, given)).days.at(-1)).toMatchObject({ alerts: found.length })
})

test.each<[NewCondition, NewCondition]>([
  [
    { type: 'position', kind: 'unusual', monitor: 'all_queries' },
    { type: 'ctr', kind: 'unusual', monitor: 'top_queries' },
  ],
  ...inFull<[NewCondition, NewCondition]>([
    [
      { type: 'position', kind: 'new_page' },
      { type: 'position', kind: 'lost_query', monitor: 'site' },
    ],
    [
      { type: 'position', kind: 'new_query' },
      { type: 'impressions', monitor: 'new_content' },
    ],
  ]),
])('%o and %o can be about image search, and be evaluated and tried', async (...given) => {
  const rules = given.map((rule) => ({ ...rule, title: 'One', searchType: 'image' }) as const)
  const one = await site(rules, { type: 'image' })
  await evaluated.alerts.runDue()
  expect((await evaluated.alerts.conditions.list(one)).map(({ problem }) => problem)).toEqual([null, null])
  for (const rule of rules) expect((await evaluated.alerts.backtest('u', one, rule)).through).toBe(through)
})

test('a search type and a segment together', { tags: ['full'] }, async () => {
  const { db } = evaluated.stores
  const [saved] = await db
    .insertInto('savedExplorations')
    .values({ userId: 'u', kind: 'segment', name: 'Blog', content: 'page is /a', createdAt: new Date() })
    .returning('id')
    .execute()
  const segment = String(saved!.id)
  const one = await site([
    { ...falling, monitor: 'site', segment },
    { ...falling, monitor: 'top_pages', segment },
  ])
  await evaluated.alerts.runDue()
  expect(await titles(one)).toEqual(['Clicks dropped in Discover, segment “Blog”', 'Clicks dropped in Discover, segment “Blog”: /a'])
  for (const alert of await one.list()) expect(alert).toMatchObject({ currentValue: 700, segment: 'Blog', searchType: 'discover' })
})

test('a segment of queries is refused for Discover, with advice on what to choose instead', async () => {
  const { db } = evaluated.stores
  const [saved] = await db
    .insertInto('savedExplorations')
    .values({ userId: 'u', kind: 'segment', name: 'Brand', content: 'query is lamp', createdAt: new Date() })
    .returning('id')
    .execute()
  const limited = { ...falling, monitor: 'top_pages', segment: String(saved!.id) } as const
  const one = await evaluated.property(`https://types-${++count}.example/`, { through })
  const refusal = { status: 400, field: 'segment', message: 'Discover has no data for keywords. Choose another segment or search type.' }
  await expect(evaluated.alerts.conditions.create(one, limited)).rejects.toMatchObject(refusal)
  const made = await evaluated.alerts.conditions.create(one, { ...limited, searchType: 'image' })
  await expect(evaluated.alerts.conditions.change('u', made.id, { searchType: 'discover' })).rejects.toMatchObject(refusal)
})

test('alerts of different search types stay apart', async () => {
  const rules = (['web', 'discover'] as const).flatMap((searchType): NewCondition[] => [
    { ...falling, searchType, monitor: 'top_pages' },
    { ...falling, searchType, monitor: 'site' },
  ])
  const one = await site(rules, { web: true })
  await evaluated.alerts.runDue()
  // Each whole site covers its own pages, and neither covers the other.
  expect(await titles(one)).toEqual(['Clicks dropped across the site', 'Clicks dropped across the site in Discover'])

  const separate = await site([rules[0]!, rules[3]!], { web: true })
  await evaluated.alerts.runDue()
  expect(await titles(separate)).toEqual(['Clicks dropped across the site in Discover', 'Clicks dropped: /a', 'Clicks dropped: /b'])
  const pagesOnly = await site([rules[0]!, rules[2]!], { web: true })
  await evaluated.alerts.runDue()
  expect(await titles(pagesOnly)).toEqual([
    'Clicks dropped in Discover: /a',
    'Clicks dropped in Discover: /b',
    'Clicks dropped: /a',
    'Clicks dropped: /b',
  ])
})

test('a change of the whole site in Discover that is over explains nothing in web search', { tags: ['full'] }, async () => {
  const one = await site([{ ...falling, monitor: 'site' }])
  await evaluated.alerts.runDue()
  const [alert] = await one.list()
  await evaluated.alerts.conditions.create(one, { ...falling, searchType: 'web', monitor: 'top_pages' })
  const next = addDays(through, 1)
  await one.store(next, next, () => pages.map((page) => ({ page, clicks: 900 })), 'discover')
  await one.store(addDays(through, -6), next, () => pages.map((page) => ({ page, clicks: 110 })))
  await evaluated.stores.db.updateTable('propertySyncs').set({ completeThrough: next }).where('propertyId', '=', one.id).execute()
  await one.fetched('discover', first, next)
  await evaluated.alerts.runDue()
  expect((await one.list()).map(({ title, state }) => [title, state]).toSorted()).toEqual([
    [alert!.title, 'recovered'],
    ['Clicks dropped: /a', 'firing'],
    ['Clicks dropped: /b', 'firing'],
  ])
})

test('waits for days of its search type, and is evaluated once they arrive', async () => {
  const one = await evaluated.property(`https://types-${++count}.example/`, { through, rules: [{ ...falling, monitor: 'site' }] })
  await one.store(first, through, clicksOf(true))
  await one.backfilled(first, first)
  await evaluated.alerts.runDue()
  expect(await one.list()).toEqual([])

  // Fetched up to today, but final a day earlier than web search: what isn't final isn't evaluated.
  await one.store(first, through, (date) => pages.map((page) => ({ page, clicks: date === through ? 1 : 200 })), 'discover')
  await one.fetched('discover', first, addDays(through, -1))
  await evaluated.alerts.runDue()
  expect(await one.list()).toEqual([])
  const tried = await evaluated.alerts.backtest('u', one, { ...falling, monitor: 'site' })
  expect([tried.through, tried.days]).toEqual([addDays(through, -1), []])

  await one.store(addDays(through, -6), through, clicksOf(true), 'discover')
  await one.fetched('discover', first, addDays(through, -1))
  await evaluated.alerts.runDue()
  const current = { start: addDays(through, -7), end: addDays(through, -1) }
  expect(await one.list()).toMatchObject([{ current, currentValue: 400 + 6 * 200 }])
  await one.fetched('discover', first, through)
  await evaluated.alerts.runDue()
  expect(await one.list()).toMatchObject([{ current: { start: addDays(through, -6), end: through }, currentValue: 1400, state: 'firing' }])
})

test('changing the search type of a rule ends its earlier alerts', { tags: ['full'] }, async () => {
  const one = await site([{ ...falling, monitor: 'site' }])
  await evaluated.alerts.runDue()
  const [alert] = await one.list()
  await evaluated.alerts.conditions.change('u', one.rules[0]!.id, { searchType: 'web' })
  await evaluated.alerts.runDue()
  expect(await one.list()).toMatchObject([{ id: alert!.id, state: 'recovered', searchType: 'discover' }])
  // Back again, it finds the same thing at once.
  await evaluated.alerts.conditions.change('u', one.rules[0]!.id, { searchType: 'discover' })
  await evaluated.alerts.runDue()
  expect((await one.list()).map(({ state }) => state).toSorted()).toEqual(['firing', 'recovered'])
  expect((await evaluated.alerts.report('u', alert!.id)).timeline.at(-1)).toMatchObject({ reason: 'rule_changed' })
})

test('the same drop in another search type is another alert, opened as the first one ends', { tags: ['full'] }, async () => {
  const one = await site([{ ...falling, monitor: 'site' }], { web: true })
  await evaluated.alerts.runDue()
  await evaluated.alerts.conditions.change('u', one.rules[0]!.id, { searchType: 'web' })
  await evaluated.alerts.runDue()
  expect((await one.list()).map(({ searchType = 'web', state }) => `${searchType} ${state}`).toSorted()).toEqual([
    'discover recovered',
    'web firing',
  ])
})

test('a copy of a rule is about the same search type', async () => {
  const one = await site([{ ...falling, monitor: 'site' }])
  expect(await evaluated.alerts.conditions.duplicate('u', one.rules[0]!.id)).toMatchObject({ searchType: 'discover' })
})

test('days that Google counted differently in Discover say nothing about Discover', { tags: ['full'] }, async () => {
  const [ended, step] = ['2026-06-30', '2026-06-24']
  evaluated.clock.at = new Date(`${addDays(ended, 3)}T20:00:00Z`)
  const one = await evaluated.property(`https://types-${++count}.example/`, {
    through: ended,
    rules: [
      { ...falling, monitor: 'site' },
      { ...falling, searchType: 'web', monitor: 'site' },
    ],
  })
  const days = (date: string) => [{ page: '/a', clicks: date === step ? 10 : date > step ? 500 : 1000 }]
  for (const type of ['web', 'discover'] as const) await one.store(addDays(ended, -60), ended, days, type)
  await one.backfilled(addDays(ended, -60), addDays(ended, -60))
  await one.fetched('discover', addDays(ended, -60), ended)
  await evaluated.alerts.runDue()
  expect(await titles(one)).toEqual(['Clicks dropped across the site'])
})

test(
  'an alert in Discover lists days shortly before it that Google didn’t fully log there; one in image search doesn’t',
  { tags: ['full'] },
  async () => {
    const ended = '2026-05-16'
    evaluated.clock.at = new Date(`${addDays(ended, 3)}T20:00:00Z`)
    const types = ['discover', 'image'] as const
    const rules = types.map(
      (searchType) => ({ type: 'clicks', kind: 'unusual', title: searchType, monitor: 'all_pages', searchType }) as const,
    )
    const one = await evaluated.property(`https://types-${++count}.example/`, { through: ended, rules })
    for (const type of types) {
      await one.store(addDays(ended, -100), ended, (date) => [{ page: '/a', clicks: date > addDays(ended, -7) ? 100 : 200 }], type)
      await one.fetched(type, addDays(ended, -100), ended)
    }
    await evaluated.alerts.runDue()
    const found = await Promise.all(
      (await one.list()).map(async ({ id, searchType }) => {
        const { coincidences = [] } = await evaluated.alerts.report('u', id)
        return [searchType, coincidences.flatMap(({ kind, title }) => (kind === 'measurement' ? [title] : []))] as const
      }),
    )
    expect(Object.fromEntries(found)).toEqual({ discover: ['Discover: clicks and impressions not fully logged'], image: [] })
  },
)

const typed = (type: SearchType, rule: Partial<NewCondition>) =>
  ({ type: 'clicks', title: 'One', ...rule, searchType: type }) as NewCondition
test.each<[NewCondition, string]>([
  [
    typed('discover', { type: 'position', monitor: 'top_pages' }),
    'Discover has no position data. Choose a rule about clicks, impressions or CTR, or another search type.',
  ],
  [
    typed('googleNews', { type: 'position', kind: 'new_page', monitor: 'site' }),
    'Google News has no position data. Choose a rule about clicks, impressions or CTR, or another search type.',
  ],
  [
    typed('discover', { type: 'ctr', monitor: 'top_queries' }),
    'Discover has no data for keywords. Monitor pages or the whole site, or choose another search type.',
  ],
  [
    typed('discover', { kind: 'unusual', monitor: 'all_queries' }),
    'Discover has no data for keywords. Monitor all pages or the whole site, or choose another search type.',
  ],
  [
    typed('googleNews', { type: 'ctr', kind: 'unusual', monitor: 'top_queries' }),
    'Google News has no data for keywords. Choose unusual clicks or impressions, or choose another search type.',
  ],
])('refuses %o', async (rule, message) => {
  const one = await evaluated.property(`https://types-${++count}.example/`, { through })
  const refusal = { status: 400, message, field: 'searchType' }
  await expect(evaluated.alerts.conditions.create(one, rule)).rejects.toMatchObject(refusal)
  await expect(evaluated.alerts.backtest('u', one, rule)).rejects.toMatchObject(refusal)
  const { searchType, ...web } = rule
  const made = await evaluated.alerts.conditions.create(one, web)
  await expect(evaluated.alerts.conditions.change('u', made.id, { searchType })).rejects.toMatchObject(refusal)
})
