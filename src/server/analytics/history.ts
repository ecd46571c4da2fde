import type { SearchType } from '../../contract/common.ts'
import type { History, HistoryAsked } from '../../contract/history.ts'
import { historyOf, type StoredDays } from '../../core/analytics/history.ts'
import type { CompleteProperty } from './asked-property.ts'
import { answerKey, type AnalyticsParts, knownOf } from './parts.ts'
import { storedTotals } from '../facts/questions/daily-totals.ts'

/** Before anything that a search engine could have counted. */
export const everything = '1990-01-01'

/** Everything that is stored of a search type, a row a day, of which every range and grain is made; read at once and kept. Null while nothing of it was ever shown. */
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

/** Figures over any stretch of what is stored. */
export function createHistory(parts: AnalyticsParts) {
  /** Null while nothing of it was ever shown. */
  return async (property: CompleteProperty, asked: HistoryAsked): Promise<History | null> => {
    const known = await storedDaysOf(parts, property)
    return known && historyOf(property.name, known, asked)
  }
}
