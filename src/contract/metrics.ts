import { z } from 'zod'
import { isoDate, orElse, propertyQuery } from './common.ts'
import { endpoint } from './endpoint.ts'

/** One period as the metric cards show it; `start` and `end` are both included. */
export const period = z.object({ start: isoDate, end: isoDate })
export type Period = z.infer<typeof period>

// SPEC §3: what is missing is 0, or an empty list.
const figure = orElse(z.number(), 0)
const days = orElse(z.array(z.number()), [])

/**
 * The last 7 complete days of a property against the 7 before them.
 * `ctr` is a fraction; `position` is 0 where none is known. Changes are percent of the previous value (position included; a
 * positive number means the figure rose); 0 when the previous period had nothing to
 * compare with, or not every day of both is stored, in which cases `*Previous` is null. `*Data` are daily values of the days in
 * `dates`, oldest first; a day for which Google has no data is left out, never a zero.
 */
export const metrics = z.object({
  property: z.string(),
  clicks: figure,
  clicksChange: figure,
  clicksPrevious: z.number().nullable(),
  clicksData: days,
  impressions: figure,
  impressionsChange: figure,
  impressionsPrevious: z.number().nullable(),
  impressionsData: days,
  ctr: figure,
  ctrChange: figure,
  ctrPrevious: z.number().nullable(),
  ctrData: days,
  position: figure,
  positionChange: figure,
  positionPrevious: z.number().nullable(),
  positionData: days,
  /** The days of the `*Data` lists that have data, oldest first; same length as each list. */
  dates: z.array(isoDate),
  current: period,
  previous: period,
  /** Last day that Google has declared complete for this property. */
  completeThrough: isoDate,
})
export type Metrics = z.infer<typeof metrics>

const { property, clicksPrevious, dates, current, previous, completeThrough } = metrics.shape
const untold = clicksPrevious.optional()

/** The same as it is read: of an answer that has no more than SPEC §3 names, the days and what was before are not known. */
export const metricsRead = metrics.extend({
  property: property.optional(),
  clicksPrevious: untold,
  impressionsPrevious: untold,
  ctrPrevious: untold,
  positionPrevious: untold,
  dates: dates.optional(),
  current: current.optional(),
  previous: previous.optional(),
  completeThrough: completeThrough.optional(),
})
export type MetricsRead = z.infer<typeof metricsRead>

/** At both ends: what is no object means that there is nothing to show yet. */
const metricsAnswer = z.codec(z.custom<Metrics | null>(), metricsRead.nullable(), {
  decode: (given) => (typeof given === 'object' && !Array.isArray(given) ? given : null),
  encode: (value) => value as Metrics | null,
})

export const metricsEndpoints = {
  read: endpoint({ method: 'GET', path: '/api/metrics', access: 'session', query: propertyQuery, answer: metricsAnswer }),
}
