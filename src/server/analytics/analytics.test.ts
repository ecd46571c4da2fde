import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { readCsv } from '../../../test/support/csv.ts'
import { newPerson, propertyId, refresh, registered, select } from '../../../test/support/people.ts'
import { ownerAtOnce, watchedAtOnce } from '../../../test/support/stored-history.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { analyticsDays, analyticsSummary, segments } from '../../contract/analytics.ts'
import { brandList, brandSplit } from '../../contract/brand.ts'
import { keywords, pageKeywords } from '../../contract/keywords.ts'
import { decay, pages } from '../../contract/pages.ts'
import { searchResults } from '../../contract/search.ts'
import { addDays } from '../../core/analytics/days.ts'

const site = 'https://harbour-lane.example/'
/** Sixty days are stored. */
const firstDay = '2026-01-18'

const test = appTest({ today: '2026-03-18', demo: false, prepares: true })
  .extend('owner', { scope: 'file' }, async ({ app }) => {
    const owner = await newPerson(app, { sites: { [site]: 'local' } })
    await app.google.setToday('2026-03-17')
    await watchedAtOnce(app, site, { from: firstDay })
    // The last day arrives like any other, with everything that follows.
    await app.google.setToday('2026-03-18')
    await refresh(owner, site)
    return owner
  })
  .extend('reading', { scope: 'file' }, ({ app, owner }) => {
    const google = async (span: Span, dims = '') => app.google.totals({ site, start: span.start, end: span.end, dims })
    const summary = async (query = '') => analyticsSummary.parse((await owner.get(`/api/analytics/summary${query}`)).body)
    const windowsMade = async () => {
      const { clickhouse } = await app.stores()
      const answer = await clickhouse.query({
        query: `SELECT window FROM windows WHERE property = ${await propertyId(app, site)}`,
        format: 'JSONEachRow',
      })
      return (await answer.json<{ window: string }>()).map(({ window }) => window).toSorted()
    }
    return { google, summary, windowsMade }
  })

type Span = { start: string; end: string }
const sumOf = (rows: readonly { clicks: number; impressions: number }[]) => ({
  clicks: rows.reduce((sum, row) => sum + row.clicks, 0),
  impressions: rows.reduce((sum, row) => sum + row.impressions, 0),
})
const encoded = encodeURIComponent

test('reports that a first reader would have to wait for are prepared as soon as days are complete', async ({
  reading: { windowsMade },
}) => {
  expect((await until(windowsMade, (made) => made.length >= 3)).length).toBeGreaterThanOrEqual(3)
})

describe('the summary', () => {
  test("has the property's totals, and how much of them the lists cover", async ({ reading: { google, summary } }) => {
    const answer = await summary()
    expect(answer.previous).toEqual({ start: addDays(answer.current.start, -7), end: addDays(answer.current.start, -1) })
    expect(answer).toMatchObject({ property: site, currentFrom: answer.current.start, previousFrom: answer.previous?.start })
    const [total, before] = [(await google(answer.current)).total, (await google(answer.previous!)).total]
    expect(answer.totals).toMatchObject({ clicks: total.clicks, impressions: total.impressions })
    expect(answer.totals.position).toBeCloseTo(total.position!, 8)
    expect(answer.previousTotals).toMatchObject({ clicks: before.clicks, impressions: before.impressions })
    for (const [part, dims] of [
      ['pages', 'page'],
      ['keywords', 'query'],
    ] as const) {
      const { rows } = await google(answer.current, dims)
      const totals = { clicks: total.clicks, impressions: total.impressions }
      expect(answer[part]).toEqual({ count: rows.length, ...sumOf(rows), totals, cutOffDays: 0, gaps: [], previousGaps: [] })
    }
    expect(answer.keywords.clicks).toBeLessThan(answer.totals.clicks)
  })

  test('says since which day figures are stored', async ({ reading: { summary } }) => {
    const answer = await summary('?days=90')
    expect(answer.currentFrom).toBe(firstDay)
    expect(answer.currentFrom! > answer.current.start).toBe(true)
    expect(answer).toMatchObject({ previousFrom: null, previousTotals: null })
    expect(await summary('?compare=none')).toMatchObject({ previous: null, previousFrom: null, previousTotals: null })
    expect(await summary('?compare=year')).toMatchObject({ previousFrom: null, previousTotals: null })
  })
})

