import { z } from 'zod'
import { isoDate } from './common.ts'

/** One period as the metric cards show it; `start` and `end` are both included. */
export const period = z.object({ start: isoDate, end: isoDate })
export type Period = z.infer<typeof period>

/**
 * `GET /api/metrics`: the last 7 complete days of a property against the 7 before them.
 * `ctr` is a fraction; `position` is 0 where none is known. Changes are percent of the previous value (position included; a
 * positive number means the figure rose); 0 when the previous period had nothing to
 * compare with, or not every day of both is stored, in which cases `*Previous` is null. `*Data` are daily values of the days in
 * `dates`, oldest first; a day for which Google has no data is left out, never a zero.
 */
export const metrics = z.object({
  property: z.string(),
  clicks: z.number(),
  clicksChange: z.number(),
  clicksPrevious: z.number().nullable(),
  clicksData: z.array(z.number()),
  impressions: z.number(),
  impressionsChange: z.number(),
  impressionsPrevious: z.number().nullable(),
  impressionsData: z.array(z.number()),
  ctr: z.number(),
  ctrChange: z.number(),
  ctrPrevious: z.number().nullable(),
  ctrData: z.array(z.number()),
  position: z.number(),
  positionChange: z.number(),
  positionPrevious: z.number().nullable(),
  positionData: z.array(z.number()),
  /** The days of the `*Data` lists that have data, oldest first; same length as each list. */
  dates: z.array(isoDate),
  current: period,
  previous: period,
  /** Last day that Google has declared complete for this property. */
  completeThrough: isoDate,
})
export type Metrics = z.infer<typeof metrics>
