import { z } from 'zod'
import { isoDate } from '../common.ts'

/**
 * The parts of a change in clicks or impressions. `previous` is scaled to as many days if its period is longer. The parts add up to
 * `current` − `previous`.
 */
export const changeBreakdown = z.object({
  current: z.number(),
  previous: z.number(),
  /** For clicks, if the queries of all days are stored. */
  parts: z
    .object({
      /** More or fewer impressions at the same positions. */
      demand: z.number(),
      /** Positions won or lost, at the property's usual CTR for each. */
      position: z.number(),
      /** More or fewer clicks at the same positions. */
      ctr: z.number(),
      /** Queries that appear or disappear. */
      shown: z.number(),
      /** Queries that Google doesn't name. */
      anonymized: z.number(),
    })
    .nullable(),
  /** Where the change happened: the largest contributors in each dimension. `brand` has the names `brand` and `other`. */
  by: z.array(
    z.object({
      dimension: z.enum(['page', 'query', 'device', 'country', 'brand']),
      items: z.array(z.object({ name: z.string(), current: z.number(), previous: z.number() })),
    }),
  ),
})
export type ChangeBreakdown = z.infer<typeof changeBreakdown>
/** Something else that happened on the days a change began. It may be unrelated. */
export const coincidence = z.object({
  kind: z.enum(['ranking_incident', 'measurement', 'note', 'holiday', 'missing_days', 'revised_data']),
  from: isoDate,
  /** Null while ongoing. */
  to: isoDate.nullable(),
  /** Plain text; a note's own words, or the number of further notes. */
  title: z.string(),
  /** The source. */
  link: z.string().optional(),
})
export type Coincidence = z.infer<typeof coincidence>

export type ChangePart = keyof NonNullable<ChangeBreakdown['parts']>
