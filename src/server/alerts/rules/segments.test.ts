import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EvaluatedSite, type EvaluatedSites, openEvaluatedSites } from '../../../../test/support/evaluated-sites.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import type { NewCondition } from '../../../contract/alerts/conditions.ts'
import { addDays, eachDay } from '../../../core/analytics/days.ts'
import type { FactRow } from '../../facts/load.ts'

// Rules limited to a segment, on the real stores without the rest of the server.

const through = '2026-03-15'
const isLastWeek = (date: string): boolean => date > addDays(through, -7)
let evaluated: EvaluatedSites
let count = 0
beforeAll(async () => void (evaluated = await openEvaluatedSites('2026-03-18T20:00:00Z')))
afterAll(() => evaluated.close())

async function segment(content: string, owner = 'u'): Promise<string> {
  const { db } = evaluated.stores
  const [row] = await db
    .insertInto('savedExplorations')
    .values({ userId: owner, kind: 'segment', name: `Segment ${++count}`, content, createdAt: new Date() })
    .returning('id')
    .execute()
  return String(row!.id)
}

/** A site whose pages lose half of their clicks in the last week if `falls` says so. */
async function site(
  rules: (ids: readonly string[]) => readonly NewCondition[],
  contents: readonly string[],
  falls: (page: string) => boolean,
) {
  const ids = await Promise.all(contents.map((content) => segment(content)))
  const made = await evaluated.property(`https://site-${++count}.example/`, { through, rules: rules(ids) })
  await made.store(addDays(through, -100), through, (date) =>
    ['/blog/a', '/blog/b', '/shop/a'].map((page) => ({ page, clicks: isLastWeek(date) && falls(page) ? 100 : 200 })),
  )
  await made.backfilled(addDays(through, -100), addDays(through, -100))
  return { ...made, ids }
}
const title = (value: string) => ({ title: value })
const falling = { type: 'clicks', threshold: 20 } as const
const about = async (of: EvaluatedSite) =>
  (await of.list()).map(({ entity, segment: name }) => [entity.kind, entity.name, name !== undefined])

test('a rule about pages looks at the pages of its segment only, now and in the backtest', async () => {
  const one = await site(
    ([blog]) => [{ ...falling, ...title('Blog'), monitor: 'top_pages', segment: blog! }],
    ['page starts /blog/'],
    () => true,
  )
  await evaluated.alerts.runDue()
  expect((await about(one)).toSorted()).toEqual([
    ['page', '/blog/a', true],
    ['page', '/blog/b', true],
  ])
  const [alert] = await one.list()
  expect(alert).toMatchObject({ currentValue: 700, previousValue: 1400, data: [...Array(21).fill(200), ...Array(7).fill(100)] })
  expect(alert!.title).toMatch(/^Clicks dropped in segment “Segment \d+”: \/blog\/[ab]$/)
  expect(alert!.description).toMatch(/Clicks for <code>\/blog\/[ab]<\/code> in segment <code>Segment \d+<\/code> fell from 1,400 to 700/)
  const tried = await evaluated.alerts.backtest('u', one, { ...falling, monitor: 'top_pages', segment: one.ids[0]! })
  expect(tried.days.flatMap(({ entities }) => entities).filter((name) => !name.startsWith('/blog/'))).toEqual([])
  expect(tried.days.length).toBeGreaterThan(0)
})

test('a rule about the whole site looks at the sum of its segment, which keeps its name in an open alert', async () => {
  const one = await site(
    ([blog]) => [{ ...falling, ...title('Blog'), monitor: 'site', segment: blog! }],
    ['page starts /blog/'],
    (page) => page.startsWith('/blog/'),
  )
  await evaluated.alerts.runDue()
  const [alert, ...others] = await one.list()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ entity: { kind: 'segment', name: alert!.segment }, currentValue: 1400, previousValue: 2800 })
  expect(alert!.title).toBe(`Clicks dropped in segment “${alert!.segment}”`)
  const { series, contributors, breakdown } = await evaluated.alerts.report('u', alert!.id)
  expect(series.find(({ date }) => date === through)).toMatchObject({ value: 200 })
  expect(contributors.map(({ entity }) => entity.name).toSorted()).toEqual(['/blog/a', '/blog/b'])
  expect(breakdown).toBeUndefined()

  await evaluated.stores.db.updateTable('savedExplorations').set({ name: 'Renamed' }).where('id', '=', Number(one.ids[0])).execute()
  expect(await evaluated.alerts.evaluate('u', one)).toMatchObject({ count: 0 })
  expect(await one.list()).toMatchObject([{ id: alert!.id, state: 'firing', segment: alert!.segment }])
  expect(await evaluated.alerts.conditions.list(one)).toMatchObject([{ segmentName: 'Renamed' }])
})

