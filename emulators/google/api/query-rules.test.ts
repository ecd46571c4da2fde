import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBench, SHOP, BLOG, LOCAL } from '../testing.ts'
import type { Bench } from '../testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.google.close())

const message = async (body: Record<string, unknown>, site = SHOP): Promise<string | undefined> => {
  const answer = await bench.query(site, body)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toMatchObject({ code: 400, errors: [{ message: answer.body.error?.message, domain: 'global' }] })
  return answer.body.error?.message
}

test.each([
  [{ dimensions: ['date', 'query', 'date'] }, 'Duplicate dimensions are not allowed.'],
  [{ dimensions: ['date', 'DATE'] }, 'Duplicate dimensions are not allowed.'],
  [{ dimensions: ['searchAppearance', 'page'] }, 'Cannot group by search appearance dimension together with another dimension.'],
  [{ dimensions: ['date', 'hour'], dataState: 'hourly_all' }, 'Request cannot be grouped by both date and hour'],
  [{ dimensions: ['hour'] }, 'Grouping by HOUR requires setting dataState=HOURLY_ALL'],
  [{ dimensions: ['page'], aggregationType: 'byProperty' }, "'BY_PROPERTY' is not a valid aggregation type in the context of the request."],
])('%j answers 400 in Google’s words', async (body, expected) => {
  expect(await message(body)).toBe(expected)
})

test.each([
  [{ startDate: '2026-07-08' }],
  [{ startDate: '2026-02-30' }],
  [{ startDate: '01.07.2026' }],
  [{ endDate: undefined }],
  [{ rowLimit: 0 }],
  [{ rowLimit: 25_001 }],
  [{ rowLimit: 1.5 }],
  [{ startRow: -1 }],
  [{ dimensions: ['pages'] }],
  [{ dimensions: 'page' }],
  [{ type: 'maps' }],
  [{ dataState: 'hourly_all', dimensions: ['date'] }],
  [{ dataState: 'fresh' }],
  [{ limit: 5 }],
  [{ dimensionFilterGroups: [{ groupType: 'or', filters: [] }] }],
  [{ dimensionFilterGroups: [{ filters: [{ dimension: 'query', operator: 'includingRegex', expression: 'a(?=b)' }] }] }],
  [{ dimensionFilterGroups: [{ filters: [{ dimension: 'query', operator: 'includingRegex', expression: '(a' }] }] }],
  [{ dimensionFilterGroups: [{ filters: [{ dimension: 'date', expression: '2026-07-01' }] }] }],
  [{ type: 'discover', dimensions: ['query'] }],
  [{ type: 'googleNews', dimensions: ['query'] }],
  [{ type: 'discover', dimensions: ['device'] }],
  [{ type: 'googleNews', dimensions: ['searchAppearance'] }],
])('%j answers 400', async (body) => {
  expect(await message(body)).toBeTruthy()
})

test('the byProperty error has the recorded body', async () => {
  const text = "'BY_PROPERTY' is not a valid aggregation type in the context of the request."
  expect((await bench.query(SHOP, { dimensions: ['page'], aggregationType: 'byProperty' })).body).toEqual({
    error: {
      code: 400,
      message: text,
      errors: [{ message: text, domain: 'global', reason: 'invalidParameter', location: 'aggregation_type', locationType: 'parameter' }],
    },
  })
})

test('no dimensions: one row without keys, no metadata', async () => {
  const { body } = await bench.query(SHOP, { dataState: 'all', endDate: '2026-07-15' })
  expect(body.rows).toHaveLength(1)
  expect(body.rows?.[0]).not.toHaveProperty('keys')
  expect(body).not.toHaveProperty('metadata')
  expect(body.responseAggregationType).toBe('byProperty')
})

test('out-of-range dates are clamped with 200', async () => {
  const whole = await bench.query(SHOP, { startDate: '2001-01-01', endDate: '2099-01-01', dimensions: ['date'], rowLimit: 25_000 })
  expect(whole.status).toBe(200)
  expect(whole.body.rows?.[0]?.keys).toEqual(['2025-03-15'])
  expect(['2026-07-12', '2026-07-13']).toContain(whole.body.rows?.at(-1)?.keys?.[0])
  const before = await bench.query(SHOP, { startDate: '2001-01-01', endDate: '2001-02-01', dimensions: ['date'] })
  expect(before.body).toEqual({ responseAggregationType: 'byProperty' })
})

