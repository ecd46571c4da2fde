import { expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { readCsv } from '../../../../test/support/csv.ts'
import { newPerson } from '../../../../test/support/people.ts'
import { ownerAtOnce } from '../../../../test/support/stored-history.ts'
import { competingKeywords, keywords, opportunities } from '../../../contract/keywords.ts'
import { decay, pages } from '../../../contract/pages.ts'
import { explored } from '../../../contract/explore/explore.ts'
import { history } from '../../../contract/history.ts'
import { metrics } from '../../../contract/metrics.ts'
import type { Saved } from '../../../contract/explore/saved.ts'

// Segments on the lists of pages and keywords: the same rows and figures as the explorer's, which are Google's.

const site = 'https://segments.example/'
const week = { start: '2026-03-10', end: '2026-03-16' }
const before = { start: '2026-03-03', end: '2026-03-09' }

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, ({ app }) => ownerAtOnce(app, site, { profile: 'local', days: 34 }))
  .extend('segment', { scope: 'file' }, ({ owner }) => async (content: string): Promise<string> => {
    const saved = (await owner.get('/api/explore/saved')).body as Saved[]
    const { body } = await owner.send('POST', '/api/explore/saved', { kind: 'segment', name: `Segment ${saved.length + 1}`, content })
    return (body as Saved).id
  })
  /** The stand-in's clicks and impressions of rows that pass, by one of `query` and `page`. */
  .extend(
    'atGoogle',
    { scope: 'file' },
    ({ app }) =>
      async (dims: string, days: typeof week, by: 'query' | 'page', holds: (query: string, page: string) => boolean) => {
        const names = dims.split(',')
        const sums = new Map<string, [number, number]>()
        for (const { keys, clicks, impressions } of (await app.google.totals({ site, ...days, dims })).rows) {
          const of = (name: string): string => keys[names.indexOf(name)] ?? ''
          if (!holds(of('query'), of('page'))) continue
          const [c, i] = sums.get(of(by)) ?? [0, 0]
          sums.set(of(by), [c + clicks, i + impressions])
        }
        return sums
      },
  )

const figuresOf = (rows: readonly { clicks: number; impressions: number; query?: string; page?: string }[], by: 'query' | 'page') =>
  new Map(rows.map((row) => [row[by], [row.clicks, row.impressions]]))

test('pages of a segment of pages have their own figures; a segment of queries adds up the clicks from those', async ({
  owner,
  segment,
  atGoogle,
}) => {
  const read = async (id: string) => pages.parse((await owner.get(`/api/pages?limit=1000&segment=${id}`)).body)
  const ofPages = await read(await segment('page not contains blog\nimpressions from 20'))
  const own = await atGoogle('page', week, 'page', (_, page) => !page.includes('blog'))
  expect(figuresOf(ofPages, 'page')).toEqual(new Map([...own].filter(([, [, impressions]]) => impressions >= 20)))
  expect(ofPages.length).toBeGreaterThan(0)

  const ofQueries = await read(await segment('query contains physio'))
  const has = (query: string) => query.includes('physio')
  expect(figuresOf(ofQueries, 'page')).toEqual(await atGoogle('query,page', week, 'page', has))
  const earlier = await atGoogle('query,page', before, 'page', has)
  for (const { page, previous } of ofQueries)
    expect([page, previous && [previous.clicks, previous.impressions]]).toEqual([page, earlier.get(page) ?? null])
  expect(ofQueries.some(({ previous }) => previous !== null)).toBe(true)
})

test('keywords, opportunities and lost keywords of a segment of pages are those pages’ own', async ({ owner, segment, atGoogle }) => {
  const [[page = '']] = [...(await atGoogle('page', week, 'page', () => true))].toSorted(([, [a]], [, [b]]) => b - a) as [[string, unknown]]
  const id = await segment(`page is ${page}`)
  const get = async (path: string) => (await owner.get(`${path}limit=1000&segment=${id}`)).body
  const expected = await atGoogle('query,page', week, 'query', (_, of) => of === page)
  const found = keywords.parse(await get('/api/keywords?'))
  expect(figuresOf(found, 'query')).toEqual(expected)
  expect(new Set(found.map((row) => row.page))).toEqual(new Set([page]))
  expect(found.every(({ pages: count }) => count === 1)).toBe(true)

  const whole = await segment(`page starts ${site}`)
  const chances = opportunities.parse((await owner.get(`/api/keywords/opportunities?limit=1000&segment=${whole}`)).body)
  expect(chances.length).toBeGreaterThan(0)
  expect(chances.every(({ opportunityScore }) => opportunityScore > 0)).toBe(true)
  const pairs = await atGoogle('query,page', week, 'query', () => true)
  expect(figuresOf(chances, 'query')).toEqual(new Map(chances.map(({ query }) => [query, pairs.get(query)])))

  const earlier = await atGoogle('query,page', before, 'query', (_, of) => of === page)
  const lost = keywords.parse(await get('/api/keywords?presence=lost&'))
  expect(lost.map(({ query }) => query).toSorted()).toEqual([...earlier.keys()].filter((query) => !expected.has(query)).toSorted())
})

