import type { OfSearchTypes } from '../../contract/analytics.ts'
import type { ExpectedDay } from '../../contract/figures.ts'
import { type SearchType, searchTypes } from '../../contract/common.ts'
import type { Filter } from '../../contract/explore/explore.ts'
import type { ChosenMetrics, Period } from '../../contract/metrics.ts'
import type { History, HistoryAsked } from '../../contract/history.ts'
import { countedAlikeSince } from '../../core/analytics/anomalies.ts'
import { boundProblem } from '../../core/analytics/exploration.ts'
import { addDays, eachDay, later } from '../../core/analytics/days.ts'
import { daysWithin, historyOf, historyPeriods, type StoredDays } from '../../core/analytics/history.ts'
import { chosenMetricsOf } from '../../core/analytics/metrics.ts'
import { isWhole } from '../../core/analytics/report-periods.ts'
import { totalsOf } from '../../core/analytics/totals.ts'
import { weeklyBandOf } from '../../core/detection/band.ts'
import { holidaysOf } from '../../core/detection/holidays.ts'
import { Refusal } from '../common/errors.ts'
import { dailyFigures } from '../facts/questions/daily-figures.ts'
import type { CompleteProperty } from './requested-property.ts'
import { createWithin, refuseSlowSegment } from './explore/filters.ts'
import { answerKey, type AnalyticsParts, knownLoads, knownOf } from './parts.ts'
import { storedTotals } from '../facts/questions/daily-totals.ts'

/** Earlier than anything a search engine could have counted. */
export const everything = '1990-01-01'

/** All stored days of a search type, read once and cached; every range and grain is computed from them. Null without any impressions. */
export function storedDaysOf(
  parts: AnalyticsParts,
  property: CompleteProperty,
  searchType: SearchType = 'web',
): Promise<StoredDays | null> {
  return parts.cache.get(answerKey('history', property, searchType), async () => {
    const { id, completeThrough } = property
    const { days, stored } = await parts.facts.ask(storedTotals, { property: id, searchType, start: everything, end: completeThrough })
    const known = await knownOf(
      parts,
      property,
      stored.map((date) => ({ date })),
      searchType,
    )
    const [first] = known
    return first === undefined || days.length === 0
      ? null
      : { days, stored: new Set(known.map(({ date }) => date)), firstDay: first.date, completeThrough }
  })
}

/** Which of a property's figures are requested: those of a search type, and of a segment if there are filters. */
export type Counted = { type: SearchType; where: readonly Filter[] }
export const ofWebSearch: Counted = { type: 'web', where: [] }

/**
 * What a segment has of these days, for the dashboard: its totals are the explorer's by date.
 * @throws Refusal 400 if no stored data answers it
 */
export async function segmentDays(
  parts: AnalyticsParts,
  property: CompleteProperty,
  { type, where }: Counted,
  period: Period,
  compared: Period | null = null,
): Promise<Pick<StoredDays, 'days' | 'stored'>> {
  const problem = boundProblem('The dashboard', where)
  if (problem !== null) throw new Refusal(400, problem, 'segment')
  const within = await createWithin(parts)(property, 'date', where, type)
  const spans = compared ? [period, compared] : [period]
  const key = answerKey('segment days', property, JSON.stringify([within, spans]))
  const { days, dates } = await parts.cache.get(key, async () => {
    const [figures, loads] = await Promise.all([
      parts.facts.ask(dailyFigures, { property: property.id, spans, within }).catch(refuseSlowSegment),
      knownLoads(parts, property, { searchType: type, grains: [within.grain], spans }),
    ])
    return { days: figures, dates: loads.map(({ date }) => date) }
  })
  return { days, stored: new Set(dates) }
}

/** The latest days that have expected clicks: three years. Computing them takes some fifty milliseconds. */
const mostExpected = 1_096

