import { z } from 'zod'
import { alertState, entityKind, severity } from '../alerts/alerts.ts'
import { comparedFigures, dayFigures, figures } from '../analytics.ts'
import { annotations } from '../annotations.ts'
import { isoDate, propertyQuery } from '../common.ts'
import { period } from '../metrics.ts'
import { endpoint } from '../endpoint.ts'

/** What a report is about: a week from Monday to Sunday, or a month of the calendar, in Google's days. */
export const reportKind = z.enum(['week', 'month'])
export type ReportKind = z.infer<typeof reportKind>

/** The weeks or months all of whose days are complete and stored, the latest first. */
export const reportPeriodsQuery = propertyQuery.extend({ kind: reportKind.default('month') })
export const reportPeriods = z.array(period)

/** Of the latest complete week or month, or of the one that begins on `start`. */
export const periodicReportQuery = reportPeriodsQuery.extend({ start: isoDate.optional() })

/** A page or a query with its figures of the report's period beside those of the one before, 0 where it was not shown; `previous` is null only where nothing is compared. */
const row = comparedFigures.extend({ name: z.string() })
export type ReportRow = z.infer<typeof row>

const lists = z.object({
  /** Different ones that were shown. */
  count: z.number().int(),
  /** Most clicks first. */
  top: z.array(row),
  /** Whether they are stored of every day: totals can be stored without, and then there are none to show, or not all. */
  stored: z.boolean(),
  /** Whether they are stored of every day of the period before as well, without which nothing is compared. */
  compared: z.boolean(),
})
/** By how many clicks they rose or fell, those that moved most first; empty where they are not compared. */
const moved = z.object({ rising: z.array(row), falling: z.array(row) })

/** An alert that was open at some time of the period. */
const periodAlert = z.object({
  id: z.string(),
  severity,
  title: z.string(),
  entity: z.object({ kind: entityKind, name: z.string() }),
  /** Per cent, or places for positions; null where nothing was there before. */
  change: z.number().nullable(),
  openedAt: z.iso.datetime(),
  /** What became of it until now. */
  state: alertState,
  endedAt: z.iso.datetime().nullable(),
})
export type PeriodAlert = z.infer<typeof periodAlert>

/**
 * One property over one week or month. Figures are the same as on the screens for the same days: totals of everything,
 * pages and keywords at their own grain. What cannot be compared, since not every day of it is stored, is null.
 */
export const periodicReport = z.object({
  property: z.string(),
  kind: reportKind,
  period,
  /** The week or month before it. */
  previous: period,
  /** The same month of the year before; for a week the one 52 weeks earlier. */
  lastYear: period,
  completeThrough: isoDate,
  totals: figures,
  previousTotals: figures.nullable(),
  lastYearTotals: figures.nullable(),
  days: z.array(dayFigures),
  /** Empty where `previousTotals` is null. */
  previousDays: z.array(dayFigures),
  annotations,
  pages: lists,
  keywords: lists,
  /** Null with why (`advancedLocked`) on a plan with basic reporting. */
  advanced: z
    .object({
      pages: moved,
      keywords: moved,
      opportunities: z.array(z.object({ query: z.string(), page: z.string(), position: z.number(), opportunityScore: z.number() })),
      /** The latest first; at most 50 of `alertCount`. */
      alerts: z.array(periodAlert),
      alertCount: z.number().int(),
    })
    .nullable(),
  advancedLocked: z.string().nullable(),
})
export type PeriodicReport = z.infer<typeof periodicReport>
export const periodicReportAnswer = periodicReport.nullable()

/** Null, or no periods, where there is no data to show yet. */
export const periodicReportEndpoints = {
  periods: endpoint({ method: 'GET', path: '/api/reports/periods', access: 'session', query: reportPeriodsQuery, answer: reportPeriods }),
  read: endpoint({
    method: 'GET',
    path: '/api/reports/periodic',
    access: 'session',
    query: periodicReportQuery,
    answer: periodicReportAnswer,
  }),
}