test("a period with missing days isn't compared: everything would seem to have grown", { tags: ['full'] }, async ({ app }) => {
  const part = await ownerAtOnce(app, 'https://part.example/', { profile: 'local', days: 40, email: 'part@example.test' })
  const ask = async (path: string) => (await part.get(path)).body
  const { previous, previousFrom, previousTotals } = analyticsSummary.parse(await ask('/api/analytics/summary?days=28'))
  expect(previousFrom! > previous!.start && previousFrom! < previous!.end).toBe(true)
  expect(previousTotals).toBeNull()
  const lists = [
    keywords.parse(await ask('/api/keywords?days=28')),
    pages.parse(await ask('/api/pages?days=28')),
    segments.parse(await ask('/api/analytics/segments?days=28&dimension=device')),
  ]
  for (const list of lists) {
    expect(list.length).toBeGreaterThan(0)
    expect(list.filter((row) => row.previous !== null)).toEqual([])
  }
  const week = keywords.parse(await ask('/api/keywords?days=7'))
  expect(week.some((row) => row.previous !== null)).toBe(true)
})

test.for(['device', 'country'] as const)(
  'every %s has its own figures, most clicks first',
  async (dimension, { owner, reading: { google, summary } }) => {
    const { current, previous } = await summary('?days=28')
    const answer = segments.parse((await owner.get(`/api/analytics/segments?days=28&dimension=${dimension}`)).body)
    const [now, before] = [await google(current, dimension), await google(previous!, dimension)]
    const nowOf = new Map(now.rows.map((row) => [row.keys[0], row]))
    const beforeOf = new Map(before.rows.map((row) => [row.keys[0], row]))
    expect(answer.map(({ name }) => name).toSorted()).toEqual([...new Set([...nowOf.keys(), ...beforeOf.keys()])].toSorted())
    for (const { name, clicks, impressions, previous: then } of answer) {
      expect({ clicks, impressions }).toEqual(sumOf([nowOf.get(name) ?? { clicks: 0, impressions: 0 }]))
      expect(then ? sumOf([then]) : null).toEqual(beforeOf.has(name) ? sumOf([beforeOf.get(name)!]) : null)
    }
    expect(answer.map(({ clicks }) => clicks)).toEqual(answer.map(({ clicks }) => clicks).toSorted((a, b) => b - a))
  },
)

describe('days', () => {
  const days = async (owner: Visitor, query = '') => analyticsDays.parse((await owner.get(`/api/analytics/days${query}`)).body)

  test('for the property cover both periods, oldest first', async ({ owner, reading: { google } }) => {
    const answer = await days(owner)
    for (const [period, list] of [
      [answer.current, answer.days],
      [answer.previous!, answer.previousDays],
    ] as const) {
      const { rows } = await google(period, 'date')
      expect(list.map(({ date, clicks, impressions }) => [date, clicks, impressions])).toEqual(
        rows.map(({ keys, clicks, impressions }) => [keys[0], clicks, impressions]),
      )
    }
    expect((await days(owner, '?compare=none')).previousDays).toEqual([])
  })

  test('for a page or a query are those of its own grain', async ({ owner, reading: { google } }) => {
    const [row] = keywords.parse((await owner.get('/api/keywords?limit=1')).body)
    const { current } = await days(owner)
    for (const [name, key] of [
      ['query', row!.query],
      ['page', row!.page],
    ] as const) {
      const { rows } = await google(current, `date,${name}`)
      expect((await days(owner, `?${name}=${encoded(key)}`)).days.map(({ date, clicks }) => [date, clicks])).toEqual(
        rows.filter(({ keys }) => keys[1] === key).map(({ keys, clicks }) => [keys[0], clicks]),
      )
    }
    const { rows } = await google(current, 'date,query,page')
    const both = await days(owner, `?query=${encoded(row!.query)}&page=${encoded(row!.page)}`)
    const expected = rows.filter(({ keys }) => keys[1] === row!.query && keys[2] === row!.page)
    expect(sumOf(both.days)).toEqual(sumOf(expected))
    expect((await days(owner, '?page=none')).days).toEqual([])
  })
})

