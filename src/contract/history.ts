import { z } from 'zod'
import { expectedDay, figures } from './figures.ts'
import { segmentId } from './common.ts'
import { isoDate, orElse, propertyQuery, searchType } from './common.ts'
import { signedIn } from './endpoint.ts'
import { period } from './metrics.ts'
import { comparison, defaultHistory, historyGrains, historyRange } from './range.ts'

export {
  defaultHistory,
  type HistoryAsked,
  type HistoryGrain,
  historyGrains,
  type HistoryRange,
  historyRange,
  historyRanges,
  type NamedRange,
  writeRange,
} from './range.ts'

/** What is compared depends on the range and the comparison only: the interval groups the same days into points (decision 0116). */
export const historyQuery = propertyQuery.extend({
  range: historyRange.default(defaultHistory.range),
  compare: comparison.default(defaultHistory.compare),
  grain: z.enum(historyGrains).default(defaultHistory.grain),
})

/** `ctr` and `position` are for all its days together. Figures are null if nothing was shown, or nothing is stored. */
const historyPoint = period.extend({
  figures: orElse(figures.nullable(), null),
  /** False for a week or month only partly in the period, or with a day that isn't stored; for a day, if it isn't stored. */
  complete: z.boolean(),
})
export type HistoryPoint = z.infer<typeof historyPoint>

export const history = z.object({
  property: z.string(),
  /** The requested days, limited to those that can be stored: none before the first or after the last. */
  period,
  grain: z.enum(historyGrains),
  /** Null without a comparison, or if some of its days aren't stored. */
  compared: orElse(period.nullable(), null),
  /** Oldest first, without a gap; empty if all requested days are before the first stored one, or after the last. */
  points: z.array(historyPoint),
  /** What each point is compared with, in the same order; empty without a comparison. */
  previousPoints: orElse(z.array(historyPoint), []),
  /** By day: the clicks expected from the weeks before, oldest first; without days whose past is too short to tell. Otherwise empty. */
  expectedClicks: orElse(z.array(expectedDay), []),
  /** First day with impressions. */
  firstDay: isoDate,
  completeThrough: isoDate,
})
export type History = z.infer<typeof history>

/** A property's figures in one search type over any stretch of the stored days. Null while no complete day with impressions is stored. */
export const historyEndpoints = {
  read: signedIn.get('/api/analytics/history', {
    query: historyQuery.extend({ segment: segmentId, type: searchType.default('web') }),
    isLong: 'days',
    answer: history.nullable(),
  }),
}