test('rowLimit defaults to 1,000; pages follow each other without gap or repeat; past the end there is no rows key', async () => {
  const ask = { dimensions: ['query', 'page'] }
  const all = (await bench.query(SHOP, { ...ask, rowLimit: 25_000 })).body.rows ?? []
  const first = (await bench.query(SHOP, ask)).body.rows ?? []
  const second = (await bench.query(SHOP, { ...ask, startRow: 1000 })).body.rows ?? []
  expect(first).toHaveLength(1000)
  expect([...first, ...second]).toEqual(all)
  const past = await bench.query(SHOP, { ...ask, startRow: all.length })
  expect(past.status).toBe(200)
  expect(past.body).toEqual({ responseAggregationType: 'byPage' })
  const clicks = all.map((row) => row.clicks)
  expect(clicks).toEqual(clicks.toSorted((a, b) => b - a))
})

test('grouped by date, dates ascend whatever the order of dimensions, and keys follow the requested order', async () => {
  const { body } = await bench.query(LOCAL, { dimensions: ['device', 'DATE'] })
  const dates = (body.rows ?? []).map((row) => row.keys?.[1] ?? '')
  expect(dates).toEqual(dates.toSorted())
  expect(new Set(dates).size).toBe(7)
  expect(body.rows?.every((row) => ['DESKTOP', 'MOBILE', 'TABLET'].includes(row.keys?.[0] ?? ''))).toBe(true)
})

test("countries are lower-case alpha-3 and the case of names doesn't matter", async () => {
  const { body } = await bench.query(BLOG, { dimensions: ['COUNTRY'], dataState: 'FINAL', type: 'WEB' })
  expect(body.rows?.length).toBeGreaterThan(10)
  expect(body.rows?.every((row) => /^[a-z]{3}$/.test(row.keys?.[0] ?? ''))).toBe(true)
  expect((await bench.query(SHOP, { dimensions: ['SEARCH_APPEARANCE'] })).body.rows?.map((row) => row.keys?.[0])).toContain(
    'PRODUCT_SNIPPETS',
  )
})

test('discover and googleNews have no position; a type without data has no rows', async () => {
  for (const type of ['discover', 'googleNews']) {
    const { body } = await bench.query(BLOG, { type, dimensions: ['page'] })
    expect(body.rows?.length).toBeGreaterThan(5)
    for (const row of body.rows ?? []) expect(row).not.toHaveProperty('position')
  }
  expect((await bench.query(SHOP, { type: 'image', dimensions: ['query'] })).body.rows?.[0]?.position).toBeGreaterThan(0)
  expect((await bench.query(SHOP, { type: 'googleNews', dimensions: ['date'] })).body).not.toHaveProperty('rows')
})

test('ctr and position are computed from the counts', async () => {
  const { body } = await bench.query(SHOP, { dimensions: ['query', 'page'] })
  for (const row of body.rows ?? []) {
    expect(row.ctr).toBe(row.clicks / row.impressions)
    expect(row.clicks).toBeLessThanOrEqual(row.impressions)
    expect(row.position).toBeGreaterThanOrEqual(1)
    // A sum of whole positions divided by the impressions, exact to the last bit.
    expect(Math.abs((row.position ?? 0) * row.impressions - Math.round((row.position ?? 0) * row.impressions))).toBeLessThan(1e-6)
  }
})

test('responses are compressed for clients that accept it', async () => {
  const path = `/webmasters/v3/sites/${encodeURIComponent(SHOP)}/searchAnalytics/query`
  const token = await bench.tokenOf('demo@ranklark.example')
  const body = JSON.stringify({ startDate: '2026-07-01', endDate: '2026-07-07', dimensions: ['query'] })
  const ask = (encoding: string) =>
    fetch(bench.google.url + path, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'accept-encoding': encoding }, body })
  const [zipped, plain] = [await ask('gzip'), await ask('identity')]
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(await zipped.text()).toBe(await plain.text())
})