describe('pages', () => {
  test('have their own figures, CTR in percent with two decimals and position with one', async ({
    owner,
    reading: { google, summary },
  }) => {
    const answer = pages.parse((await owner.get('/api/pages')).body)
    const { current, previous } = await summary()
    const [now, before] = [(await google(current, 'page')).rows, (await google(previous!, 'page')).rows]
    expect(answer).toHaveLength(now.length)
    const beforeOf = new Map(before.map((row) => [row.keys[0], row]))
    for (const row of answer) {
      const there = now.find(({ keys }) => keys[0] === row.page)!
      expect(row).toMatchObject({ clicks: there.clicks, impressions: there.impressions })
      expect(Number(row.ctr)).toBeCloseTo(there.ctr * 100, 1)
      expect(row.ctr).toMatch(/^\d+\.\d\d$/)
      expect(row.position).toMatch(/^\d+\.\d$/)
      expect(row.previous?.clicks).toBe(beforeOf.get(row.page)?.clicks)
    }
  })

  test('come with their clicks over time on request: the first 20, from the compared days on', async ({
    owner,
    reading: { google, summary },
  }) => {
    const answer = pages.parse((await owner.get('/api/pages?days=7&trend=clicks&limit=3&offset=1')).body)
    const { current, previous } = await summary()
    expect(answer).toHaveLength(3)
    for (const { clicks, previous: before, trend } of answer) {
      expect(trend?.days).toEqual({ start: previous!.start, end: current.end })
      const [earlier, now] = [trend!.clicks.slice(0, 7), trend!.clicks.slice(7)].map((part) =>
        part.reduce<number>((sum, each) => sum + (each ?? 0), 0),
      )
      expect([earlier, now]).toEqual([before?.clicks ?? 0, clicks])
    }
    expect((await google(current, 'page')).rows.length).toBeGreaterThan(3)
    expect(await owner.get('/api/pages?trend=ctr')).toMatchObject({ status: 400, body: { field: 'trend' } })
  })

  test('are sorted and filtered, in files as on screen', async ({ owner }) => {
    const all = pages.parse((await owner.get('/api/pages')).body)
    expect(all.map(({ clicks }) => clicks)).toEqual(all.map(({ clicks }) => clicks).toSorted((a, b) => b - a))
    const low = pages.parse((await owner.get('/api/pages?sort=impressions&order=asc&impressionsAbove=50&ctrBelow=5')).body)
    expect(low.map(({ page }) => page).toSorted()).toEqual(
      all
        .filter(({ impressions, ctr }) => impressions > 50 && Number(ctr) < 5)
        .map(({ page }) => page)
        .toSorted(),
    )
    expect(low.map(({ impressions }) => impressions)).toEqual(low.map(({ impressions }) => impressions).toSorted((a, b) => a - b))
    const answer = await owner.get('/api/pages/export.csv?sort=impressions&order=asc&impressionsAbove=50&ctrBelow=5&search=HARBOUR')
    const [header, ...rows] = readCsv(answer.body as string)
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
    expect(rows.map(([page, clicks]) => [page, Number(clicks)])).toEqual(low.map(({ page, clicks }) => [page, clicks]))
    expect(await owner.get('/api/pages?ctrBelow=much')).toMatchObject({ status: 400, body: { field: 'ctrBelow' } })
  })

  test('list the queries that lead to them', async ({ owner, reading: { google, summary } }) => {
    const { current } = await summary()
    const { rows } = await google(current, 'query,page')
    const here = rows.filter(({ keys }) => keys[1] === site)
    const answer = pageKeywords.parse((await owner.get(`/api/pages/keywords?page=${encoded(site)}&limit=1000`)).body)
    expect(answer.map(({ query, clicks }) => `${query} ${clicks}`).toSorted()).toEqual(
      here.map(({ keys, clicks }) => `${keys[0]} ${clicks}`).toSorted(),
    )
    expect(answer.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9)
    expect(await owner.get('/api/pages/keywords')).toMatchObject({ status: 400, body: { field: 'page' } })
  })

  test('that lose clicks three periods in a row are listed, if all four periods are stored', async ({ owner, reading: { google } }) => {
    const answer = decay.parse((await owner.get('/api/pages/decay')).body)
    expect(answer.complete).toBe(true)
    const clicks = await Promise.all(
      answer.periods.map(async (period) => new Map((await google(period, 'page')).rows.map(({ keys, clicks: n }) => [keys[0] ?? '', n]))),
    )
    const counts = (page: string) => clicks.map((of) => of.get(page) ?? 0)
    const falling = [...new Set(clicks.flatMap((of) => [...of.keys()]))].filter((page) =>
      counts(page).every((n, i, all) => i === 0 || n < all[i - 1]!),
    )
    expect(falling.length).toBeGreaterThan(0)
    expect(answer.pages.map(({ page }) => page).toSorted()).toEqual(falling.toSorted())
    for (const row of answer.pages) expect(row.clicks).toEqual(counts(row.page))
    const lost = answer.pages.map((row) => row.clicks[0]! - row.clicks[3]!)
    expect(lost).toEqual(lost.toSorted((a, b) => b - a))
    const [header, ...lines] = readCsv((await owner.get('/api/pages/decay/export.csv')).body as string)
    expect(header).toHaveLength(10)
    expect(lines.map((line) => [line[0], line.at(-1)])).toEqual(answer.pages.map(({ page }, i) => [page, String(lost[i])]))
    expect((await owner.get('/api/pages/decay?days=28')).body).toMatchObject({ complete: false, pages: [] })
  })
})