test('a segment of queries filters keywords, competing pages and files; all other filters still apply', async ({
  owner,
  segment,
  atGoogle,
}) => {
  const id = await segment('query matches ^[a-m]\nposition to 30')
  const found = keywords.parse((await owner.get(`/api/keywords?limit=1000&segment=${id}&search=p`)).body)
  const all = keywords.parse((await owner.get('/api/keywords?limit=1000')).body)
  expect(found).toEqual(all.filter(({ query, position }) => /^[a-m]/.test(query) && query.includes('p') && position > 0 && position <= 30))
  expect(found.length).toBeGreaterThan(0)

  const competing = competingKeywords.parse((await owner.get(`/api/keywords/competing?limit=1000&segment=${id}`)).body)
  const everyCompeting = competingKeywords.parse((await owner.get('/api/keywords/competing?limit=1000')).body)
  expect(competing).toEqual(everyCompeting.filter(({ query, position }) => /^[a-m]/.test(query) && position > 0 && position <= 30))

  const file = async (path: string) => readCsv(String((await owner.get(path)).body)).slice(1)
  expect((await file(`/api/keywords/export.csv?segment=${id}&search=p`)).map(([query]) => query)).toEqual(found.map(({ query }) => query))
  const has = (query: string) => query.includes('physio')
  const ofQueries = await segment('query contains physio')
  expect((await file(`/api/pages/export.csv?segment=${ofQueries}`)).map(([page]) => page).toSorted()).toEqual(
    [...(await atGoogle('query,page', week, 'page', has)).keys()].toSorted(),
  )
})

test('content decay supports segments that filter by text', { tags: ['full'] }, async ({ owner, segment }) => {
  const read = async (more: string) => decay.parse((await owner.get(`/api/pages/decay?days=7&limit=1000${more}`)).body)
  const all = await read('')
  expect(all.complete).toBe(true)
  const [first] = all.pages
  if (!first) throw new Error('Nothing decays')
  const rest = await read(`&segment=${await segment(`page not is ${first.page}`)}`)
  expect(rest.pages).toEqual(all.pages.slice(1))
  const ofQueries = await read(`&segment=${await segment('query contains e')}`)
  for (const { clicks } of ofQueries.pages) expect(clicks).toEqual(clicks.toSorted((a, b) => b - a))
  expect(await owner.get(`/api/pages/decay?segment=${await segment('clicks from 5')}`)).toMatchObject({
    status: 400,
    body: { message: 'Content decay can’t use a segment that filters by clicks. Choose another segment.', field: 'segment' },
  })
})

test('what no stored figures answer is refused, and so are other people’s segments', async ({ app, owner, segment }) => {
  const mobile = await segment('device is MOBILE')
  expect(await owner.get(`/api/pages?segment=${mobile}`)).toMatchObject({
    status: 400,
    body: { message: 'Google doesn’t break down device data by page', field: 'segment' },
  })
  const ofPages = await segment('page contains a')
  expect(await owner.get(`/api/keywords/competing?segment=${ofPages}`)).toMatchObject({ status: 400, body: { field: 'segment' } })
  expect(await owner.get(`/api/keywords?segment=${await segment('query matches (')}`)).toMatchObject({
    status: 400,
    body: { message: 'The keyword filter is not a valid regular expression (RE2 syntax)', field: 'segment' },
  })
  const stranger = await newPerson(app, { email: 'stranger@example.test' })
  for (const path of [
    '/api/pages',
    '/api/pages/export.csv',
    '/api/keywords',
    '/api/keywords/opportunities',
    '/api/pages/decay',
    '/api/metrics',
    '/api/analytics/history',
  ])
    expect([path, (await owner.get(`${path}?segment=999999`)).status]).toEqual([path, 404])
  expect((await stranger.get(`/api/pages?segment=${ofPages}`)).status).toBe(404)
})

test('the dashboard’s cards and chart of a segment are the explorer’s by date', async ({ owner, segment }) => {
  for (const content of ['page not contains blog', 'query contains physio', 'page not contains blog\nquery contains physio']) {
    const id = await segment(content)
    const explore = explored.parse((await owner.get(`/api/explore?range=7d&compare=previous&by=date&limit=1000&segment=${id}`)).body)
    const drawn = history.parse((await owner.get(`/api/analytics/history?range=7d&compare=previous&segment=${id}`)).body)
    const cards = metrics.parse((await owner.get(`/api/metrics?segment=${id}`)).body)
    const sum = (points: typeof drawn.points) => points.reduce((total, { figures }) => total + (figures?.clicks ?? 0), 0)
    expect(explore.totals.clicks).toBeGreaterThan(0)
    expect([sum(drawn.points), cards.clicks, cards.impressions]).toEqual([
      explore.totals.clicks,
      explore.totals.clicks,
      explore.totals.impressions,
    ])
    expect([sum(drawn.previousPoints), cards.clicksPrevious]).toEqual([explore.totals.previous!.clicks, explore.totals.previous!.clicks])
    expect([drawn.period, cards.current]).toEqual([explore.period, explore.period])
    expect(drawn.expectedClicks).toEqual([])
    const chosen = `range=2026-02-24_2026-03-09&compare=none&segment=${id}`
    const line = history.parse((await owner.get(`/api/analytics/history?${chosen}`)).body)
    expect((await owner.get(`/api/metrics?${chosen}`)).body).toMatchObject({
      clicks: sum(line.points),
      current: line.period,
      previous: null,
    })
  }
  expect(await owner.get(`/api/metrics?segment=${await segment('clicks from 5')}`)).toMatchObject({
    status: 400,
    body: { message: 'The dashboard can’t use a segment that filters by clicks. Choose another segment.', field: 'segment' },
  })
})
