import { describe, expect, test } from 'vitest'
import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import { type BrandSplit, mostBrandTerms } from '../../../contract/brand.ts'
import { afterChange, brandRows, termToAdd, withoutChange } from './brand.ts'

const figures = (clicks: number, impressions: number) => ({ clicks, impressions, ctr: clicks / impressions, position: 4 })
const split: BrandSplit = {
  brand: { ...figures(20, 100), previous: figures(10, 80) },
  nonBrand: { ...figures(50, 800), previous: null },
  hidden: { clicks: 30, impressions: 100 },
  brandDays: [],
  nonBrandDays: [],
}
const noGaps = { gaps: [], previousGaps: [] }
const listed = { count: 1, clicks: 70, impressions: 900, totals: { clicks: 100, impressions: 1_000 }, cutOffDays: 0, ...noGaps }
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
  pairs: { cutOffDays: 0, ...noGaps },
  ...noGaps,
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

test('hidden is compared with what was hidden before, and has no position', () => {
  const [brand, nonBrand, hidden] = brandRows(split, summary)
  expect(brand?.before).toMatchObject({ clicks: 10, impressions: 80 })
  expect(nonBrand?.before).toMatchObject({ clicks: 0, impressions: 0 })
  expect(hidden?.now).toEqual({ clicks: 30, impressions: 100, ctr: 0.3, position: 0 })
  expect(hidden?.before).toEqual({ clicks: 15, impressions: 120, ctr: 0.125, position: 0 })
})

test('if nothing is stored to compare with, nothing is said about before', () => {
  const others: (AnalyticsSummary | undefined)[] = [
    { ...summary, previous: null, previousTotals: null, comparedGrains: [] },
    // For days without stored queries, only the total is known.
    { ...summary, comparedGrains: ['total'] },
    undefined,
  ]
  for (const other of others) {
    expect(brandRows(split, other).map(({ before }) => before)).toEqual([undefined, undefined, undefined])
  }
})

const suggested = { terms: ['lamp-house', 'lamp house'], suggested: true }

describe('a term to add', () => {
  test('is saved without surrounding spaces and in lower case', () => {
    expect(termToAdd('  LampHouse ', [])).toEqual({ term: 'lamphouse' })
  })

  test('needs 2 to 100 characters', () => {
    expect(termToAdd(' a ', [])).toEqual({ problem: 'A brand term needs at least 2 characters' })
    expect(termToAdd('', [])).toEqual({ problem: 'A brand term needs at least 2 characters' })
    expect(termToAdd('a'.repeat(101), [])).toEqual({ problem: 'A brand term can have up to 100 characters' })
    expect(termToAdd('a'.repeat(100), [])).toEqual({ term: 'a'.repeat(100) })
  })

  test('has to be a new one', () => {
    expect(termToAdd('Lamp House', suggested.terms)).toEqual({ problem: '“lamp house” is already on the list' })
  })

  test("doesn't fit into a full list", () => {
    const full = Array.from({ length: mostBrandTerms }, (_, index) => `term ${index}`)
    expect(termToAdd('lamp', full)).toEqual({ problem: 'You can have up to 50 brand terms' })
    expect(termToAdd('lamp', full.slice(1))).toEqual({ term: 'lamp' })
  })
})

describe('a change', () => {
  test('turns suggested terms into saved ones', () => {
    expect(afterChange(suggested, { kind: 'keep' })).toEqual({ terms: suggested.terms, suggested: false })
    expect(afterChange(suggested, { kind: 'add', term: 'lamps' })).toEqual({ terms: [...suggested.terms, 'lamps'], suggested: false })
    expect(afterChange(suggested, { kind: 'remove', term: 'lamp-house' })).toEqual({ terms: ['lamp house'], suggested: false })
  })

  test("that couldn't be saved is undone, and later changes stay", () => {
    const removal = { kind: 'remove', term: 'lamp-house' } as const
    const meanwhile = afterChange(afterChange(suggested, removal), { kind: 'add', term: 'lamps' })
    expect(withoutChange(meanwhile, removal, suggested)).toEqual({ terms: ['lamp-house', 'lamp house', 'lamps'], suggested: true })

    const addition = { kind: 'add', term: 'lamps' } as const
    const list = { terms: ['lamp'], suggested: false }
    expect(withoutChange(afterChange(list, addition), addition, list)).toEqual(list)
    expect(withoutChange(afterChange(suggested, { kind: 'keep' }), { kind: 'keep' }, suggested)).toEqual(suggested)
  })
})
