import { z } from 'zod'

/** The figures of one day, as sums of facts: fields of a row with `sumsSql`. */
export const sums = {
  clicks: z.number(),
  impressions: z.number(),
  positionSum: z.number(),
  /** Impressions with a known position; the others have none to average. */
  rankedImpressions: z.number(),
}

/** Sums of facts `f`. */
export const sumsSql = `sum(f.clicks) AS clicks, sum(f.impressions) AS impressions, sum(f.position_sum) AS positionSum,
    sumIf(f.impressions, f.position_sum > 0) AS rankedImpressions`

/** Sums of the facts `f` that meet a condition, as columns that start with `prefix`. */
export const sumsWhen = (
  prefix: string,
  when: string,
): string => `sumIf(f.clicks, ${when}) AS ${prefix}clicks, sumIf(f.impressions, ${when}) AS ${prefix}impressions,
      sumIf(f.position_sum, ${when}) AS ${prefix}position_sum, sumIf(f.impressions, ${when} AND f.position_sum > 0) AS ${prefix}ranked`
