import { z } from 'zod'
import { byId, isoDate, orElse, propertyQuery, searchType } from './common.ts'
import { signedIn } from './endpoint.ts'
import { comparison, historyRange } from './range.ts'

/** One period of the metric cards; `start` and `end` are inclusive. */
export const period = z.object({ start: isoDate, end: isoDate })
export type Period = z.infer<typeof period>

// SPEC §3: missing values are 0 or an empty list.
const figure = orElse(z.number(), 0)
const days = orElse(z.array(z.number()), [])

/**
 * By default, a property's last 7 complete days compared with the previous 7. `ctr` is a fraction; `position` is 0 if unknown. Changes are
 * in percent of the previous value (positions too; a positive number means the figure rose); 0 if that was zero or unknown. `*Previous` is
 * null if not every day of both periods is stored, or there was no CTR or position. `*Data` are daily values for the days in `dates`,
 * oldest first; a day for which Google has no data is left out, never a zero.
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
  /** The days with data in the `*Data` lists, oldest first; same length as each list. */
  dates: z.array(isoDate),
  current: period,
  previous: period,
  /** Whether any day of `current` is stored; if none is, its zeros mean unknown. */
  isStored: z.boolean(),
  /** Last day that Google declared complete for this property. */
  completeThrough: isoDate,
})
export type Metrics = z.infer<typeof metrics>

/** The same over chosen days, with daily values of just these; `previous` is null without a comparison, or if some of its days aren't stored. */
export type ChosenMetrics = Omit<Metrics, 'previous'> & { previous: Period | null }

const { property, clicksPrevious, dates, current, previous, isStored, completeThrough } = metrics.shape
const optionalPrevious = clicksPrevious.optional()

/** The same when read: an answer with just the fields of SPEC §3 lacks the days and the previous values. */
export const metricsRead = metrics.extend({
  property: property.optional(),
  clicksPrevious: optionalPrevious,
  impressionsPrevious: optionalPrevious,
  ctrPrevious: optionalPrevious,
  positionPrevious: optionalPrevious,
  dates: dates.optional(),
  current: current.optional(),
  previous: previous.nullish(),
  isStored: isStored.default(true),
  completeThrough: completeThrough.optional(),
})
export type MetricsRead = z.infer<typeof metricsRead>

/** On both ends: anything that isn't an object means there is nothing to show yet. */
const metricsAnswer = z.codec(z.custom<ChosenMetrics | null>(), metricsRead.nullable(), {
  decode: (given) => (typeof given === 'object' && !Array.isArray(given) ? given : null),
  encode: (value) => value as ChosenMetrics | null,
})

/**
 * Web search unless another `type` is given. With a segment, its share of the figures; with days or a comparison, the totals of the history
 * with the same ones, whatever its interval.
 */
const metricsQuery = propertyQuery.extend({
  segment: byId.shape.id.optional(),
  type: searchType.default('web'),
  range: historyRange.optional(),
  compare: comparison.optional(),
})

export const metricsEndpoints = {
  read: signedIn.get('/api/metrics', { query: metricsQuery, isLong: 'days', answer: metricsAnswer }),
}
