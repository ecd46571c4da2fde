import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { DEMO_ACCOUNT, LOCAL, openBench, SHOP, sum } from '../testing.ts'
import type { Bench } from '../testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(() => bench.control('POST', 'reset', { keepTokens: true }))
afterAll(() => bench.google.close())

const totals = (params: Record<string, string>) => bench.control('GET', `totals?${new URLSearchParams(params)}`)

test("totals equal the API's answers, by date and summed", async () => {
  const range = { start: '2026-06-01', end: '2026-07-15' }
  const answer = await totals({ site: SHOP, ...range })
  const api = await bench.query(SHOP, { startDate: range.start, endDate: range.end, dimensions: ['date'] })
  const whole = await bench.query(SHOP, { startDate: range.start, endDate: range.end })
  expect(answer.rows).toEqual(api.body.rows)
  expect(answer['total']).toEqual(whole.body.rows?.[0])
  expect(answer['finalDate']).toBe(api.body.rows?.at(-1)?.keys?.[0])
  const pages = await totals({ site: SHOP, ...range, dims: 'page', dataState: 'all' })
  expect(pages['aggregation']).toBe('byPage')
})

test('a day can be given literally, whatever it contains', async () => {
  const nasty = [
    'it\'s "quoted" \\ back',
    '🙂🏽 emoji',
    'x'.repeat(2000),
    'مرحبا שלום ‮',
    'null \u0000 byte',
    '  spaces\tand\nlines ',
    '\ud83d half',
  ]
  const rows = nasty.map((query, i) => ({
    query,
    page: `https://www.lumenandloom.example/${encodeURIComponent(query.slice(0, 5).toWellFormed())}`,
    clicks: i,
    impressions: 10 + i,
    position: 1.5,
  }))
  await bench.control('PUT', 'rows', {
    site: SHOP,
    date: '2026-07-03',
    rows: [
      ...rows,
      { page: 'https://www.lumenandloom.example/', clicks: 3, impressions: 4, position: 2, country: 'xkx', device: 'TABLET' },
    ],
  })
  const one = { startDate: '2026-07-03', endDate: '2026-07-03' }
  const { body } = await bench.query(SHOP, { ...one, dimensions: ['query', 'page'] })
  expect(new Set(body.rows?.map((row) => row.keys?.[0]))).toEqual(new Set(nasty))
  expect(body.rows?.find((row) => row.clicks === 2)).toMatchObject({ impressions: 12, position: 1.5 })
  const total = (await bench.query(SHOP, one)).body.rows
  expect(total).toMatchObject([{ clicks: 24, impressions: 95 }])
  const countries = (await bench.query(SHOP, { ...one, dimensions: ['country', 'device'] })).body.rows
  expect(countries?.find((row) => row.keys?.[0] === 'xkx')).toEqual({
    keys: ['xkx', 'TABLET'],
    clicks: 3,
    impressions: 4,
    ctr: 0.75,
    position: 2,
  })
  expect(sum(countries, 'impressions')).toBe(95)
  await bench.control('PUT', 'rows', { site: SHOP, date: '2026-07-03', rows: null })
  expect((await bench.query(SHOP, one)).body.rows?.[0]?.clicks).toBeGreaterThan(100)
})

test('a day can have exactly 25,000 rows, or none', async () => {
  const rows = Array.from({ length: 25_000 }, (_, i) => ({
    query: `q${i}`,
    page: `https://x.example/${i % 100}`,
    clicks: 1,
    impressions: 2,
    position: 3,
  }))
  await bench.control('PUT', 'rows', { site: LOCAL, date: '2026-07-03', rows })
  const ask = { startDate: '2026-07-03', endDate: '2026-07-03', dimensions: ['date', 'query', 'page'], rowLimit: 25_000 }
  expect((await bench.query(LOCAL, ask)).body.rows).toHaveLength(25_000)
  expect((await bench.query(LOCAL, { ...ask, startRow: 25_000 })).body).not.toHaveProperty('rows')
  await bench.control('PUT', 'rows', { site: LOCAL, date: '2026-07-04', rows: [] })
  const days = (await bench.query(LOCAL, { startDate: '2026-07-03', endDate: '2026-07-05', dimensions: ['date'] })).body.rows
  expect(days?.map((row) => row.keys?.[0])).toEqual(['2026-07-03', '2026-07-05'])
})

test('the log counts calls by kind, site and dimensions, and can be emptied', async () => {
  await bench.control('DELETE', 'requests')
  await bench.query(SHOP, { dimensions: ['date', 'page'] })
  await bench.query(SHOP, { dimensions: ['date', 'page'], startRow: 5 })
  await bench.get('/webmasters/v3/sites')
  const log = await bench.control('GET', 'requests?last=1')
  expect(log).toMatchObject({
    total: 3,
    counts: [
      { kind: 'query', siteUrl: SHOP, dims: ['date', 'page'], count: 2 },
      { kind: 'sites', siteUrl: null, dims: null, count: 1 },
    ],
    last: [{ kind: 'sites', status: 200, method: 'GET' }],
  })
  await bench.control('DELETE', 'requests')
  expect(await bench.control('GET', 'requests')).toEqual({ total: 0, counts: [], last: [] })
})

test('quotas per site, user and project answer in the requested format, and no other site is affected', async () => {
  await bench.control('PUT', 'quotas', { querySiteMinute: 2 })
  for (const status of [200, 200, 429]) expect((await bench.query(SHOP, {})).status).toBe(status)
  expect((await bench.query(SHOP, {})).body.error).toMatchObject({
    status: 'RESOURCE_EXHAUSTED',
    errors: [{ reason: 'rateLimitExceeded' }],
  })
  expect((await bench.query(LOCAL, {})).status).toBe(200)
  await bench.control('PUT', 'quotas', { querySiteMinute: 100, queryUserMinute: 1, answer: '403' })
  expect((await bench.query(SHOP, {})).status).toBe(200)
  expect((await bench.query(LOCAL, {})).body.error).toMatchObject({ code: 403, errors: [{ reason: 'quotaExceeded' }] })
  await bench.control('PUT', 'quotas', { queryUserMinute: 100, otherUserSecond: 1 })
  expect((await bench.get('/webmasters/v3/sites')).status).toBe(200)
  expect((await bench.get('/webmasters/v3/sites')).status).toBe(403)
})

test('misuse is reported', async () => {
  await expect(bench.control('POST', 'fail', { error: 'sunspots' })).rejects.toThrow(/400/)
  await expect(bench.control('PUT', 'today', { today: 'soon' })).rejects.toThrow(/not a date: soon/)
  await expect(bench.control('GET', 'nothing')).rejects.toThrow(/404/)
  await expect(bench.control('POST', 'grant', { account: 'x@y.example' })).rejects.toThrow(/no account/)
  await expect(totals({ site: 'sc-domain:none.example', start: '2026-07-01', end: '2026-07-02' })).rejects.toThrow(/no property/)
})

test('reset restores accounts, figures and the clock', async () => {
  const before = (await bench.query(SHOP, {})).text
  await bench.control('PUT', 'today', { today: '2026-01-01' })
  await bench.control('PUT', 'permissions', { account: DEMO_ACCOUNT, site: SHOP, permission: null })
  await bench.control('POST', 'revise', { site: SHOP, date: '2026-07-02', factor: 3 })
  expect(await bench.control('POST', 'reset', { keepTokens: true })).toMatchObject({ today: '2026-07-15' })
  expect((await bench.query(SHOP, {})).text).toBe(before)
})