describe('the brand', () => {
  test("is suggested from the property's name until a list is saved", async ({ owner, reading: { google, summary } }) => {
    expect((await owner.get('/api/brand')).body).toEqual({ terms: ['harbour-lane', 'harbour lane'], suggested: true })
    const split = brandSplit.parse((await owner.get('/api/brand/split')).body)
    const { current, totals, keywords: listed } = await summary()
    const { rows } = await google(current, 'query')
    const ours = rows.filter(({ keys }) => keys[0]?.includes('harbour lane'))
    expect(split.brand).toMatchObject(sumOf(ours))
    expect(split.nonBrand.clicks).toBe(listed.clicks - split.brand.clicks)
    expect(split.hidden).toEqual({ clicks: totals.clicks - listed.clicks, impressions: totals.impressions - listed.impressions })
    expect(sumOf(split.brandDays)).toEqual(sumOf([split.brand]))
    expect(sumOf(split.nonBrandDays)).toEqual(sumOf([split.nonBrand]))
    expect(split.brand.previous).not.toBeNull()
  })

  test("is the owner's list from then on, which may be empty", async ({ app }) => {
    const listed = 'https://harbour-street.example/'
    const owner = await ownerAtOnce(app, listed, { profile: 'local', days: 21, email: 'listed@example.test' })
    const save = (terms: unknown) => owner.send('PUT', '/api/brand', { terms })
    expect(await save(['  Physio ', 'physio'])).toMatchObject({ status: 200, body: { terms: ['physio'], suggested: false } })
    expect(brandList.parse((await owner.get('/api/brand')).body)).toEqual({ terms: ['physio'], suggested: false })
    const marked = keywords.parse((await owner.get('/api/keywords?limit=1000')).body)
    expect(marked.every(({ query, brand }) => brand === query.includes('physio'))).toBe(true)
    const { current } = analyticsSummary.parse((await owner.get('/api/analytics/summary')).body)
    const { rows } = await app.google.totals({ site: listed, ...current, dims: 'query' })
    const ours = sumOf(rows.filter(({ keys }) => keys[0]?.includes('physio')))
    expect(ours.clicks).toBeGreaterThan(0)
    const split = brandSplit.parse((await owner.get('/api/brand/split?compare=none')).body)
    expect(split.brand).toMatchObject({ ...ours, previous: null })
    expect((await save([])).body).toEqual({ terms: [], suggested: false })
    expect((await owner.get('/api/keywords?brand=brand')).body).toEqual([])
    for (const terms of [
      ['x'],
      ['- -'],
      ['a\nb'],
      ['a\0b'],
      ['x'.repeat(101)],
      Array.from({ length: 51 }, (_, i) => `term ${i}`),
      'no list',
    ])
      expect(await save(terms)).toMatchObject({ status: 400, body: { field: expect.stringMatching(/^terms/) } })
  })
})

