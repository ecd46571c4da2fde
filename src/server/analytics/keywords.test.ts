import { describe, expect } from 'vitest'
import type { TestApp } from '../../../test/support/app.ts'
import { appTest } from '../../../test/support/app-test.ts'
import { readCsv } from '../../../test/support/csv.ts'
import type { DictatedRow } from '../../../test/support/google-control.ts'
import { newPerson, refresh } from '../../../test/support/people.ts'
import { watchedAtOnce } from '../../../test/support/stored-history.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { competingKeywords, keywordPages, keywords, opportunities } from '../../contract/keywords.ts'
import { fitCtrCurve } from '../../core/analytics/ctr-curve.ts'
import { opportunityScore } from '../../core/analytics/opportunity.ts'

const site = 'https://acme-lamps.example/'
const page = (name: string) => `${site}${name}`
const [through, firstDay] = ['2026-03-15', '2026-02-10']
const current = { start: '2026-03-09', end: through }
const previous = { start: '2026-03-02', end: '2026-03-08' }
/** A day with more queries than fit into one chunk of a file. */
const busyDay = '2026-02-20'
const busyQueries = 5_200

const before: DictatedRow[] = [
  { query: 'lamp', page: page('a'), clicks: 10, impressions: 100, position: 4 },
  { query: 'Acme Lamps', page: page('a'), clicks: 5, impressions: 10, position: 1 },
  { query: 'old lamp', page: page('b'), clicks: 1, impressions: 10, position: 8 },
  { page: page('a'), clicks: 2, impressions: 20, position: 5 },
]
const now: DictatedRow[] = [
  { query: 'lamp', page: page('a'), clicks: 7, impressions: 100, position: 4 },
  { query: 'lamp', page: page('c'), clicks: 3, impressions: 50, position: 6 },
  { query: 'Acme Lamps', page: page('a'), clicks: 5, impressions: 10, position: 1 },
  { query: 'new lamp', page: page('c'), clicks: 2, impressions: 20, position: 15 },
  { query: '=1+1', page: page('b'), clicks: 1, impressions: 10, position: 15 },
  { query: '"back\\slash", comma', page: page('b'), clicks: 0, impressions: 5, position: 30 },
  { page: page('a'), clicks: 2, impressions: 20, position: 5 },
]

/** A user with a property that sold other lamps last week than the week before; nothing is stored yet. */
async function lampSeller(app: TestApp, name: string, email: string): Promise<Visitor> {
  const owner = await newPerson(app, { email, sites: { [name]: 'empty' } })
  await app.google.call('PUT', 'late', { site: name, days: 3 })
  await app.google.setDays(name, { from: firstDay, to: previous.end }, before)
  await app.google.setDays(name, { from: current.start, to: '2026-03-18' }, now)
  return owner
}

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await lampSeller(app, site, 'owner@example.test')
    const busy = Array.from({ length: busyQueries }, (_, i) => ({
      query: `q ${i}`,
      page: page('a'),
      clicks: 0,
      impressions: 1,
      position: 40,
    }))
    await app.google.setRows(site, busyDay, busy)
    await watchedAtOnce(app, site, { days: 37 })
    return owner
  })
  .extend('reading', { scope: 'file' }, ({ app, owner }) => {
    const list = async (query = '') => keywords.parse((await owner.get(`/api/keywords${query}`)).body)
    const queries = async (query: string) => (await list(query)).map((row) => row.query)
    const atGoogle = async (span: { start: string; end: string }) => {
      const { rows } = await app.google.totals({ site, ...span, dims: 'query' })
      return new Map(rows.map(({ keys, ...figures }) => [keys[0], figures]))
    }
    return { list, queries, atGoogle }
  })

const encoded = encodeURIComponent

