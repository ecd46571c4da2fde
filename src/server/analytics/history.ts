import type { SearchType } from '../../contract/common.ts'
import type { History, HistoryAsked } from '../../contract/history.ts'
import { historyOf, type StoredDays } from '../../core/analytics/history.ts'
import type { CompleteProperty } from './asked-property.ts'
import { answerKey, type AnalyticsParts, knownOf } from './parts.ts'
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

/** Daily, weekly or monthly data over any stored range. */
export function createHistory(parts: AnalyticsParts) {
  /** Null without any impressions. */
  return async (property: CompleteProperty, asked: HistoryAsked): Promise<History | null> => {
    const known = await storedDaysOf(parts, property)
    return known && historyOf(property.name, known, asked)
  }
}