test("the palette finds the last 28 days' keywords and pages by clicks, or those of the days on screen, at most 8 of each", async ({
  owner,
  reading: { google, summary },
}) => {
  const found = searchResults.parse((await owner.get('/api/search?q=PHYSIO')).body)
  const { current } = await summary('?days=28')
  const { rows } = await google(current, 'query')
  const best = rows.filter(({ keys }) => keys[0]?.includes('physio')).toSorted((a, b) => b.clicks - a.clicks)
  expect(found.keywords.map(({ clicks }) => clicks)).toEqual(best.slice(0, 8).map(({ clicks }) => clicks))
  expect(found.pages.length).toBeLessThanOrEqual(8)
  const week = await google((await summary('?days=7')).current, 'query')
  const inWeek = week.rows.filter(({ keys }) => keys[0]?.includes('physio')).toSorted((a, b) => b.clicks - a.clicks)
  const ofWeek = searchResults.parse((await owner.get('/api/search?q=PHYSIO&range=7d&compare=none')).body)
  expect(ofWeek.keywords.map(({ clicks }) => clicks)).toEqual(inWeek.slice(0, 8).map(({ clicks }) => clicks))
  expect(found.pages.every(({ page }) => page.includes('physio'))).toBe(true)
  expect((await owner.get('/api/search?q=%00%5C')).body).toEqual({ keywords: [], pages: [] })
  expect(await owner.get('/api/search?q=%20')).toMatchObject({ status: 400, body: { field: 'q', message: 'Enter a search term' } })
})

test('the daily file has every row of every day of the period as given by Google, and starts the way spreadsheets need it to', async ({
  app,
  owner,
  reading: { google, summary },
}) => {
  const { current } = await summary()
  const { rows } = await google(current, 'date,query,page')
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(new URL('/api/analytics/daily.csv?grain=query_page', app.url), { headers: { cookie } })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf])
  const [header, ...lines] = readCsv(new TextDecoder().decode(bytes))
  expect(header).toEqual(['date', 'search type', 'query', 'page', 'clicks', 'impressions', 'ctr', 'position', 'cut off'])
  expect(lines.map((line) => [line[0], line[2], line[3], line[4]].join(' ')).toSorted()).toEqual(
    rows.map(({ keys, clicks }) => [...keys, clicks].join(' ')).toSorted(),
  )
  expect(answer.headers.get('content-disposition')).toContain(`daily-query-page-${current.start}-${current.end}.csv`)
  expect(await owner.get('/api/analytics/daily.csv?grain=hour')).toMatchObject({ status: 400, body: { field: 'grain' } })
})

