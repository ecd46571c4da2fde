import type { ComparedFigures, Comparison, Range, RowFigures } from '../../contract/analytics.ts'
import { compactTerms } from '../../core/analytics/brand.ts'
import { fitCtrCurve, lastCurvePosition, type CtrCurve } from '../../core/analytics/ctr-curve.ts'
import { comparedPeriod, lastDays } from '../../core/analytics/periods.ts'
import { loadsMark } from '../facts/stored-loads.ts'
import type { FactsStore } from '../facts/store.ts'
import type { WindowFigures } from '../facts/window-columns.ts'
import type { CompleteProperty } from './asked-property.ts'
import type { Brand, Brands } from './brands.ts'
import type { createAnswerCache } from './cache.ts'
import type { Windows } from './windows.ts'

/** What the reports are made with. */
export type ReportParts = {
  facts: FactsStore
  windows: Windows
  brands: Brands
  cache: ReturnType<typeof createAnswerCache>
}

/** Names what an answer was made of, so that it is asked for again once that has changed. */
export const answerKey = (report: string, property: CompleteProperty, ...about: readonly (string | number | undefined)[]): string =>
  JSON.stringify([report, property.id, property.factsVersion, property.completeThrough, ...about])

/** The longest list that is kept; longer ones are asked for again. */
const longestKept = 100

/** Keeps the answer to a question of the facts themselves, unless it is a long list. */
export const kept = <T>({ cache }: ReportParts, limit: number, key: string, ask: () => Promise<T>): Promise<T> =>
  limit > longestKept ? ask() : cache.get(key, ask)

/** A row's figures with those of the compared period, if it was shown then and something is compared. */
export function comparedOf(row: WindowFigures, compared: boolean): ComparedFigures {
  const { clicks, impressions, ctr, position } = row
  return { clicks, impressions, ctr, position, previous: compared ? previousOf(row) : null }
}

const previousOf = (row: WindowFigures): RowFigures | null =>
  row.beforeImpressions === 0 && row.beforeClicks === 0
    ? null
    : { clicks: row.beforeClicks, impressions: row.beforeImpressions, ctr: row.beforeCtr, position: row.beforePosition }

/** Days that the curve is measured over. */
const curveDays = 90

/**
 * The property's own CTR by position (OPEN-POINTS 18); queries of the brand, which are clicked wherever they stand, are
 * left out. It stays the same while older days are still being fetched.
 */
export async function curveOf({ facts, cache }: ReportParts, property: CompleteProperty, brand: Brand): Promise<CtrCurve> {
  const span = lastDays(property.completeThrough, curveDays)
  const loads = await cache.get(answerKey('loads of the curve', property), () =>
    facts.analytics.storedLoads({ property: property.id, grains: ['query'], spans: [span] }),
  )
  return cache.get(JSON.stringify(['curve', property.id, brand.version, loadsMark(loads)]), async () =>
    fitCtrCurve(
      await facts.analytics.positionBins({
        property: property.id,
        span,
        loads,
        brandTerms: compactTerms(brand.terms),
        last: lastCurvePosition,
      }),
    ),
  )
}

export const isCompared = (compare: Comparison): boolean => compare !== 'none'

/**
 * Whether figures are compared: somebody wants it, and every day of the compared period is stored. Half a period would make
 * everything look as if it had grown.
 */
export async function hasBefore(
  { facts, cache }: ReportParts,
  property: CompleteProperty,
  { days, compare }: { days: Range; compare: Comparison },
): Promise<boolean> {
  const previous = comparedPeriod(lastDays(property.completeThrough, days), days, compare)
  if (previous === null) return false
  // The backfill goes back from day to day: with the first day there are all of them.
  const first = { start: previous.start, end: previous.start }
  return cache.get(answerKey('has before', property, previous.start), async () => {
    return (await facts.analytics.storedLoads({ property: property.id, grains: ['total'], spans: [first] })).length > 0
  })
}
