import type { AskedPeriod, Gaps, SortOrder } from '../../contract/analytics.ts'
import type { ComparedFigures, Counts, RowFigures } from '../../contract/figures.ts'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { Comparison } from '../../contract/range.ts'
import type { Period } from '../../contract/metrics.ts'
import { compactTerms } from '../../core/analytics/brand.ts'
import { fitCtrCurve, lastCurvePosition, type CtrCurve } from '../../core/analytics/ctr-curve.ts'
import { askedPeriods, isCut } from '../../core/analytics/history.ts'
import type { DayFigures } from '../../core/analytics/metrics.ts'
import { gapsIn } from '../../core/analytics/gaps.ts'
import { lastDays } from '../../core/analytics/periods.ts'
import { isWhole } from '../../core/analytics/report-periods.ts'
import { totalsOf } from '../../core/analytics/totals.ts'
import { type Grain, grains } from '../facts/schema.ts'
import { loadsMark, type LoadsQuestion, type StoredLoad, storedLoads } from '../facts/stored-loads.ts'
import type { FactsStore } from '../facts/store.ts'
import type { WindowFigures } from '../facts/questions/window-columns.ts'
import type { CompleteProperty } from './requested-property.ts'
import type { HolidayCountries } from '../common/holiday-countries.ts'
import type { Brand, BrandTerms } from './brand/brands.ts'
import type { createAnswerCache } from '../common/answer-cache.ts'
import type { Windows } from './windows.ts'
import { positionBins } from '../facts/questions/daily-figures.ts'
import { firstShown } from '../facts/stored-days.ts'

/** What all analytics are computed with. */
export type AnalyticsParts = {
  facts: FactsStore
  windows: Windows
  brands: BrandTerms
  countries: HolidayCountries
  cache: ReturnType<typeof createAnswerCache>
}

/** The cache key of an answer: it names the data behind it, so that new data means a new key. */
export const answerKey = (report: string, property: CompleteProperty, ...about: readonly (string | number | undefined)[]): string =>
  JSON.stringify([report, property.id, property.factsVersion, property.completeThrough, ...about])

/** The days of an answer, and those they are compared with; null without a comparison. */
export type Periods = { current: Period; previous: Period | null }

/** Resolves the requested days for this property. */
export async function periodsOf(parts: AnalyticsParts, property: CompleteProperty, asked: AskedPeriod): Promise<Periods> {
  const { completeThrough } = property
  const firstDay = isCut(asked.range) ? await firstShownOf(parts, property, 'web') : null
  return askedPeriods(asked, { firstDay: firstDay ?? completeThrough, completeThrough })
}

/** The periods as a part of a cache key. */
export const periodsKey = ({ current, previous }: Periods): string => [current.start, current.end, previous?.start].join(' ')

/** Longer lists aren't cached. */
const longestKept = 100

/** Caches the answer to a question about stored data, unless it is a long list. */
export const kept = <T>({ cache }: AnalyticsParts, limit: number, key: string, ask: () => Promise<T>): Promise<T> =>
  limit > longestKept ? ask() : cache.get(key, ask)

/** A row's figures with those of the compared period, if there is one and the row was shown then. */
export function comparedOf(row: WindowFigures, compared: boolean): ComparedFigures {
  const { clicks, impressions, ctr, position } = row
  return { clicks, impressions, ctr, position, previous: compared ? previousOf(row) : null }
}

const previousOf = (row: WindowFigures): RowFigures | null =>
  row.beforeImpressions === 0 && row.beforeClicks === 0
    ? null
    : { clicks: row.beforeClicks, impressions: row.beforeImpressions, ctr: row.beforeCtr, position: row.beforePosition }

/** How many days the curve is measured over. */
const curveDays = 90

/**
 * The property's own CTR by position (OPEN-POINTS 18), without brand queries, which are clicked at any position. It doesn't change while
 * older days are being fetched.
 */
