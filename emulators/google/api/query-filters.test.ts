import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBench, SHOP, sum } from '../testing.ts'
import type { Bench, Row } from '../testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.google.close())

type Filter = [dimension: string, operator: string, expression: string]

async function rows(dimensions: string[], ...filters: Filter[]): Promise<Row[]> {
  const dimensionFilterGroups = [
    { groupType: 'and', filters: filters.map(([dimension, operator, expression]) => ({ dimension, operator, expression })) },
  ]
  const answer = await bench.query(SHOP, { dimensions, dimensionFilterGroups, rowLimit: 25_000 })
  expect(answer.status).toBe(200)
  return answer.body.rows ?? []
}

test.each([
  ['equals', 'table lamp', (text: string) => text === 'table lamp'],
  ['notEquals', 'table lamp', (text: string) => text !== 'table lamp'],
  ['contains', 'LAMP', (text: string) => text.includes('lamp')],
  ['notContains', 'lamp', (text: string) => !text.includes('lamp')],
  ['includingRegex', '^best .*(lamp|throw)$', (text: string) => /^best .*(lamp|throw)$/.test(text)],
  ['excludingRegex', '(?i)LAMP|throw', (text: string) => !/lamp|throw/.test(text)],
] as const)('queries can be filtered by %s', async (operator, expression, fits) => {
  const all = await rows(['query'])
  const filtered = await rows(['query'], ['query', operator, expression])
  expect(filtered.length).toBeGreaterThan(0)
  expect(filtered).toEqual(all.filter((row) => fits(row.keys?.[0] ?? '')))
})

const pick = (from: Row[], key: string) => from.find((row) => row.keys?.[0] === key)

test('filters on every other dimension agree with grouping by it', async () => {
  const byDevice = await rows(['device'])
  const byCountry = await rows(['country'])
  const byPage = await rows(['page'])
  const byLook = await rows(['searchAppearance'])
  expect((await rows([], ['device', 'equals', 'mobile']))[0]).toMatchObject({
    clicks: pick(byDevice, 'MOBILE')?.clicks,
    impressions: pick(byDevice, 'MOBILE')?.impressions,
  })
  expect((await rows([], ['country', 'equals', 'usa']))[0]).toMatchObject({
    clicks: pick(byCountry, 'usa')?.clicks,
    impressions: pick(byCountry, 'usa')?.impressions,
  })
  const url = byPage[3]?.keys?.[0] ?? ''
  expect((await rows([], ['page', 'equals', url]))[0]).toMatchObject({ clicks: byPage[3]?.clicks, impressions: byPage[3]?.impressions })
  expect(sum(await rows(['date'], ['searchAppearance', 'equals', 'PRODUCT_SNIPPETS']), 'clicks')).toBe(
    pick(byLook, 'PRODUCT_SNIPPETS')?.clicks,
  )
})

test('a result counts in each of its search appearances, and in none if it has none', async () => {
  const listings = await rows(['date'], ['searchAppearance', 'equals', 'MERCHANT_LISTINGS'])
  const snippets = await rows(['date'], ['searchAppearance', 'equals', 'PRODUCT_SNIPPETS'])
  const neither = await rows(
    ['date'],
    ['searchAppearance', 'notEquals', 'MERCHANT_LISTINGS'],
    ['searchAppearance', 'notEquals', 'PRODUCT_SNIPPETS'],
  )
  const all = sum(await rows(['date']), 'clicks')
  expect(sum(neither, 'clicks')).toBeGreaterThan(0)
  expect(sum(listings, 'clicks') + sum(snippets, 'clicks') + sum(neither, 'clicks')).toBeGreaterThan(all)
})

test('groups and filters are joined by "and"', async () => {
  const both = await rows(['query', 'page'], ['query', 'contains', 'lamp'], ['page', 'contains', '/products/'])
  expect(both.length).toBeGreaterThan(0)
  expect(both.every((row) => row.keys?.[0]?.includes('lamp') && row.keys[1]?.includes('/products/'))).toBe(true)
})

test('a filter on the page counts by page, a filter on the query drops anonymized searches', async () => {
  const pageFilter = [{ filters: [{ dimension: 'page', operator: 'contains', expression: '/' }] }]
  const queryFilter = [{ filters: [{ dimension: 'query', operator: 'includingRegex', expression: '.*' }] }]
  const total = (await bench.query(SHOP, {})).body.rows?.[0]
  const byPage = (await bench.query(SHOP, { dimensionFilterGroups: pageFilter })).body
  const named = (await bench.query(SHOP, { dimensionFilterGroups: queryFilter })).body
  expect(byPage.responseAggregationType).toBe('byPage')
  expect(byPage.rows?.[0]?.clicks).toBe(total?.clicks)
  expect(byPage.rows?.[0]?.impressions).toBeGreaterThan(total?.impressions ?? 0)
  expect(named.responseAggregationType).toBe('byProperty')
  expect(named.rows?.[0]?.clicks).toBeLessThan(total?.clicks ?? 0)
})
