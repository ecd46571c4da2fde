import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { readCsv } from '../../../../test/support/csv.ts'
import { newPerson } from '../../../../test/support/people.ts'
import { storeHistory, watch } from '../../../../test/support/stored-history.ts'
import { inFull } from '../../../../test/support/in-full.ts'
import { analyticsEndpoints } from '../../../contract/analytics.ts'
import { type Explored, explored, exploreEndpoints, type ExploreRow, type Filter, writeFilters } from '../../../contract/explore/explore.ts'
import { addressOf, type QueryOf } from '../../../contract/endpoint.ts'
import type { SearchType } from '../../../contract/common.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { eachDay } from '../../../core/analytics/days.ts'

const site = 'https://explored.example/'
/** One of these also has Discover and Google News, and the other has nothing yet. */
const [feed, fresh] = ['https://feed.example/', 'https://fresh.example/']
const [start, end] = ['2026-02-17', '2026-03-16']
const [previousStart, previousEnd] = ['2026-01-20', '2026-02-16']

type Sum = { clicks: number; impressions: number; positionSum: number }
const plus = (
  a: Sum | undefined,
  { clicks, impressions, position = 0 }: { clicks: number; impressions: number; position?: number | undefined },
): Sum => ({
  clicks: (a?.clicks ?? 0) + clicks,
  impressions: (a?.impressions ?? 0) + impressions,
  positionSum: (a?.positionSum ?? 0) + impressions * position,
})

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await newPerson(app, { sites: { [site]: 'local', [feed]: 'blog', [fresh]: 'empty' } })
    await storeHistory(app, site, { days: 60 })
    await storeHistory(app, feed, { days: 10, types: ['discover', 'web', 'googleNews'] })
    await watch(app, site)
    return owner
  })
  .extend(
    'read',
    { scope: 'file' },
    ({ owner }) =>
      async ({ filters = [], ...asked }: QueryOf<typeof exploreEndpoints.read> & { filters?: readonly Filter[] } = {}): Promise<Explored> =>
        explored.parse(
          (await owner.get(addressOf(exploreEndpoints.read, { query: { range: '28d', where: writeFilters(filters), ...asked } }))).body,
        ),
  )
  /** The stand-in's figures for a period, summed by `keyOf` its dimensions. */
  .extend(
    'atGoogle',
    { scope: 'file' },
    ({ app }) =>
      async (
        dims: string,
        keyOf: (keys: string[]) => string | null = (keys) => keys.join(' | '),
        { from = start, to = end, type = 'web', of = site }: { from?: string; to?: string; type?: SearchType; of?: string } = {},
      ): Promise<Map<string, Sum>> => {
        const sums = new Map<string, Sum>()
        for (const { keys, ...row } of (await app.google.totals({ site: of, start: from, end: to, dims, type })).rows) {
          const key = keyOf(keys)
          if (key !== null) sums.set(key, plus(sums.get(key), row))
        }
        return sums
      },
  )

const filter = (line: Omit<Filter, 'not'> & { not?: boolean }): Filter => ({ not: false, ...line })

/** Every row equals the stand-in's. */
function expectFigures({ rows, count }: Explored, expected: ReadonlyMap<string, Sum>): void {
  const shown = rows.filter(({ impressions }) => impressions > 0)
  const named = new Map(shown.map(({ name, page, ...row }) => [page === undefined ? name : `${name} | ${page}`, row]))
  expect([...named.keys()].toSorted()).toEqual([...expected.keys()].toSorted())
  expect(count).toBe(rows.length)
  for (const [key, { clicks, impressions, positionSum }] of expected) {
    const row = named.get(key)!
    expect({ key, clicks: row.clicks, impressions: row.impressions }).toEqual({ key, clicks, impressions })
    expect(row.ctr).toBeCloseTo(clicks / impressions, 10)
    expect(row.position).toBeCloseTo(positionSum / impressions, 6)
  }
}

