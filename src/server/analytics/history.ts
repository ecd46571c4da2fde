import type { History, HistoryAsked } from '../../contract/history.ts'
import { historyOf, type StoredDays } from '../../core/analytics/history.ts'
import type { CompleteProperty } from './asked-property.ts'
import { answerKey, type AnalyticsParts, knownOf } from './parts.ts'
import { storedTotals } from '../facts/questions/daily-totals.ts'

/** Before anything that a search engine could have counted. */
const everything = '1990-01-01'

/** Figures over any stretch of what is stored. All of it is read at once and kept: a row a day, of which every range and grain is made. */
export function createHistory(parts: AnalyticsParts) {
  const storedOf = (property: CompleteProperty): Promise<StoredDays | null> =>
    parts.cache.get(answerKey('history', property), async () => {
      const { id, completeThrough } = property
      const scope = { property: id, searchType: 'web', start: everything, end: completeThrough } as const
      const { days, stored } = await parts.facts.ask(storedTotals, scope)
      const known = await knownOf(
        parts,
        property,
        stored.map((date) => ({ date })),
      )
      const [first] = known
      return first === undefined || days.length === 0
        ? null
        : { days, stored: new Set(known.map(({ date }) => date)), firstDay: first.date, completeThrough }
    })

  /** Null while nothing of it was ever shown. */
  return async (property: CompleteProperty, asked: HistoryAsked): Promise<History | null> => {
    const known = await storedOf(property)
    return known && historyOf(property.name, known, asked)
  }
}
