import { z } from 'zod'
import { figures } from './analytics.ts'
import { isoDate, orElse, propertyQuery } from './common.ts'
import { endpoint } from './endpoint.ts'
import { period } from './metrics.ts'
import { type HistoryRange, historyRange } from './range.ts'

export { type HistoryRange, historyRange, historyRanges, type NamedRange, writeRange } from './range.ts'

/**
 * What the period is compared with. `previous`: as few days, weeks or months earlier as it takes to lie wholly before it. `year`: 364 days
 * earlier, so that weekdays match; by month, the same months of the year before.
 */
export const historyComparisons = ['previous', 'year', 'none'] as const
export type HistoryComparison = (typeof historyComparisons)[number]

/** What one point stands for: a day, a week from Monday to Sunday, or a month of the calendar. */
export const historyGrains = ['day', 'week', 'month'] as const
export type HistoryGrain = (typeof historyGrains)[number]

export const defaultHistory = { range: '28d', compare: 'previous', grain: 'day' } as const

export const historyQuery = propertyQuery.extend({
  range: historyRange.default(defaultHistory.range),
  compare: z.enum(historyComparisons).default(defaultHistory.compare),
  grain: z.enum(historyGrains).default(defaultHistory.grain),
})
export type HistoryAsked = { range: HistoryRange; compare: HistoryComparison; grain: HistoryGrain }

/** `ctr` and `position` are those of all its days together. Figures are null where nothing was shown, or nothing is stored. */
const historyPoint = z.object({
  start: isoDate,
  end: isoDate,
  figures: orElse(figures.nullable(), null),
  /** False for a week or month of which the period holds only a part, or a day is not stored; for a day, where it is not stored. */
  complete: z.boolean(),
})
export type HistoryPoint = z.infer<typeof historyPoint>

export const history = z.object({
  property: z.string(),
  /** Of what was asked for, the days that may be stored: none before the first or after the last. */
  period,
  grain: z.enum(historyGrains),
  /** Null where nothing is compared, or some of its days are not stored. */
  compared: orElse(period.nullable(), null),
  /** Oldest first, without a gap; none where the days asked for are all before the first one stored, or after the last. */
  points: z.array(historyPoint),
  /** What each point is compared with, in the same order; empty where nothing is. */
  previousPoints: orElse(z.array(historyPoint), []),
  /** First day on which anything was shown. */
  firstDay: isoDate,
  completeThrough: isoDate,
})
export type History = z.infer<typeof history>

/** The property's figures over any stretch of what is stored. Null while no complete day is stored. */
export const historyEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/api/analytics/history',
    access: 'session',
    query: historyQuery,
    answer: history.nullable(),
  }),
}
