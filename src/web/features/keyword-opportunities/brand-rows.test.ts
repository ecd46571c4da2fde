import { expect, test } from 'vitest'
import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { BrandSplit } from '../../../contract/brand.ts'
import { brandRows } from './brand-rows.ts'

const figures = (clicks: number, impressions: number) => ({ clicks, impressions, ctr: clicks / impressions, position: 4 })
const split: BrandSplit = {
  brand: { ...figures(20, 100), previous: figures(10, 80) },
  nonBrand: { ...figures(50, 800), previous: null },
  hidden: { clicks: 30, impressions: 100 },
  brandDays: [],
  nonBrandDays: [],
}
const listed = { count: 1, clicks: 70, impressions: 900, cutOffDays: 0 }
const summary: AnalyticsSummary = {
  property: 'sc-domain:site.example',
  current: { start: '2026-03-09', end: '2026-03-15' },
  previous: { start: '2026-03-02', end: '2026-03-08' },
  completeThrough: '2026-03-15',
  currentFrom: '2026-03-09',
  previousFrom: '2026-03-02',
  totals: figures(100, 1_000),
  previousTotals: figures(25, 200),
  comparedGrains: ['total', 'query'],
  pages: listed,
  keywords: listed,
  pairs: { cutOffDays: 0 },
}

test('the three parts add up to all clicks and impressions', () => {
  const rows = brandRows(split, summary)
  expect(rows.map(({ side }) => side)).toEqual(['brand', 'nonBrand', 'hidden'])
  expect(rows.map(({ share }) => share)).toEqual([
    { clicks: 0.2, impressions: 0.1 },
    { clicks: 0.5, impressions: 0.8 },
    { clicks: 0.3, impressions: 0.1 },
  ])
})

test('hidden is compared with what was hidden then, and has no position', () => {
  const [brand, nonBrand, hidden] = brandRows(split, summary)
  expect(brand?.before).toMatchObject({ clicks: 10, impressions: 80 })
  expect(nonBrand?.before).toMatchObject({ clicks: 0, impressions: 0 })
  expect(hidden?.now).toEqual({ clicks: 30, impressions: 100, ctr: 0.3, position: 0 })
  expect(hidden?.before).toEqual({ clicks: 15, impressions: 120, ctr: 0.125, position: 0 })
})

test('where nothing is stored to compare with, nothing is said of before', () => {
  const others: (AnalyticsSummary | undefined)[] = [
    { ...summary, previous: null, previousTotals: null, comparedGrains: [] },
    // Of days whose queries are not stored, only the total is known.
    { ...summary, comparedGrains: ['total'] },
    undefined,
  ]
  for (const other of others) {
    expect(brandRows(split, other).map(({ before }) => before)).toEqual([undefined, undefined, undefined])
  }
})
