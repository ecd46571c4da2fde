import { z } from 'zod'
import { isoDate } from '../common.ts'

/**
 * What a change in clicks or impressions is made of. `previous` is the share of as many days where the period before is longer.
 * The parts add up to `current` − `previous`.
 */
export const changeBreakdown = z.object({
  current: z.number(),
  previous: z.number(),
  /** Of clicks, as far as the queries of all days are stored. */
  parts: z
    .object({
      /** Shown more or less often at the same positions. */
      demand: z.number(),
      /** Positions won or lost, at the property's usual CTR of each. */
      position: z.number(),
      /** Clicked more or less often at the same positions. */
      ctr: z.number(),
      /** Queries that appear anew, or no longer. */
      shown: z.number(),
      /** Queries that Google does not name. */
      anonymized: z.number(),
    })
    .nullable(),
  /** Where the change lies: of each dimension what moved most with it. `brand` knows the names `brand` and `other`. */
  by: z.array(
    z.object({
      dimension: z.enum(['page', 'query', 'device', 'country', 'brand']),
      items: z.array(z.object({ name: z.string(), current: z.number(), previous: z.number() })),
    }),
  ),
})
export type ChangeBreakdown = z.infer<typeof changeBreakdown>
/** Something else that happened on the days on which a change began. It may have nothing to do with it. */
export const coincidence = z.object({
  kind: z.enum(['ranking_incident', 'measurement', 'note', 'holiday', 'missing_days', 'revised_data']),
  from: isoDate,
  /** Null while it lasts. */
  to: isoDate.nullable(),
  /** Plain text; of a note its own words, or how many more there are. */
  title: z.string(),
  /** Where it was published. */
  link: z.string().optional(),
})
export type Coincidence = z.infer<typeof coincidence>

export type ChangePart = keyof NonNullable<ChangeBreakdown['parts']>
