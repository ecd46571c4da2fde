import { z } from 'zod'
import { alertEnd, alertState, entityKind, severity } from '../alerts/alerts.ts'
import { comparedFigures, dayFigures, figures } from '../figures.ts'
import { segmentId } from '../common.ts'
import { annotations } from '../annotations.ts'
import { isoDate, orElse, propertyQuery } from '../common.ts'
import { period } from '../metrics.ts'
import { signedIn } from '../endpoint.ts'

/** What a report covers: a week from Monday to Sunday, or a calendar month, in Google's days. */
export const reportKind = z.enum(['week', 'month'])
export type ReportKind = z.infer<typeof reportKind>

/** Weeks or months with all days complete and stored, latest first. */
export const reportPeriodsQuery = propertyQuery.extend({ kind: reportKind.default('month') })
export const reportPeriods = z.array(period)

/** The latest complete week or month, or the one that begins on `start`. */
export const periodicReportQuery = reportPeriodsQuery.extend({ start: isoDate.optional(), segment: segmentId })

/**
 * A page or query with its figures for the report's period next to the previous one's, 0 if it wasn't shown; `previous` is null only
 * without a comparison.
 */
const row = comparedFigures.extend({ name: z.string() })
export type ReportRow = z.infer<typeof row>

const lists = z.object({
  /** Number of distinct ones shown. */
  count: z.number().int(),
  /** Most clicks first. */
  top: z.array(row),
  /** Whether they are stored for every day: totals may be stored without them, leaving none to show, or not all. */
  stored: z.boolean(),
  /** Whether they are also stored for every day of the previous period; otherwise nothing is compared. */
  compared: z.boolean(),
})
/** Gains and losses in clicks, largest first; empty if they aren't compared. */
const moved = z.object({ rising: z.array(row), falling: z.array(row) })

/** An alert about some of the period's days. */
const periodAlert = z.object({
  id: z.string(),
  severity,
  title: z.string(),
  entity: z.object({ kind: entityKind, name: z.string() }),
  /** Percent, or places for positions; null if there was nothing before. */
  change: z.number().nullable(),
  openedAt: z.iso.datetime(),
  /** The day it was found on, which is final and evaluated days later; null for a connection. */
  day: isoDate.nullish(),
  /** Its state now. */
  state: alertState,
  endedAt: z.iso.datetime().nullable(),
  /** Null while it is open. */
  endedAs: orElse(alertEnd.shape.as.nullable(), null),
  /** What drove the change, in a sentence or two; null if unknown, or if others mattered more. */
  why: orElse(z.string().nullable(), null),
})
export type PeriodAlert = z.infer<typeof periodAlert>

/**
 * One property over one week or month. Figures match the screens for the same days: totals of everything, pages and keywords at their own
 * grain. Comparisons with days that aren't all stored are null.
 */
export const periodicReport = z.object({
  property: z.string(),
  /** The segment's name, only if it is limited to one: then everything but the notes is about the segment. */
  segment: z.string().optional(),
  kind: reportKind,
  period,
  /** The previous week or month. */
  previous: period,
  /** The same month of the previous year; for a week, the one 52 weeks earlier. */
  lastYear: period,
  completeThrough: isoDate,
  totals: figures,
  previousTotals: figures.nullable(),
  lastYearTotals: figures.nullable(),
  days: z.array(dayFigures),
  /** Empty if `previousTotals` is null. */
  previousDays: z.array(dayFigures),
  annotations,
  pages: lists,
  keywords: lists,
  /** Null, with the reason in `advancedLocked`, on a plan with basic reporting. */
  advanced: z
    .object({
      pages: moved,
      keywords: moved,
      opportunities: z.array(z.object({ query: z.string(), page: z.string(), position: z.number(), opportunityScore: z.number() })),
      /** Latest first; at most 50 of `alertCount`. */
      alerts: z.array(periodAlert),
      alertCount: z.number().int(),
    })
    .nullable(),
  advancedLocked: z.string().nullable(),
})
export type PeriodicReport = z.infer<typeof periodicReport>
export const periodicReportAnswer = periodicReport.nullable()

/** Null, or without periods, if there is no data to show yet. */
export const periodicReportEndpoints = {
  periods: signedIn.get('/api/reports/periods', { query: reportPeriodsQuery, answer: reportPeriods }),
  read: signedIn.get('/api/reports/periodic', { query: periodicReportQuery, isLong: 'names', answer: periodicReportAnswer }),
}
