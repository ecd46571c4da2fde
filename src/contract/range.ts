import { z } from 'zod'
import { isoDate } from './common.ts'

/** Days that a screen covers: so many, or so many months, that end with the last complete day; or all that are stored. */
export const historyRanges = ['7d', '28d', '90d', '3m', '6m', '12m', '16m', 'all'] as const
export type NamedRange = (typeof historyRanges)[number]

const wrongRange = `range must be ${historyRanges.join(', ')}, or two days: 2026-01-01_2026-01-31`
/** Around everything that a search engine could have counted, and within what the engine can store as a day. */
const [earliest, latest] = ['1990-01-01', '2099-12-31']
const isDay = (text: string | undefined): boolean => isoDate.safeParse(text).success
const chosenDays = z
  .string()
  .refine((text) => {
    const [start = '', end = '', ...more] = text.split('_')
    return more.length === 0 && isDay(start) && isDay(end) && start <= end && start >= earliest && end <= latest
  }, wrongRange)
  .transform((text) => ({ start: text.slice(0, 10), end: text.slice(11) }))

/** A name, or the first and the last day of a range that somebody chose. */
export const historyRange = z.union([z.enum(historyRanges), chosenDays], { error: wrongRange })
export type HistoryRange = z.infer<typeof historyRange>

/** How a range is written in an address: `28d`, `2026-01-01_2026-01-31`. */
export const writeRange = (range: HistoryRange): string => (typeof range === 'string' ? range : `${range.start}_${range.end}`)