test("a change in the rest of the site isn't a change in the segment", { tags: ['full'] }, async () => {
  const rules = (ids: readonly string[]): NewCondition[] => [
    { ...falling, ...title('Sum'), monitor: 'site', segment: ids[0]! },
    { ...falling, ...title('Pages'), monitor: 'top_pages', segment: ids[0]! },
    { type: 'clicks', kind: 'unusual', ...title('All'), monitor: 'all_pages', segment: ids[0]! },
  ]
  const one = await site(rules, ['page starts /blog/'], (page) => page === '/shop/a')
  await evaluated.alerts.runDue()
  expect(await about(one)).toEqual([])
})

test('a page limited to queries is evaluated by its clicks from those queries', { tags: ['full'] }, async () => {
  const [brand] = [await segment('query is lumen')]
  const one = await evaluated.property(`https://site-${++count}.example/`, { through })
  const days = eachDay(addDays(through, -100), through)
  const load = await evaluated.stores.facts.beginLoad(one.id, 'web')
  const row = (date: string, keys: string[], clicks: number): FactRow => ({ date, keys, clicks, impressions: clicks * 10, position: 3 })
  const lumen = (date: string) => (isLastWeek(date) ? 20 : 100)
  await load.write(
    'total',
    days.map((date) => row(date, [], 1_000)),
  )
  await load.write(
    'page',
    days.map((date) => row(date, ['/a'], 1_000)),
  )
  await load.write(
    'query',
    days.flatMap((date) => [row(date, ['lumen'], lumen(date)), row(date, ['lamp'], 1_000 - lumen(date))]),
  )
  await load.write(
    'query_page',
    days.flatMap((date) => [row(date, ['lumen', '/a'], lumen(date)), row(date, ['lamp', '/a'], 1_000 - lumen(date))]),
  )
  await load.publish(new Map((['total', 'page', 'query', 'query_page'] as const).map((grain) => [grain, days])))
  await one.backfilled(days[0]!, days[0]!)
  await evaluated.alerts.conditions.create(one, { ...falling, ...title('Brand'), monitor: 'top_pages', segment: brand! })
  await evaluated.alerts.conditions.create(one, { ...falling, ...title('All'), monitor: 'top_pages' })
  await evaluated.alerts.runDue()
  const list = await one.list()
  expect(list).toMatchObject([{ entity: { kind: 'page', name: '/a' }, currentValue: 140, previousValue: 700 }])
  const report = await evaluated.alerts.report('u', list[0]!.id)
  expect(report.series.find(({ date }) => date === through)).toMatchObject({ value: 20 })
  expect(report.contributors).toMatchObject([{ entity: { kind: 'query', name: 'lumen' }, currentValue: 140, previousValue: 700 }])
  expect(report.breakdown).toBeUndefined()
})

test.each<[NewCondition, NewCondition]>([
  [
    { type: 'clicks', kind: 'unusual', monitor: 'all_pages' },
    { type: 'impressions', kind: 'unusual', monitor: 'all_pages' },
  ],
  ...inFull<[NewCondition, NewCondition]>([
    [
      { type: 'position', kind: 'unusual', monitor: 'all_queries' },
      { type: 'ctr', kind: 'unusual', monitor: 'top_queries' },
    ],
    [
      { type: 'position', kind: 'new_page' },
      { type: 'position', kind: 'lost_query', monitor: 'site' },
    ],
    [
      { type: 'position', kind: 'new_query' },
      { type: 'impressions', monitor: 'new_content' },
    ],
    [
      { type: 'position', kind: 'lost_query' },
      { type: 'ctr', monitor: 'top_queries' },
    ],
  ]),
])('%o and %o can be limited to pages or to queries, and be evaluated and tried', async (...given) => {
  const rules = (ids: readonly string[]) => given.flatMap((rule) => ids.map((id) => ({ ...rule, title: 'One', segment: id })))
  const one = await site(rules, ['page matches ^/blog/', 'query starts /blog/', 'page contains blog\nquery not contains shop'], () => true)
  await evaluated.alerts.runDue()
  expect((await evaluated.alerts.conditions.list(one)).map(({ problem }) => problem)).toEqual(Array(6).fill(null))
  for (const rule of rules(one.ids)) {
    const { days } = await evaluated.alerts.backtest('u', one, rule)
    expect(days.flatMap(({ entities }) => entities).filter((name) => name.startsWith('/shop'))).toEqual([])
  }
  expect((await about(one)).filter(([, name]) => String(name).startsWith('/shop'))).toEqual([])
})

test('changing or removing the segment of a rule ends its earlier alerts', async () => {
  const one = await site(
    ([blog]) => [{ ...falling, ...title('Blog'), monitor: 'top_pages', segment: blog! }],
    ['page is /blog/a', 'page is /blog/b'],
    () => true,
  )
  await evaluated.alerts.runDue()
  const [first] = await one.list()
  await evaluated.alerts.conditions.change('u', one.rules[0]!.id, { segment: one.ids[1]! })
  await evaluated.alerts.runDue()
  expect((await one.list()).map(({ entity, state }) => [entity.name, state]).toSorted()).toEqual([
    ['/blog/a', 'recovered'],
    ['/blog/b', 'firing'],
  ])
  expect((await evaluated.alerts.report('u', first!.id)).timeline.at(-1)).toMatchObject({ reason: 'rule_changed' })
  const changed = await evaluated.alerts.conditions.change('u', one.rules[0]!.id, { segment: null })
  expect(changed.segment).toBeUndefined()
})