describe('keywords', () => {
  test("have Google's figures for the query, most clicks first, next to those of the previous 7 days", async ({
    reading: { list, atGoogle },
  }) => {
    const [answer, google, googleBefore] = [await list(), await atGoogle(current), await atGoogle(previous)]
    expect(answer).toHaveLength(google.size)
    expect(answer.map(({ clicks }) => clicks)).toEqual(answer.map(({ clicks }) => clicks).toSorted((a, b) => b - a))
    for (const row of answer) {
      expect(row).toMatchObject({ clicks: google.get(row.query)?.clicks, impressions: google.get(row.query)?.impressions })
      expect(row.ctr).toBeCloseTo(google.get(row.query)!.ctr, 12)
      expect(row.position).toBeCloseTo(google.get(row.query)!.position!, 8)
      const then = googleBefore.get(row.query)
      expect(row.previous && { ...row.previous, position: 0 }).toEqual(then ? { ...then, position: 0 } : null)
      expect(row.previous?.position ?? 0).toBeCloseTo(then?.position ?? 0, 8)
    }
  })

  test('name the page with the most clicks, and count the pages', async ({ reading: { list } }) => {
    expect(await list('?search=lamp&sort=query')).toMatchObject([
      { query: 'Acme Lamps', page: page('a'), pages: 1, brand: true },
      { query: 'lamp', page: page('a'), pages: 2, brand: false },
      { query: 'new lamp', page: page('c'), pages: 1, brand: false },
    ])
  })

  test('are new, or lost, only compared with the previous period', async ({ reading: { list, queries } }) => {
    expect((await queries('?presence=new')).toSorted()).toEqual(['"back\\slash", comma', '=1+1', 'new lamp'])
    expect(await list('?presence=lost')).toMatchObject([
      { query: 'old lamp', page: page('b'), clicks: 0, impressions: 0, previous: { clicks: 7, impressions: 70, position: 8 } },
    ])
    expect(await queries('?presence=lost&positionMin=8&positionMax=8')).toEqual(['old lamp'])
    expect(await queries('?presence=lost&positionMin=9')).toEqual([])
    expect(await list('?presence=new&compare=none')).toEqual([])
    expect((await list('?compare=none')).every((row) => row.previous === null)).toBe(true)
    // Nothing is stored from a year ago.
    expect((await list('?compare=year')).every((row) => row.previous === null)).toBe(true)
  })

  test('are filtered by text, position and brand', async ({ reading: { queries } }) => {
    expect(await queries('?search=LAMP&sort=query')).toEqual(['Acme Lamps', 'lamp', 'new lamp'])
    expect(await queries(`?search=${encoded('back\\slash')}`)).toEqual(['"back\\slash", comma'])
    for (const odd of ['%25', '%27', '%00', '%5C%5C', '%22%20OR%201%3D1']) expect(await queries(`?search=${odd}`)).toEqual([])
    expect(await queries('?positionMin=15&positionMax=15&sort=query')).toEqual(['=1+1', 'new lamp'])
    expect(await queries('?positionMax=1')).toEqual(['Acme Lamps'])
    expect(await queries('?brand=brand')).toEqual(['Acme Lamps'])
    expect(await queries('?brand=non-brand')).not.toContain('Acme Lamps')
  })

  test('are sorted, best first by default', async ({ reading: { list, queries } }) => {
    const all = await list()
    for (const sort of ['clicks', 'impressions', 'ctr', 'position'] as const) {
      const rising = all.map((row) => row[sort]).toSorted((a, b) => a - b)
      expect((await list(`?sort=${sort}&order=asc`)).map((row) => row[sort])).toEqual(rising)
      expect((await list(`?sort=${sort}&order=desc`)).map((row) => row[sort])).toEqual(rising.toReversed())
      expect((await list(`?sort=${sort}`)).map((row) => row[sort])).toEqual(sort === 'position' ? rising : rising.toReversed())
    }
    expect(await queries('?limit=1&sort=query')).toEqual(['"back\\slash", comma'])
  })
})