test('prepared reports survive a restart', { tags: ['full'] }, async ({ app, owner, reading: { windowsMade } }) => {
  const read = async () => {
    for (const path of ['/api/keywords', '/api/pages?days=90']) expect((await owner.get(path)).status).toBe(200)
  }
  await read()
  const before = await windowsMade()
  await app.restart()
  await read()
  expect(await windowsMade()).toEqual(before)
})

describe('with nothing to show', () => {
  const objects = ['/api/analytics/summary', '/api/analytics/days', '/api/pages/decay', '/api/brand/split']
  const lists = [
    '/api/analytics/segments?dimension=device',
    '/api/keywords',
    '/api/keywords/opportunities',
    '/api/keywords/competing',
    '/api/keywords/pages?query=x',
    '/api/pages',
    '/api/pages/keywords?page=x',
  ]
  const nothing = async (person: Visitor, query = '') => {
    const withQuery = (path: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`
    for (const path of objects) expect(await person.get(withQuery(path))).toMatchObject({ status: 200, body: null })
    for (const path of lists) expect(await person.get(withQuery(path))).toMatchObject({ status: 200, body: [] })
    expect((await person.get(withQuery('/api/search?q=x'))).body).toEqual({ keywords: [], pages: [] })
  }

  test('no property is selected, or no complete day is stored yet', { tags: ['full'] }, async ({ app }) => {
    const person = await newPerson(app, { email: 'new@example.test', sites: { 'https://new.example/': 'empty' } })
    await nothing(person)
    expect((await person.get('/api/brand')).body).toBeNull()
    for (const [method, path] of [
      ['PUT', '/api/brand'],
      ['GET', '/api/keywords/export.csv'],
    ] as const) {
      const answer = method === 'PUT' ? await person.send(method, path, { terms: [] }) : await person.get(path)
      expect(answer).toMatchObject({ status: 409, body: { message: 'Select a property first.', field: 'property' } })
    }
    await app.google.fail({ error: 'loadQuota', times: 1000, kind: 'query' })
    await select(person, 'https://new.example/')
    await nothing(person)
    expect((await person.get('/api/brand')).body).toEqual({ terms: ['new'], suggested: true })
    expect(readCsv((await person.get('/api/pages/export.csv')).body as string)).toHaveLength(1)
    expect(readCsv((await person.get('/api/pages/decay/export.csv')).body as string)).toHaveLength(1)
    expect(readCsv((await person.get('/api/analytics/daily.csv?grain=page')).body as string)).toHaveLength(1)
    await app.google.stopFailing()
  })

  test('an import without queries has pages, but no keywords', { tags: ['full'] }, async ({ app }) => {
    const property = 'https://imported.example/'
    const person = await registered(app, 'importer')
    const form = new FormData()
    form.append('property', property)
    form.append(
      'file',
      new Blob([
        'date,page,clicks,impressions,position\n2026-03-10,https://imported.example/a,3,40,2\n2026-03-14,https://imported.example/a,1,10,4\n',
      ]),
      'pages.csv',
    )
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const imported = await fetch(new URL('/api/import', app.url), { method: 'POST', body: form, headers: { cookie } })
    expect(imported.status).toBeLessThan(300)
    const named = `property=${encoded(property)}`
    expect((await person.get(`/api/pages?${named}`)).body).toMatchObject([
      { page: `${property}a`, clicks: 4, impressions: 50, ctr: '8.00', position: '2.4' },
    ])
    expect((await person.get(`/api/keywords?${named}`)).body).toEqual([])
    expect((await person.get(`/api/keywords/opportunities?${named}`)).body).toEqual([])
    const answer = analyticsSummary.parse((await person.get(`/api/analytics/summary?${named}`)).body)
    expect(answer).toMatchObject({
      currentFrom: '2026-03-10',
      totals: { clicks: 4 },
      pages: { count: 1 },
      keywords: { count: 0, clicks: 0 },
    })
    // Unknown isn't anonymized.
    expect(brandSplit.parse((await person.get(`/api/brand/split?${named}`)).body).hidden.clicks).toBe(0)
  })
})