export async function curveOf({ facts, cache }: AnalyticsParts, property: CompleteProperty, brand: Brand): Promise<CtrCurve> {
  const span = lastDays(property.completeThrough, curveDays)
  const loads = await cache.get(answerKey('loads of the curve', property), () =>
    facts.ask(storedLoads, { property: property.id, grains: ['query'], spans: [span] }),
  )
  return cache.get(JSON.stringify(['curve', property.id, brand.version, loadsMark(loads)]), async () =>
    fitCtrCurve(
      await facts.ask(positionBins, {
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

const firstShownOf = ({ facts, cache }: AnalyticsParts, property: CompleteProperty, searchType: SearchType): Promise<IsoDate | null> =>
  cache.get(answerKey('first shown', property, searchType), () => facts.ask(firstShown, property.id, searchType))

/** Keeps the stored days that count: days before a site's first data are unknown, not zero. */
export async function knownOf<Day extends { date: IsoDate }>(
  parts: AnalyticsParts,
  property: CompleteProperty,
  stored: readonly Day[],
  searchType: SearchType = 'web',
): Promise<Day[]> {
  const first = await firstShownOf(parts, property, searchType)
  return stored.filter(({ date }) => first !== null && date >= first)
}

/** The same for the stored days of each grain. */
export const knownLoads = async (
  parts: AnalyticsParts,
  property: CompleteProperty,
  asked: Omit<LoadsQuestion, 'property'>,
): Promise<StoredLoad[]> =>
  knownOf(parts, property, await parts.facts.ask(storedLoads, { property: property.id, ...asked }), asked.searchType)

const storedDays = (loads: readonly StoredLoad[], grain: Grain): Set<IsoDate> =>
  new Set(loads.filter((load) => load.grain === grain).map(({ date }) => date))

/** The days of both periods on which a grain isn't stored. */
export function gapsOf(loads: readonly StoredLoad[], grain: Grain, { current, previous }: Periods): Gaps {
  const stored = storedDays(loads, grain)
  return { gaps: gapsIn(current, stored), previousGaps: previous ? gapsIn(previous, stored) : [] }
}

/** The property's totals on the days on which a grain is stored. */
export function totalsOn(days: readonly DayFigures[], loads: readonly StoredLoad[], grain: Grain): Counts {
  const stored = storedDays(loads, grain)
  const { clicks, impressions } = totalsOf(days.filter(({ date }) => stored.has(date)))
  return { clicks, impressions }
}

/** Whether a grain is stored for every day of a period. */
export const isStored = (loads: readonly StoredLoad[], grain: Grain, period: Period): boolean => isWhole(period, storedDays(loads, grain))

/**
 * The grains that are compared: a comparison is requested, and every day of both periods is stored. A missing day would look like a rise
 * or a fall, and an import may have different gaps in every grain.
 */
export async function comparedGrains(parts: AnalyticsParts, property: CompleteProperty, { current, previous }: Periods): Promise<Grain[]> {
  if (previous === null) return []
  return parts.cache.get(answerKey('compared grains', property, current.start, current.end, previous.start), async () => {
    const loads = await knownLoads(parts, property, { grains, spans: [current, previous] })
    return grains.filter((grain) => isStored(loads, grain, current) && isStored(loads, grain, previous))
  })
}

/** The order of a list: without a comparison, a change is a change from nothing, so the list is sorted by the figure itself. */
export function sortedBy<Sort extends string>(
  sort: Sort,
  order: SortOrder,
  compared: boolean,
): { sort: Sort | keyof RowFigures; order: SortOrder } {
  if (compared) return { sort, order }
  if (sort === 'positionChange') return { sort: 'position', order: order === 'asc' ? 'desc' : 'asc' }
  const plain = { clicksChange: 'clicks', impressionsChange: 'impressions', ctrChange: 'ctr' } as const
  return { sort: sort in plain ? plain[sort as keyof typeof plain] : sort, order }
}

/** Whether a grain is compared. */
export const hasBefore = async (parts: AnalyticsParts, property: CompleteProperty, periods: Periods, grain: Grain): Promise<boolean> =>
  (await comparedGrains(parts, property, periods)).includes(grain)
