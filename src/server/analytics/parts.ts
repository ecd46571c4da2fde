import type { AskedPeriod, ComparedFigures, Comparison, RowFigures } from '../../contract/analytics.ts'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { Period } from '../../contract/metrics.ts'
import { compactTerms } from '../../core/analytics/brand.ts'
import { fitCtrCurve, lastCurvePosition, type CtrCurve } from '../../core/analytics/ctr-curve.ts'
import { askedPeriods, isCut } from '../../core/analytics/history.ts'
import { lastDays } from '../../core/analytics/periods.ts'
import { isWhole } from '../../core/analytics/report-periods.ts'
import { type Grain, grains } from '../facts/schema.ts'
import { loadsMark, type LoadsQuestion, type StoredLoad, storedLoads } from '../facts/stored-loads.ts'
import type { FactsStore } from '../facts/store.ts'
import type { WindowFigures } from '../facts/questions/window-columns.ts'
import type { CompleteProperty } from './asked-property.ts'
import type { Brand, Brands } from './brand/brands.ts'
import type { createAnswerCache } from './cache.ts'
import type { Windows } from './windows.ts'
import { positionBins } from '../facts/questions/daily-figures.ts'
import { firstShown } from '../facts/stored-days.ts'

/** What the reports are made with. */
export type AnalyticsParts = {
  facts: FactsStore
  windows: Windows
  brands: Brands
  cache: ReturnType<typeof createAnswerCache>
}

/** Names what an answer was made of, so that it is asked for again once that has changed. */
export const answerKey = (report: string, property: CompleteProperty, ...about: readonly (string | number | undefined)[]): string =>
  JSON.stringify([report, property.id, property.factsVersion, property.completeThrough, ...about])

/** The days that an answer is about, and those they are compared with; null where that is none. */
export type Periods = { current: Period; previous: Period | null }

/** The days that somebody asks about, of this property. */
export async function periodsOf(parts: AnalyticsParts, property: CompleteProperty, asked: AskedPeriod): Promise<Periods> {
  const { completeThrough } = property
  const firstDay = isCut(asked.range) ? await firstShownOf(parts, property, 'web') : null
  return askedPeriods(asked, { firstDay: firstDay ?? completeThrough, completeThrough })
}

/** Names periods in the key of an answer. */
export const periodsKey = ({ current, previous }: Periods): string => [current.start, current.end, previous?.start].join(' ')

/** The longest list that is kept; longer ones are asked for again. */
const longestKept = 100

/** Keeps the answer to a question of the facts themselves, unless it is a long list. */
export const kept = <T>({ cache }: AnalyticsParts, limit: number, key: string, ask: () => Promise<T>): Promise<T> =>
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

/** Those of some stored days of which something is known: days before a site's first data hold nothing, which is no zero. */
export async function knownOf<Day extends { date: IsoDate }>(
  parts: AnalyticsParts,
  property: CompleteProperty,
  stored: readonly Day[],
  searchType: SearchType = 'web',
): Promise<Day[]> {
  const first = await firstShownOf(parts, property, searchType)
  return stored.filter(({ date }) => first !== null && date >= first)
}

/** The stored days of grains of which something is known. */
export const knownLoads = async (
  parts: AnalyticsParts,
  property: CompleteProperty,
  asked: Omit<LoadsQuestion, 'property'>,
): Promise<StoredLoad[]> =>
  knownOf(parts, property, await parts.facts.ask(storedLoads, { property: property.id, ...asked }), asked.searchType)

/** Whether every day of a period is stored of a grain. */
export const isStored = (loads: readonly StoredLoad[], grain: Grain, period: Period): boolean =>
  isWhole(period, new Set(loads.filter((load) => load.grain === grain).map(({ date }) => date)))

/**
 * The grains whose figures are compared: somebody wants it, and every day of both periods is stored. One that is missing
 * would look like a rise or a fall, and an import may have gaps anywhere, in each grain others.
 */
export async function comparedGrains(parts: AnalyticsParts, property: CompleteProperty, { current, previous }: Periods): Promise<Grain[]> {
  if (previous === null) return []
  return parts.cache.get(answerKey('compared grains', property, current.start, current.end, previous.start), async () => {
    const loads = await knownLoads(parts, property, { grains, spans: [current, previous] })
    return grains.filter((grain) => isStored(loads, grain, current) && isStored(loads, grain, previous))
  })
}

/** Whether figures of a grain are compared. */
export const hasBefore = async (parts: AnalyticsParts, property: CompleteProperty, periods: Periods, grain: Grain): Promise<boolean> =>
  (await comparedGrains(parts, property, periods)).includes(grain)
