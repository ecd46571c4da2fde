import { z } from 'zod'

/** How much of a change is due to the parts' own figures, and how much to their shares of the impressions. */
const moved = {
  /** Their own CTR or position changed. */
  rate: z.number(),
  /** Their share of the impressions changed. */
  mix: z.number(),
}

/**
 * The parts of a change in CTR (as a fraction) or position. In each dimension `rate`, `mix` and `unnamed` add up to its `current` −
 * `previous`.
 */
export const rateBreakdown = z.object({
  current: z.number(),
  previous: z.number(),
  by: z.array(
    z.object({
      dimension: z.enum(['page', 'query', 'device', 'country', 'brand']),
      /** The same figure as this dimension counts it: by page, Google counts an impression for every page shown. */
      current: z.number(),
      previous: z.number(),
      ...moved,
      /** For CTR by query: the part of `rate` that changed positions explain, at the property's usual CTR for each. */
      position: z.number().optional(),
      /** The effect of queries that Google doesn't name. */
      unnamed: z.number().optional(),
      /** The largest effects. The figures are null in a period without impressions. `brand` has the names `brand` and `other`. */
      items: z.array(
        z.object({
          name: z.string(),
          current: z.number().nullable(),
          previous: z.number().nullable(),
          /** Its share of the impressions. */
          currentShare: z.number(),
          previousShare: z.number(),
          ...moved,
        }),
      ),
    }),
  ),
})
export type RateBreakdown = z.infer<typeof rateBreakdown>