/** Every row, and their sum, equals the stand-in's. */
function expectRows(found: Explored, expected: ReadonlyMap<string, Sum>): void {
  expectFigures(found, expected)
  const all = [...expected.values()]
  expect(found.totals).toMatchObject({
    clicks: all.reduce((sum, { clicks }) => sum + clicks, 0),
    impressions: all.reduce((sum, { impressions }) => sum + impressions, 0),
  })
}

const firstLevel = (page: string): string => /^https:\/\/[^/]+\/(?:[^/?#]+\/)?/.exec(page)?.[0] ?? ''

test.for(['query', 'page', 'country', 'device'] as const)(
  'rows by %s equal Google’s, and so do those of the previous period',
  async (by, { read, atGoogle }) => {
    const found = await read({ by, limit: 1_000 })
    expect(found).toMatchObject({
      period: { start, end },
      compared: { start: previousStart, end: previousEnd },
      missingDays: 0,
      cutOffDays: 0,
    })
    expectRows(found, await atGoogle(by))
    const before = await atGoogle(by, undefined, { from: previousStart, to: previousEnd })
    for (const { name, previous } of found.rows) {
      const { clicks, impressions } = before.get(name) ?? {}
      expect({ name, clicks: previous?.clicks, impressions: previous?.impressions }).toEqual({ name, clicks, impressions })
    }
  },
)

test('folders, and queries with their pages', async ({ read, atGoogle }) => {
  expectRows(await read({ by: 'folder', limit: 1_000 }), await atGoogle('page', ([page = '']) => firstLevel(page)))
  const pairs = await read({
    by: 'query_page',
    compare: 'none',
    limit: 1_000,
    filters: [filter({ field: 'clicks', operator: 'from', value: '20' })],
  })
  const all = await atGoogle('query,page')
  expectRows(pairs, new Map([...all].filter(([, { clicks }]) => clicks >= 20)))
})

test('filters on text: contains, is, starts, matches, and their opposites', async ({ read, atGoogle }) => {
  const queries = [...(await atGoogle('query')).entries()].toSorted(([, a], [, b]) => b.clicks - a.clicks)
  const first = queries[0]![0]
  const word = first.split(' ').at(-1)!
  const cases: [Omit<Filter, 'field' | 'not'>, (query: string) => boolean][] = [
    [{ operator: 'contains', value: word.toUpperCase() }, (query) => query.includes(word)],
    [{ operator: 'is', value: first }, (query) => query === first],
    [{ operator: 'starts', value: first.slice(0, 3) }, (query) => query.startsWith(first.slice(0, 3))],
    [{ operator: 'matches', value: `^(${word}|\\w+ ${word})$` }, (query) => new RegExp(`^(${word}|\\w+ ${word})$`).test(query)],
  ]
  for (const [condition, holds] of cases) {
    for (const not of [false, true]) {
      const filters = [filter({ field: 'query', not, ...condition })]
      const expected = new Map(queries.filter(([query]) => holds(query) !== not))
      expectRows(await read({ compare: 'none', limit: 1_000, filters }), expected)
    }
  }
})

test("a filter on both queries and pages is answered from each page's queries", async ({ read, atGoogle }) => {
  const pairs = await atGoogle('query,page', ([query, page]) => `${query} ${page}`)
  const [pair] = [...pairs].toSorted(([, a], [, b]) => b.clicks - a.clicks)[0]!
  const page = pair.slice(pair.indexOf('https://'))
  const filters = [filter({ field: 'page', operator: 'is', value: page }), filter({ field: 'query', operator: 'contains', value: 'e' })]
  const holds = ([query = '', of]: string[]) => of === page && query.includes('e')
  const of = (key: (keys: string[]) => string) => (keys: string[]) => (holds(keys) ? key(keys) : null)
  expectRows(
    await read({ by: 'query', compare: 'none', limit: 1_000, filters }),
    await atGoogle(
      'query,page',
      of(([query = '']) => query),
    ),
  )
  expectRows(
    await read({ by: 'folder', compare: 'none', filters }),
    await atGoogle(
      'query,page',
      of(() => firstLevel(page)),
    ),
  )
  const days = await read({ by: 'date', compare: 'none', filters, limit: 1_000 })
  expect(days.rows).toHaveLength(28)
  const expected = await atGoogle('date,query,page', ([date = '', ...keys]) => (holds(keys) ? date : null))
  expectRows({ ...days, count: days.rows.length }, expected)
})

test('brand, figures, countries and devices', async ({ owner, read, atGoogle }) => {
  const [[word = '']] = [...(await atGoogle('query', ([query = '']) => query.split(' ')[0] ?? ''))].toSorted(
    ([, a], [, b]) => b.clicks - a.clicks,
  ) as [[string, Sum]]
  await owner.send('PUT', '/api/brand', { terms: [word] })
  const isBrand = (query = '') => query.replaceAll(/[ -]/g, '').includes(word)
  for (const [value, is] of [
    ['yes', true],
    ['no', false],
  ] as const) {
    const filters = [filter({ field: 'brand', operator: 'is', value })]
    expectRows(
      await read({ compare: 'none', limit: 1_000, filters }),
      await atGoogle('query', ([query]) => (isBrand(query) === is ? query! : null)),
    )
  }
  const bounds = [
    filter({ field: 'impressions', operator: 'from', value: '20' }),
    filter({ field: 'ctr', operator: 'to', value: '10.5' }),
    filter({ field: 'position', operator: 'from', value: '3' }),
    filter({ field: 'position', operator: 'to', value: '40' }),
  ]
  const within = ({ clicks, impressions, positionSum }: Sum) =>
    impressions >= 20 && (100 * clicks) / impressions <= 10.5 && positionSum / impressions >= 3 && positionSum / impressions <= 40
  expectRows(
    await read({ by: 'page', compare: 'none', limit: 1_000, filters: bounds }),
    new Map([...(await atGoogle('page'))].filter(([, sum]) => within(sum))),
  )
  const mobile = [filter({ field: 'device', operator: 'is', value: 'MOBILE' })]
  const days = await read({ by: 'date', compare: 'none', limit: 1_000, filters: mobile })
  expectRows(days, await atGoogle('date,device', ([date = '', device]) => (device === 'MOBILE' ? date : null)))
})

test('sorting by lost clicks puts the biggest losses first, including lost rows; pages of the list fit together', async ({ read }) => {
  const all = await read({ sort: 'clicksChange', order: 'asc', limit: 1_000 })
  const lost = ({ clicks, previous }: Explored['rows'][number]) => clicks - (previous?.clicks ?? 0)
  expect(all.rows.map(lost)).toEqual(all.rows.map(lost).toSorted((a, b) => a - b))
  const day = await read({ range: '2026-03-16_2026-03-16', sort: 'clicksChange', order: 'asc', limit: 1_000 })
  expect(day.rows.some(({ impressions, previous }) => impressions === 0 && previous !== null)).toBe(true)
  const parts = await Promise.all([0, 40, 80].map((offset) => read({ sort: 'clicksChange', order: 'asc', limit: 40, offset })))
  expect(parts.flatMap(({ rows }) => rows)).toEqual(all.rows.slice(0, 120))
  for (const sort of ['position', 'positionChange', 'ctrChange'] as const) {
    const { rows } = await read({ sort, order: 'asc', limit: 1_000 })
    const values = rows.flatMap(({ ctr, position, impressions, previous }) => {
      if (impressions === 0 || (sort !== 'position' && previous === null)) return []
      return sort === 'position' ? position : sort === 'ctrChange' ? ctr - previous!.ctr : previous!.position - position
    })
    expect(values).toEqual(values.toSorted((a, b) => a - b))
  }
})

test("what no query covers is given in figures, next to the property's totals", async ({ app, read, atGoogle }) => {
  const found = await read({ limit: 1, filters: [filter({ field: 'query', operator: 'contains', value: 'no such query' })] })
  const { total } = await app.google.totals({ site, start, end })
  const queries = [...(await atGoogle('query')).values()]
  const sum = (figure: 'clicks' | 'impressions') => queries.reduce((all, each) => all + each[figure], 0)
  expect(found).toMatchObject({
    count: 0,
    rows: [],
    totals: { clicks: 0, impressions: 0 },
    propertyTotals: { clicks: total.clicks, impressions: total.impressions },
    hidden: { clicks: total.clicks - sum('clicks'), impressions: total.impressions - sum('impressions') },
  })
  expect(found.hidden!.clicks).toBeGreaterThan(0)
  expect((await read({ by: 'page' })).hidden).toBeNull()
})

test('weeks of the year before next to weeks, as on the dashboard', async ({ owner, read }) => {
  const asked = 'range=28d&grain=week'
  const found = await read({ by: 'date', range: '28d', grain: 'week', sort: 'name', order: 'asc' })
  const { body } = await owner.get(`/api/analytics/history?${asked}`)
  const dashboard = body as { points: { start: string; figures: object; complete: boolean }[]; previousPoints: { figures: object }[] }
  expect(
    found.rows.map(({ name, complete, previous, clicks, impressions, ctr, position }) => ({
      name,
      complete,
      previous,
      figures: { clicks, impressions, ctr, position },
    })),
  ).toEqual(
    dashboard.points.map(({ start: name, complete, figures }, at) => ({
      name,
      complete,
      previous: dashboard.previousPoints[at]?.figures,
      figures,
    })),
  )
})

test.for([
  ['discover', 'Discover'],
  ['googleNews', 'Google News'],
] as const)('%s has pages and countries, but neither queries nor positions', async ([type, label], { owner, read, atGoogle }) => {
  const days = { from: '2026-03-09', to: '2026-03-16', type, of: feed } as const
  const found = await read({ property: feed, type, by: 'page', range: '7d', compare: 'none', limit: 1_000 })
  const expected = await atGoogle('page', undefined, { ...days, from: '2026-03-10' })
  expect(new Map(found.rows.map(({ name, clicks, impressions }) => [name, [clicks, impressions]]))).toEqual(
    new Map([...expected].map(([name, { clicks, impressions }]) => [name, [clicks, impressions]])),
  )
  expect(found.rows.length).toBeGreaterThan(3)
  expect(found.rows.every(({ position }) => position === 0)).toBe(true)
  const refused = (asked: string) => owner.get(`/api/explore?property=${encodeURIComponent(feed)}&type=${type}&${asked}`)
  expect(await refused('by=query')).toMatchObject({ status: 400, body: { message: `${label} has no data for keywords` } })
  expect(await refused('by=page&sort=position')).toMatchObject({
    status: 400,
    body: { message: `${label} has no position data`, field: 'sort' },
  })
  expect(await refused('by=page&where=position+to+10')).toMatchObject({
    status: 400,
    body: { message: `${label} has no position data`, field: 'where' },
  })
  const lacking = { discover: ['device', 'devices'], googleNews: ['search_appearance', 'search appearances'] }[type]
  expect(await refused(`by=${lacking[0]}`)).toMatchObject({ status: 400, body: { message: `${label} has no data for ${lacking[1]}` } })
  expect(await read({ property: site, type, by: 'page' }).catch(() => null)).toBeNull()
})

test('search appearances have figures of their own, which are never added up', async ({ owner, read, atGoogle }) => {
  const days = { from: '2026-03-10', to: '2026-03-16', of: feed } as const
  const asked = { property: feed, range: '7d', compare: 'none' } as const
  const found = await read({ ...asked, by: 'search_appearance', trend: 'clicks' })
  const expected = await atGoogle('date,searchAppearance', ([, name]) => name ?? null, days)
  expect([...expected.keys()].toSorted()).toEqual(['RECIPE_FEATURE', 'REVIEW_SNIPPET'])
  expectFigures(found, expected)
  expect(found.totals).toEqual(found.propertyTotals)
  expect(found.rows[0]?.trend?.reduce((sum, each) => (sum ?? 0) + (each ?? 0), 0)).toBe(found.rows[0]?.clicks)

  const one = await read({ ...asked, by: 'date', where: 'search_appearance is RECIPE_FEATURE' })
  expectRows(one, await atGoogle('date,searchAppearance', ([date, name]) => (name === 'RECIPE_FEATURE' ? date! : null), days))
  expect(one.totals.clicks).toBe(expected.get('RECIPE_FEATURE')?.clicks)

  const file = await owner.get(addressOf(exploreEndpoints.file, { query: { ...asked, by: 'search_appearance' } }))
  const [header, ...rows] = readCsv(file.body as string)
  expect(header?.[0]).toBe('search_appearance')
  expect(rows.map(([name, clicks]) => [name, Number(clicks)])).toEqual(found.rows.map(({ name, clicks }) => [name, clicks]))
})

test.for([
  ['by=country&where=query+contains+lamp', 'Google doesn’t break down country data by keyword'],
  ['by=query&where=device+is+MOBILE', 'Google doesn’t break down device data by keyword'],
  ['by=search_appearance&where=page+contains+lamp', 'Google doesn’t break down search appearance data by page'],
  ['by=date&where=search_appearance+not+is+VIDEO', 'A search appearance can’t be excluded: a result may have several'],
  ['where=query+matches+(', 'The keyword filter is not a valid regular expression (RE2 syntax)'],
  ['where=page+matches+(%3F%3Da)', 'The page filter is not a valid regular expression (RE2 syntax)'],
  ['where=page+not+matches+((a{99}){99}){99}', 'The regular expressions are too long or repeat too much. Use smaller numbers in braces.'],
  [
    `where=${['a', 'b', 'c', 'd'].map((last) => `query+not+matches+.{0,900}${last}`).join('%0A')}`,
    'The regular expressions are too long or repeat too much. Use smaller numbers in braces.',
  ],
  ['where=clicks+from+many', 'The clicks filter needs a number, 0 or higher'],
  ['where=queries+contain+lamp', '“queries contain lamp” is not a filter'],
  ['where=brand+is+ours', 'The brand filter must be yes or no'],
] as const)('%s is refused with a message', async ([asked, message], { owner }) => {
  expect(await owner.get(`/api/explore?${asked}`)).toMatchObject({ status: 400, body: { message, field: 'where' } })
})

test('so is anything too long or too large', async ({ owner }) => {
  const refused = (where: string) => owner.get(`/api/explore?where=${where}`)
  const message = 'The keyword filter can have up to 1,000 characters'
  expect(await refused(`query+matches+${'a'.repeat(1_001)}`)).toMatchObject({ status: 400, body: { message, field: 'where' } })
  expect((await refused(`page+is+${'a'.repeat(2_048)}`)).status).toBe(200)
  expect((await refused(`page+is+${'a'.repeat(2_049)}`)).status).toBe(400)
  expect(await refused(Array.from({ length: 21 }, (_, least) => `clicks+from+${least}`).join('%0A'))).toMatchObject({
    status: 400,
    body: { message: 'Up to 20 filters can be combined' },
  })
})

test('a value is a value, whatever it holds', { tags: ['full'] }, async ({ read }) => {
  for (const value of ["' OR 1=1 --", '{value0:String}', '\\', '%', '\u0000', '“”', '1);DROP TABLE facts_query']) {
    expect(await read({ filters: [filter({ field: 'query', operator: 'contains', value })] })).toMatchObject({ count: 0 })
  }
})

test('the file has every row in the requested order, with the same figures', async ({ owner, read }) => {
  const query = { range: '28d', by: 'page', sort: 'impressionsChange', order: 'asc', where: 'page contains e' } as const
  const { rows } = await read({ ...query, limit: 1_000 })
  const { body, headers } = await owner.get(addressOf(exploreEndpoints.file, { query }))
  const [header, ...lines] = readCsv(String(body).replace(/^\uFEFF/, ''))
  expect(header).toEqual([
    'page',
    'clicks',
    'impressions',
    'ctr',
    'position',
    'previous clicks',
    'previous impressions',
    'previous ctr',
    'previous position',
  ])
  expect(lines.map(([name, clicks, impressions, , , before]) => [name, clicks, impressions, before])).toEqual(
    rows.map(({ name, clicks, impressions, previous }) => [
      name,
      String(clicks),
      String(impressions),
      previous === null ? '' : String(previous.clicks),
    ]),
  )
  expect(headers.get('content-disposition')).toContain('explore-page-2026-02-17-2026-03-16.csv')
})

test('countries sort by their names on screen, not by Google’s codes', async ({ owner, read }) => {
  const query = { range: '28d', by: 'country', sort: 'name' } as const
  const namesOf = async (asked: QueryOf<typeof exploreEndpoints.read>) =>
    (await read({ ...query, limit: 1_000, ...asked })).rows.map(({ name }) => name)
  const rising = await namesOf({ order: 'asc' })
  expect(rising.map(countryName)).toEqual(rising.map(countryName).toSorted((a, b) => a.localeCompare(b, 'en')))
  expect(rising).not.toEqual(rising.toSorted())
  expect(await namesOf({ order: 'desc' })).toEqual(rising.toReversed())
  expect(await namesOf({ order: 'asc', offset: 1, limit: 2 })).toEqual(rising.slice(1, 3))
  const { body } = await owner.get(addressOf(exploreEndpoints.file, { query: { ...query, order: 'asc' } }))
  const [, ...lines] = readCsv(String(body))
  expect(lines.map(([name]) => name)).toEqual(rising)
})

test('a file by week or month marks incomplete ones', async ({ owner, read }) => {
  for (const grain of ['week', 'month'] as const) {
    const query = { range: '90d', by: 'date', grain, sort: 'name', order: 'asc', compare: 'none' } as const
    const { rows } = await read({ ...query, limit: 1_000 })
    expect(rows.map(({ complete }) => complete)).toContain(false)
    const { body } = await owner.get(addressOf(exploreEndpoints.file, { query }))
    const [header, ...lines] = readCsv(String(body).replace(/^\uFEFF/, ''))
    expect(header?.slice(0, 4)).toEqual([grain, 'to', 'complete', 'clicks'])
    expect(lines.map((line) => line.slice(0, 3))).toEqual(rows.map((row) => [row.name, row.end, row.complete ? 'yes' : 'no']))
  }
})

test('another person’s property answers 404, and one without data null', async ({ app, owner }) => {
  const stranger = await newPerson(app, { email: 'stranger@example.test' })
  for (const path of ['/api/explore', '/api/explore/changes', '/api/explore/history', '/api/explore.csv']) {
    expect(await stranger.get(`${path}?property=${encodeURIComponent(site)}`)).toMatchObject({ status: 404, body: { field: 'property' } })
  }
  expect(await owner.get(`/api/explore?property=${encodeURIComponent(fresh)}`)).toMatchObject({ status: 200, body: null })
})

test(
  'rows come with their clicks over time, from the compared days on if those lead up to the period',
  { tags: ['full'] },
  async ({ read, atGoogle }) => {
    const { rows, trendDays } = await read({ by: 'page', sort: 'clicksChange', order: 'asc', trend: 'clicks', limit: 3 })
    expect(trendDays).toEqual({ start: previousStart, end })
    const days = await atGoogle('date,page', undefined, { from: previousStart, to: end })
    for (const { name, trend } of rows)
      expect(trend).toEqual(eachDay(previousStart, end).map((date) => days.get(`${date} | ${name}`)?.clicks ?? 0))

    const alone = await read({ by: 'query', compare: 'year', trend: 'clicks', limit: 25 })
    expect(alone.trendDays).toEqual({ start, end })
    expect(alone.rows.filter(({ trend }) => trend !== undefined)).toHaveLength(20)
    expect((await read({ by: 'folder', trend: 'clicks' })).trendDays).toBeUndefined()
  },
)

test.for(['page', ...inFull(['query'])] as const)(
  'the rows by %s that gained and lost the most clicks are the explorer’s first by change, with their trends',
  async (by, { owner, read }) => {
    const ask = async (query: QueryOf<typeof exploreEndpoints.changes>) => {
      const { status, body } = await owner.get(
        addressOf(exploreEndpoints.changes, { query: { property: site, range: '28d', by, ...query } }),
      )
      expect(status).toBe(200)
      return exploreEndpoints.changes.answer.parse(body)!
    }
    const gain = ({ clicks, previous }: ExploreRow) => clicks - (previous?.clicks ?? 0)
    const found = await ask({ limit: 3 })
    const [most, least] = await Promise.all(
      (['desc', 'asc'] as const).map((order) => read({ by, sort: 'clicksChange', order, trend: 'clicks', limit: 3 })),
    )
    expect(found).toMatchObject({
      period: { start, end },
      compared: { start: previousStart, end: previousEnd },
      trendDays: most!.trendDays,
    })
    expect(found.gained).toEqual(most!.rows.filter((row) => gain(row) > 0))
    expect(found.lost).toEqual(least!.rows.filter((row) => gain(row) < 0))
    expect(found.gained.length + found.lost.length).toBeGreaterThan(0)
    // Nothing is compared with days that aren't stored.
    expect(await ask({ compare: 'year' })).toMatchObject({ compared: null, gained: [], lost: [] })
  },
)

test.for(['all', 'pages', 'the better half'] as const)(
  'the chart has the figures of the rows by date, those that filters exclude without figures: %s',
  async (which, { owner, read }) => {
    const days = (await read({ by: 'date', limit: 1_000 })).rows.map(({ clicks }) => clicks).toSorted((a, b) => a - b)
    const median = days[days.length >> 1]!
    const filters = {
      all: [],
      pages: [filter({ field: 'page', operator: 'contains', value: 'e' })],
      'the better half': [filter({ field: 'clicks', operator: 'from', value: String(median) })],
    }[which]
    const grain = which === 'pages' ? 'week' : 'day'
    const { rows, period, compared } = await read({ by: 'date', grain, sort: 'name', order: 'asc', limit: 1_000, filters })
    const query = { property: site, range: '28d', grain, where: writeFilters(filters) } as const
    const { body } = await owner.get(addressOf(exploreEndpoints.history, { query }))
    const chart = exploreEndpoints.history.answer.parse(body)!
    expect(chart).toMatchObject({ period, compared, grain })
    expect(rows.length).toBeGreaterThan(0)
    const shown = chart.points.flatMap(({ start: name, end: last, complete, figures }, at) =>
      figures === null ? [] : [{ name, end: last, complete, ...figures, previous: chart.previousPoints[at]!.figures }],
    )
    expect(shown).toEqual(rows)
    if (which === 'the better half') expect(shown.length).toBeLessThan(chart.points.length)
  },
)

test('search types of a property with Discover and Google News equal Google’s', async ({ owner, atGoogle }) => {
  const address = addressOf(analyticsEndpoints.searchTypes, { query: { property: feed, range: '7d' } })
  const types = analyticsEndpoints.searchTypes.answer.parse((await owner.get(address)).body)
  expect(types.map(({ type }) => type).toSorted()).toEqual(['discover', 'googleNews', 'web'])
  for (const { type, period, clicks, impressions, previous } of types) {
    const all = await atGoogle('date', () => 'all', { from: period.start, to: period.end, type, of: feed })
    expect({ clicks, impressions }).toEqual({ clicks: all.get('all')?.clicks, impressions: all.get('all')?.impressions })
    expect(previous).toBeNull()
  }
})