describe('a rule is refused:', () => {
  test.each<[NewCondition, string, string]>([
    [
      { type: 'clicks', monitor: 'top_pages' },
      'clicks from 10',
      'Rules can’t use a segment that filters by clicks. Choose another segment.',
    ],
    [{ type: 'clicks', monitor: 'top_pages' }, 'device is MOBILE', 'Google doesn’t break down device data by page'],
    [{ type: 'clicks', monitor: 'pages', targets: ['/a'] }, 'page contains a', "A rule for specific pages can't be limited to a segment."],
    [
      { type: 'clicks', kind: 'unusual', monitor: 'site' },
      'page contains a',
      "This rule learns what's usual from the whole site, so it can't be limited to a segment. Monitor all pages or keywords instead.",
    ],
    [{ type: 'clicks', monitor: 'top_pages' }, 'page matches (', 'The page filter is not a valid regular expression (RE2 syntax)'],
  ])('%o with “%s”', async (rule, content, message) => {
    const one = await evaluated.property(`https://site-${++count}.example/`, { through })
    const limited = { ...rule, title: 'One', segment: await segment(content) }
    const refusal = { status: 400, message, field: 'segment' }
    await expect(evaluated.alerts.conditions.create(one, limited)).rejects.toMatchObject(refusal)
    await expect(evaluated.alerts.backtest('u', one, limited)).rejects.toMatchObject(refusal)
    const made = await evaluated.alerts.conditions.create(one, { ...rule, title: 'One' })
    await expect(evaluated.alerts.conditions.change('u', made.id, { segment: limited.segment })).rejects.toMatchObject(refusal)
  })

  test('another account’s segment, wherever it is named, and a view', async () => {
    const { db } = evaluated.stores
    await db
      .insertInto('users')
      .values({ id: 'v', name: 'v', email: 'v@example.test' } as never)
      .execute()
    const theirs = await segment('page contains a', 'v')
    const one = await evaluated.property(`https://site-${++count}.example/`, {
      through,
      rules: [{ ...falling, ...title('One'), monitor: 'top_pages' }],
    })
    const limited = { ...falling, title: 'One', monitor: 'top_pages', segment: theirs } as const
    const refusal = { status: 404, field: 'segment' }
    await expect(evaluated.alerts.conditions.create(one, limited)).rejects.toMatchObject(refusal)
    await expect(evaluated.alerts.backtest('u', one, limited)).rejects.toMatchObject(refusal)
    await expect(evaluated.alerts.conditions.change('u', one.rules[0]!.id, { segment: theirs })).rejects.toMatchObject(refusal)
    await db
      .updateTable('savedExplorations')
      .set({ kind: 'view', userId: 'u' } as never)
      .where('id', '=', Number(theirs))
      .execute()
    await expect(evaluated.alerts.conditions.create(one, limited)).rejects.toMatchObject(refusal)
  })
})

test('a rule whose segment can’t be read watches nothing, and says so', async () => {
  const one = await site(
    ([blog]) => [{ ...falling, ...title('Blog'), monitor: 'top_pages', segment: blog! }],
    ['page starts /blog/'],
    () => true,
  )
  // As if it had come from elsewhere: nothing in the product transfers a segment to another account.
  await evaluated.stores.db
    .updateTable('savedExplorations')
    .set({ userId: 'v' } as never)
    .where('id', '=', Number(one.ids[0]))
    .execute()
  await evaluated.alerts.runDue()
  expect(await one.list()).toEqual([])
  expect(await evaluated.alerts.conditions.list(one)).toMatchObject([
    { problem: 'This rule could not be checked: This segment doesn’t exist.' },
  ])
})

test('an account has at most 50 of them, over all its properties, even if several are made at the same moment', async () => {
  const { db } = evaluated.stores
  const limited = await db
    .selectFrom('alertConditions')
    .innerJoin('properties', 'properties.id', 'propertyId')
    .where('userId', '=', 'u')
    .where('segmentId', 'is not', null)
    .select('alertConditions.id')
    .execute()
  const id = await segment('page contains blog')
  const sites = await Promise.all([1, 2].map(() => evaluated.property(`https://site-${++count}.example/`, { through })))
  const make = (at: number) =>
    evaluated.alerts.conditions.create(sites[at % 2]!, { ...falling, title: `Rule ${at}`, monitor: 'top_pages', segment: id })
  for (let at = limited.length; at < 47; at += 1) await make(at)
  const made = await Promise.allSettled(Array.from({ length: 8 }, (_, at) => make(100 + at)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  const refusal = { status: 409, message: 'Up to 50 of your rules can be limited to a segment.' }
  expect(made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))).toEqual(Array(5).fill(expect.objectContaining(refusal)))
})
