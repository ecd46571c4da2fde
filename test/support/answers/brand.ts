import { type BrandList, type BrandSplit, newBrandList } from '../../../src/contract/brand.ts'
import { eachDay } from '../../../src/core/analytics/days.ts'
import { figuresOf, periodsOf, summaryOf } from './analytics.ts'
import type { Desk } from './desk.ts'

/** 8 clicks of 10 impressions by the brand on each of 7 days, 13 of 117 by others; the week before had 6 and 13. */
export function brandSplitOf(query: URLSearchParams, change: Partial<BrandSplit> = {}): BrandSplit {
  const { current, previous } = periodsOf(query)
  const days = eachDay(current.start, current.end)
  const each = (clicks: number, impressions: number, position: number) =>
    days.map((date) => ({ date, ...figuresOf(clicks, impressions, position) }))
  const compared = (now: [number, number, number], before: [number, number, number]) => ({
    ...figuresOf(...now),
    previous: previous && figuresOf(...before),
  })
  return {
    brand: compared([56, 70, 1], [42, 70, 1.2]),
    nonBrand: compared([91, 819, 8.4], [91, 840, 8.6]),
    hidden: { clicks: 14, impressions: 140 },
    brandDays: each(8, 10, 1),
    nonBrandDays: each(13, 117, 8.4),
    ...change,
  }
}

/** Answers the Brand tab, and stores the list when saved; it can be read at any time. */
export function keepBrand(desk: Desk, first: BrandList): { readonly list: BrandList } {
  let list = first
  desk.answer('GET /api/brand', () => list)
  desk.answer('PUT /api/brand', ({ body }) => {
    list = { terms: newBrandList.parse(body).terms, suggested: false }
    return list
  })
  desk.answer('GET /api/brand/split', ({ query }) => brandSplitOf(query))
  desk.answer('GET /api/analytics/summary', ({ query }) =>
    summaryOf(query, {
      totals: figuresOf(161, 1_029, 8),
      previousTotals: query.get('compare') === 'none' ? null : figuresOf(149, 1_060, 8),
    }),
  )
  return {
    get list() {
      return list
    },
  }
}