/** The expected clicks of a search type's latest days. */
async function expectedClicksOf(
  parts: AnalyticsParts,
  property: CompleteProperty,
  type: SearchType,
  known: StoredDays,
): Promise<ExpectedDay[]> {
  const { id, completeThrough } = property
  const country = await parts.countries.ofOne(id, () =>
    parts.cache.get(answerKey('country', property), () => parts.countries.guess(id, completeThrough)),
  )
  const isHoliday = holidaysOf(country)
  return parts.cache.get(answerKey('expected clicks', property, type, country ?? ''), () => {
    // Days that Google counted differently say nothing about these.
    const start = later(known.firstDay, countedAlikeSince('clicks', completeThrough, type) ?? known.firstDay)
    const clicks = new Map(known.days.map((day) => [day.date, day.clicks]))
    const counts = eachDay(start, completeThrough).map((date) => (known.stored.has(date) ? (clicks.get(date) ?? 0) : null))
    const days = weeklyBandOf({ start, counts }, isHoliday, later(start, addDays(completeThrough, 1 - mostExpected)))
    return Promise.resolve(
      days.map(({ date, expected, low, high }) => ({ date, expected: tenths(expected), low: tenths(low), high: tenths(high) })),
    )
  })
}

const tenths = (value: number): number => Math.round(value * 10) / 10

/** The totals of each search type over its stored part of the requested days. */
export function createSearchTypes(parts: AnalyticsParts) {
  return async (property: CompleteProperty, asked: Omit<HistoryAsked, 'grain'>): Promise<OfSearchTypes> => {
    const found = await Promise.all(searchTypes.map(async (type) => ({ type, known: await storedDaysOf(parts, property, type) })))
    return found
      .flatMap(({ type, known }) => {
        if (known === null) return []
        const { period, compared: asStored, isWithin } = historyPeriods(known, asked)
        if (!isWithin) return []
        // A missing day on either side would look like a rise or a fall.
        const compared = isWhole(period, known.stored) ? asStored : null
        const before = compared && totalsOf(daysWithin(known.days, compared))
        const figures = totalsOf(daysWithin(known.days, period))
        if (figures.impressions === 0 && !before?.impressions) return []
        return [{ type, period, compared, ...figures, previous: before?.impressions === 0 ? null : before }]
      })
      .toSorted((a, b) => b.clicks - a.clicks || b.impressions - a.impressions)
  }
}

/** Daily, weekly or monthly data over any stored range. */
export function createHistory(parts: AnalyticsParts) {
  /** Null without any impressions. @throws Refusal 400 if no stored data answers a segment's filters */
  return async (property: CompleteProperty, asked: HistoryAsked, counted: Counted): Promise<History | null> => {
    const known = await storedDaysOf(parts, property, counted.type)
    if (known === null) return null
    const { isWithin, period, compared } = historyPeriods(known, asked)
    // What to expect of a segment isn't known.
    if (counted.where.length > 0)
      return historyOf(property.name, { ...known, ...(await segmentDays(parts, property, counted, period, compared)) }, asked)
    const isDrawn = asked.grain === 'day' && isWithin
    return historyOf(property.name, known, asked, isDrawn ? await expectedClicksOf(parts, property, counted.type, known) : [])
  }
}

/** The totals of the same, for the metric cards. */
export function createChosenMetrics(parts: AnalyticsParts) {
  /** Null without any impressions. @throws Refusal 400 if no stored data answers a segment's filters */
  return async (property: CompleteProperty, asked: Omit<HistoryAsked, 'grain'>, counted: Counted): Promise<ChosenMetrics | null> => {
    const known = await storedDaysOf(parts, property, counted.type)
    if (known === null) return null
    const { period, compared } = historyPeriods(known, asked)
    const days = counted.where.length === 0 ? known : await segmentDays(parts, property, counted, period, compared)
    return chosenMetricsOf(property.name, days, { current: period, previous: compared, drawn: period }, property.completeThrough)
  }
}
