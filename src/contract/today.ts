import { z } from 'zod'
import { isoDate, propertyQuery } from './common.ts'
import { endpoint } from './endpoint.ts'

/** What is counted by the hour. */
const hourCounts = z.object({ clicks: z.number(), impressions: z.number() })

/** One hour of today. `at` is the instant it begins at, `hour` what the clock in California shows then (0 to 23). */
const hourOfToday = hourCounts.extend({
  at: z.iso.datetime(),
  hour: z.number().int(),
  /** Google still counts this hour: it may yet grow noticeably. */
  incomplete: z.boolean(),
  /** The same hour of the day before; null where it is not stored. */
  yesterday: hourCounts.nullable(),
  /** The mean of this hour on the same weekday of the weeks before; null where none is stored. */
  usual: hourCounts.nullable(),
})
export type HourOfToday = z.infer<typeof hourOfToday>

/**
 * A day of Google's so far. Sums are over the hours listed; those of `complete`, and what they are compared with, over the
 * hours that are not incomplete any more: against an hour that is still being counted everything looks like a loss.
 */
const todaySoFar = z.object({
  property: z.string(),
  date: isoDate,
  /** Always: these figures are revised until the day is final, two or three days from now. */
  preliminary: z.literal(true),
  /** From midnight on without a gap; empty where Google has nothing of today yet. */
  hours: z.array(hourOfToday),
  clicks: z.number(),
  impressions: z.number(),
  /** When the newest of these hours ends; null without hours. */
  through: z.iso.datetime().nullable(),
  /** The hours Google is done with, against the same hours of other days; null where there are none yet. */
  complete: hourCounts
    .extend({
      /** When the last of them ends. */
      through: z.iso.datetime(),
      yesterday: hourCounts.nullable(),
      /** The mean of up to four weeks of which these hours are stored. */
      usual: hourCounts.extend({ weeks: z.number().int() }).nullable(),
    })
    .nullable(),
  /** When Google was last asked. */
  syncedAt: z.iso.datetime(),
})
export type TodaySoFar = z.infer<typeof todaySoFar>

/**
 * `locked` says on which plan hours are to be had, where the person's has none. `today` is null
 * then, and until hours of the property are stored.
 */
export const todayAnswer = z.object({ locked: z.string().nullable(), today: todaySoFar.nullable() })
export type TodayAnswer = z.infer<typeof todayAnswer>

export const todayEndpoints = {
  read: endpoint({ method: 'GET', path: '/api/today', access: 'session', query: propertyQuery, answer: todayAnswer }),
}