describe('opportunities', () => {
  const ask = async (owner: Visitor, query = '') => opportunities.parse((await owner.get(`/api/keywords/opportunities${query}`)).body)

  test("score the weekly clicks that position 3 would bring by the property's own curve, without brand queries", async ({
    app,
    owner,
    reading: { atGoogle },
  }) => {
    const bins = new Map<number, { position: number; impressions: number; clicks: number }>()
    for (const { keys, impressions, clicks, position = 0 } of (
      await app.google.totals({ site, start: firstDay, end: through, dims: 'date,query' })
    ).rows) {
      if (keys[1] === 'Acme Lamps') continue
      const at = Math.min(20, Math.round(position))
      const bin = bins.get(at) ?? { position: at, impressions: 0, clicks: 0 }
      bins.set(at, { position: at, impressions: bin.impressions + impressions, clicks: bin.clicks + clicks })
    }
    const curve = fitCtrCurve([...bins.values()])
    const google = await atGoogle(current)
    const expected = [...google]
      .map(([query, { impressions, position = 0 }]) => ({ query, score: opportunityScore({ impressions, position, days: 7 }, curve) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
    const answer = await ask(owner)
    expect(answer.map(({ query }) => query)).toEqual(expected.map(({ query }) => query))
    for (const [i, { score }] of expected.entries()) expect(answer[i]?.opportunityScore).toBeCloseTo(score, 6)
    expect(answer.map(({ query }) => query)).not.toContain('Acme Lamps')
  })

  test('are the keywords with a score above 0; the others are worth 0', async ({ owner, reading: { list } }) => {
    const all = await ask(owner)
    const scored = await list('?sort=opportunityScore')
    expect(scored.slice(0, all.length)).toEqual(all)
    expect(scored.length).toBeGreaterThan(all.length)
    expect(scored.slice(all.length).every(({ opportunityScore: score }) => score === 0)).toBe(true)
  })

  test('keywords have the same scores, and 0 if there is nothing to gain; sorted by score, the highest come first', async ({
    owner,
    reading: { list },
  }) => {
    const scores = new Map((await ask(owner)).map(({ query, opportunityScore: score }) => [query, score]))
    const all = await list('?sort=opportunityScore')
    expect(all.map(({ query, opportunityScore: score }) => [query, score])).toEqual(all.map(({ query }) => [query, scores.get(query) ?? 0]))
    expect(all.map((row) => row.opportunityScore)).toEqual(all.map((row) => row.opportunityScore).toSorted((a, b) => b - a))
    expect(all.find(({ query }) => query === 'Acme Lamps')?.opportunityScore).toBe(0)
    expect((await list('?presence=lost')).map((row) => row.opportunityScore)).toEqual([0])
  })

  test('are as many as requested, with the requested positions and scores', async ({ owner }) => {
    const all = await ask(owner)
    expect(await ask(owner, '?limit=1')).toEqual(all.slice(0, 1))
    expect((await ask(owner, '?positionMin=15&positionMax=15')).map(({ query }) => query).toSorted()).toEqual(['=1+1', 'new lamp'])
    const least = all[1]!.opportunityScore
    expect(await ask(owner, `?scoreMin=${least}`)).toHaveLength(2)
    expect((await ask(owner, '?sort=position')).map(({ position }) => position)).toEqual(
      all.map(({ position }) => position).toSorted((a, b) => a - b),
    )
  })
})

describe('pages of a keyword', () => {
  test('share its impressions', async ({ owner }) => {
    const answer = keywordPages.parse((await owner.get('/api/keywords/pages?query=lamp')).body)
    expect(answer).toMatchObject([
      { page: page('a'), clicks: 49, impressions: 700, position: 4, share: 700 / 1050, previous: { clicks: 70, impressions: 700 } },
      { page: page('c'), clicks: 21, impressions: 350, position: 6, share: 350 / 1050, previous: null },
    ])
    expect((await owner.get('/api/keywords/pages?query=nobody')).body).toEqual([])
  })

  test('compete if two of them have a tenth of the impressions each', async ({ owner }) => {
    const answer = competingKeywords.parse((await owner.get('/api/keywords/competing')).body)
    expect(answer).toMatchObject([
      {
        query: 'lamp',
        brand: false,
        previous: { clicks: 70, impressions: 700 },
        atStake: 350,
        pages: [{ page: page('a') }, { page: page('c'), share: 1 / 3 }],
      },
    ])
    expect((await owner.get('/api/keywords/competing?brand=brand')).body).toEqual([])
  })
})

describe('a file', () => {
  const file = async (owner: Visitor, path: string) => {
    const answer = await owner.get(path)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [header = [], ...rows] = readCsv(answer.body as string)
    for (const row of rows) expect(row).toHaveLength(header.length)
    return { name: /filename="([^"]*)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1], header, rows }
  }

  test('has every matching row, even if there are more than are read at once', async ({ owner }) => {
    const { name, header, rows } = await file(owner, '/api/keywords/export.csv?days=28&search=q%20&compare=none')
    expect(name).toBe('ranklark-https_acme-lamps.example-keywords-2026-02-16-2026-03-15.csv')
    expect(header).toEqual(['query', 'page', 'pages', 'brand', 'opportunity score', 'clicks', 'impressions', 'ctr', 'position'])
    expect(rows).toHaveLength(busyQueries)
    expect(new Set(rows.map(([query]) => query)).size).toBe(busyQueries)
    expect(rows[0]).toEqual(['q 0', page('a'), '1', 'no', expect.stringMatching(/^0(\.\d\d?)?$/), '0', '1', '0', '40'])
  })

  test('includes the comparison, and nothing that a spreadsheet would calculate', async ({ owner }) => {
    const { header, rows } = await file(owner, '/api/keywords/export.csv')
    expect(header.slice(-4)).toEqual(['previous clicks', 'previous impressions', 'previous ctr', 'previous position'])
    expect(rows.find(([query]) => query === 'lamp')?.slice(-4)).toEqual(['70', '700', '0.1', '4'])
    expect(rows.find(([query]) => query === "'=1+1")?.slice(-4)).toEqual(['', '', '', ''])
    expect(rows.map(([query]) => query)).toContain('"back\\slash", comma')
  })

  test('exists for opportunities, competing pages, and new and lost keywords', async ({ owner }) => {
    expect((await file(owner, '/api/keywords/opportunities/export.csv?positionMin=15&positionMax=15')).rows).toHaveLength(2)
    const competing = await file(owner, '/api/keywords/competing/export.csv')
    expect(competing.name).toContain('competing-pages')
    expect(competing.rows.map((row) => [row[0], row[10], row[11]])).toEqual([
      ['lamp', page('a'), '0.666667'],
      ['lamp', page('c'), '0.333333'],
    ])
    const lost = await file(owner, '/api/keywords/export.csv?presence=lost')
    expect(lost.name).toContain('lost-keywords')
    expect(lost.rows).toHaveLength(1)
  })
})

