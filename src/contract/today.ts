import { z } from 'zod'
import { counts } from './figures.ts'
import { isoDate, propertyQuery } from './common.ts'
import { signedIn } from './endpoint.ts'

/** One hour of today. `at` is the instant it begins, `hour` the Pacific clock hour (0 to 23). */
const hourOfToday = counts.extend({
  at: z.iso.datetime(),
  hour: z.number().int(),
  /** Google is still counting this hour: it may yet grow noticeably. */
  incomplete: z.boolean(),
  /** The same hour of the previous day; null if it isn't stored. */
  yesterday: counts.nullable(),
  /** The mean of this hour on the same weekday of previous weeks; null if none is stored. */
  usual: counts.nullable(),
})
export type HourOfToday = z.infer<typeof hourOfToday>

/** On the day that clocks go back. */
const mostHours = 25

/**
 * Google's current day so far. Sums are over the listed hours; those of `complete`, and what they are compared with, over the hours no
 * longer incomplete: compared with an hour still being counted, everything looks like a loss.
 */
const todaySoFar = z.object({
  property: z.string(),
  date: isoDate,
  /** Always true: these figures are revised until the day is final, two or three days from now. */
  preliminary: z.literal(true),
  /** From midnight on without a gap; empty if Google has nothing for today yet. */
  hours: z.array(hourOfToday).max(mostHours),
  clicks: z.number(),
  impressions: z.number(),
  /** When the newest of these hours ends; null without hours. */
  through: z.iso.datetime().nullable(),
  /** The hours Google has finished, compared with the same hours of other days; null if there are none yet. */
  complete: counts
    .extend({
      /** When the last of them ends. */
      through: z.iso.datetime(),
      yesterday: counts.nullable(),
      /** The mean of up to four weeks with these hours stored. */
      usual: counts.extend({ weeks: z.number().int() }).nullable(),
    })
    .nullable(),
  /** When Google was last asked. */
  syncedAt: z.iso.datetime(),
})
export type TodaySoFar = z.infer<typeof todaySoFar>

/** `locked` names the plans with hours if the person's has none. `today` is null then, and until the property's hours are stored. */
export const todayAnswer = z.object({ locked: z.string().nullable(), today: todaySoFar.nullable() })
export type TodayAnswer = z.infer<typeof todayAnswer>

export const todayEndpoints = {
  read: signedIn.get('/api/today', { query: propertyQuery, answer: todayAnswer }),
}
