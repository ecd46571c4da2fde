import { z } from 'zod'
import { isoDate, orElse } from './common.ts'

export const counts = z.object({ clicks: z.number(), impressions: z.number() })
export type Counts = z.infer<typeof counts>

/** `ctr` is a fraction, `position` the impression-weighted mean; both 0 without impressions, and the position also if unknown. */
export const figures = counts.extend({ ctr: z.number(), position: z.number() })
export type RowFigures = z.infer<typeof figures>

/** Figures of a period next to those of the compared one; null if there were none or nothing is compared. */
export const comparedFigures = figures.extend({ previous: orElse(figures.nullable(), null) })
export type ComparedFigures = z.infer<typeof comparedFigures>

/** A day's figures; days for which Google has none are left out of lists. */
export const dayFigures = figures.extend({ date: isoDate })
export type DayOfFigures = z.infer<typeof dayFigures>

/** A day's expected count; on about 19 of 20 ordinary days the count is between `low` and `high`. */
export const expectedDay = z.object({ date: isoDate, expected: z.number(), low: z.number(), high: z.number() })
export type ExpectedDay = z.infer<typeof expectedDay>
