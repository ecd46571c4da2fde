import { z } from 'zod'
import { isoDate, textUpTo } from './common.ts'

/** Number of days on the analytics screens (SPEC §9), ending with the last complete one. */
export const ranges = [7, 28, 90] as const
export type Range = (typeof ranges)[number]
export const defaultRange: Range = 7

/** Days shown on a screen: a number of days or months ending with the last complete day, or all that are stored. */
export const historyRanges = ['7d', '28d', '90d', '3m', '6m', '12m', '16m', 'all'] as const
export type NamedRange = (typeof historyRanges)[number]

const wrongRange = `range must be ${historyRanges.join(', ')}, or a first and a last day, such as 2026-01-01_2026-01-31`
/** Wider than anything a search engine could have counted, and within the store's range of days. */
const [earliest, latest] = ['1990-01-01', '2099-12-31']
const isDay = (text: string | undefined): boolean => isoDate.safeParse(text).success
const chosenDays = textUpTo(21)
  .refine((text) => {
    const [start = '', end = '', ...more] = text.split('_')
    return more.length === 0 && isDay(start) && isDay(end) && start <= end && start >= earliest && end <= latest
  }, wrongRange)
  .transform((text) => ({ start: text.slice(0, 10), end: text.slice(11) }))

/** A name, or the first and last day of a custom range. */
export const historyRange = z.union([z.enum(historyRanges), chosenDays], { error: wrongRange })
export type HistoryRange = z.infer<typeof historyRange>

/**
 * What days are compared with. `previous`: the days just before; `year`: the same weekdays a year earlier; a day: as many days from that day
 * on.
 */
export const namedComparisons = ['previous', 'year', 'none'] as const
export type NamedComparison = (typeof namedComparisons)[number]
const wrongComparison = `compare must be ${namedComparisons.join(', ')}, or the first day to compare with: 2026-01-01`
const firstDay = textUpTo(10)
  .check(isoDate)
  .refine((day) => day >= earliest && day <= latest, wrongComparison)
  .transform((start) => ({ start }))
export const comparison = z.union([z.enum(namedComparisons), firstDay], { error: wrongComparison })
export type Comparison = z.infer<typeof comparison>

/** A comparison as written in a URL: `year`, `2026-01-01`. */
export const writeComparison = (compare: Comparison): string => (typeof compare === 'string' ? compare : compare.start)

/** A range as written in a URL: `28d`, `2026-01-01_2026-01-31`. */
export const writeRange = (range: HistoryRange): string => (typeof range === 'string' ? range : `${range.start}_${range.end}`)

/** What one point stands for: a day, a week from Monday to Sunday, or a calendar month. */
export const historyGrains = ['day', 'week', 'month'] as const
export type HistoryGrain = (typeof historyGrains)[number]

/** What a screen shows until something else is chosen (SPEC §9). */
export const defaultHistory = { range: '7d', compare: 'previous', grain: 'day' } as const
export type HistoryAsked = { range: HistoryRange; compare: Comparison; grain: HistoryGrain }