describe('invalid input is answered with 400, the field and a message for people', () => {
  test.for([
    ['days=30', 'days', 'days must be 7, 28 or 90'],
    ['days=x', 'days', 'days must be 7, 28 or 90'],
    ['days=7&days=28', 'days', 'days must be 7, 28 or 90'],
    ['limit=0', 'limit', 'limit must be a whole number from 1 to 1,000'],
    ['limit=1.5', 'limit', 'limit must be a whole number from 1 to 1,000'],
    ['limit=1001', 'limit', 'limit must be a whole number from 1 to 1,000'],
    ['positionMin=0', 'positionMin', 'Position must be a number from 1 to 1,000'],
    ['positionMax=top', 'positionMax', 'Position must be a number from 1 to 1,000'],
    ['sort=page', 'sort', expect.stringContaining('"clicks"')],
    ['order=up', 'order', expect.stringContaining('"asc"')],
    ['compare=ever', 'compare', 'compare must be previous, year, none, or the first day to compare with: 2026-01-01'],
    ['brand=mine', 'brand', expect.stringContaining('"non-brand"')],
    ['presence=past', 'presence', expect.stringContaining('"lost"')],
    [`search=${'x'.repeat(201)}`, 'search', 'A search term can have up to 200 characters'],
  ] as const)('%.30s', async ([query, field, message], { owner }) => {
    expect(await owner.get(`/api/keywords?${query}`)).toMatchObject({ status: 400, body: { field, message } })
  })
})

test('a day that Google revises appears right after the next sync, in lists and files', { tags: ['full'] }, async ({ app }) => {
  const revisedSite = 'https://revised-lamps.example/'
  const owner = await lampSeller(app, revisedSite, 'revised@example.test')
  await watchedAtOnce(app, revisedSite, { days: 14 })
  const lampOf = async () => keywords.parse((await owner.get('/api/keywords?search=lamp')).body)[0]
  const lamp = await lampOf()
  await app.google.setRows(revisedSite, through, [{ query: 'lamp', page: page('z'), clicks: 1_000, impressions: 2_000, position: 2 }])
  await refresh(owner, revisedSite)
  const revised = await lampOf()
  expect(revised).toMatchObject({ query: 'lamp', page: page('z'), pages: 3, clicks: lamp!.clicks - 10 + 1_000 })
  const csv = readCsv((await owner.get('/api/keywords/export.csv?search=lamp')).body as string)
  expect(csv.find(([query]) => query === 'lamp')?.[5]).toBe(String(revised!.clicks))
})
