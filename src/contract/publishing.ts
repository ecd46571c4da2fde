import { z } from 'zod'
import { isoDate } from './common.ts'
import { period } from './metrics.ts'
import { periodicReport, reportKind } from './periodic-reports.ts'
import { mostRecipients } from './report-limits.ts'

const name = (what: string) => z.string().trim().min(1, `Enter a name for the ${what}`).max(80, 'The name must be at most 80 characters')
const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Enter the color as a hex code, such as #1a73e8')
  .transform((text) => text.toLowerCase())

export const paper = z.enum(['a4', 'letter'])
export type Paper = z.infer<typeof paper>

/** `PUT /api/report-brand` (Agency): how reports look and who sends them. */
export const reportBrandChange = z.object({
  name: name('brand'),
  /** Headings, lines of charts and buttons. Written on in whichever of black and white is readable. */
  colour,
  /** What the sender of report mails is called; the address stays this installation's own, so that mails arrive. */
  senderName: name('sender'),
  replyTo: z.email('Please enter a valid email address').max(254).nullable(),
})
export type ReportBrandChange = z.infer<typeof reportBrandChange>

/** As everybody may see it who sees a report. */
export const shownBrand = z.object({
  name: z.string(),
  colour: z.string(),
  /** A PNG as `data:` address; null without one. */
  logo: z.string().nullable(),
})
export type ShownBrand = z.infer<typeof shownBrand>

/** `GET /api/report-brand`, and the answer to a change. `brand` is null until one was saved; `locked` says why it is not in force. */
export const reportBrand = z.object({
  locked: z.string().nullable(),
  brand: shownBrand.extend({ senderName: z.string(), replyTo: z.string().nullable() }).nullable(),
})
export type ReportBrand = z.infer<typeof reportBrand>
/** `PUT /api/report-brand/logo` takes the bytes of a PNG, JPEG or WebP picture (`DELETE` takes it away). */
export const logoLimits = { bytes: 2 * 1024 * 1024, pixels: 4_000, shownWidth: 600, shownHeight: 240 } as const

/** A client of an agency: a set of properties that are reported on together. */
export const reportClient = z.object({ id: z.string(), name: z.string(), properties: z.array(z.string()) })
export type ReportClient = z.infer<typeof reportClient>
/** `GET /api/report-clients`; `locked` says why they cannot be used on this plan. */
export const reportClients = z.object({ locked: z.string().nullable(), clients: z.array(reportClient) })
/** `POST /api/report-clients`, `PUT /api/report-clients/:id` */
export const reportClientChange = z.object({
  name: name('client'),
  properties: z.array(z.string().min(1).max(2048)).min(1, 'Choose at least one property').max(100),
})

/** What a report is about: one property, or a client with all of theirs. */
export const reportSubject = z.union([z.object({ property: z.string().min(1).max(2048) }), z.object({ client: z.string().min(1).max(40) })])
export type ReportSubject = z.infer<typeof reportSubject>

const scheduleFields = z.object({
  subject: reportSubject,
  kind: reportKind,
  paper,
  recipients: z
    .array(z.email('Please enter a valid email address').max(254))
    .max(mostRecipients, `A report can have at most ${mostRecipients} recipients`),
  enabled: z.boolean(),
})
/** `POST /api/report-schedules`, `PUT /api/report-schedules/:id`. One that everybody has unsubscribed from can be switched off, and not on again without somebody. */
export const reportScheduleChange = scheduleFields.refine(({ enabled, recipients }) => !enabled || recipients.length > 0, {
  path: ['recipients'],
  message: 'Add at least one recipient',
})
export type ReportScheduleChange = z.infer<typeof reportScheduleChange>

/** Reports go out as soon as the last day of their week or month is complete at Google, in the morning of the owner. */
export const reportSchedule = scheduleFields.extend({
  id: z.string(),
  /** None when all of them have unsubscribed. */
  recipients: z.array(z.string()),
  /** Of them those who have not agreed yet, and get nothing until they do. `POST /api/report-schedules/:id/ask` writes to them again. */
  waiting: z.array(z.string()),
  /** The property's or the client's name. */
  title: z.string(),
  /** About when the next one goes out; null when none will. */
  nextAt: z.iso.datetime().nullable(),
  lastSentAt: z.iso.datetime().nullable(),
  /** Why the last one did not go out, or why none will, and what to do; null when all is well. */
  problem: z.string().nullable(),
})
export type ReportSchedule = z.infer<typeof reportSchedule>
/** `GET /api/report-schedules`. `recipientLimit` is what the plan allows for each, 0 where it has no scheduled reports. */
export const reportSchedules = z.object({
  locked: z.string().nullable(),
  recipientLimit: z.number().int(),
  schedules: z.array(reportSchedule),
})

/** `POST /api/report-runs`: makes a PDF; with `mail` it goes to the recipients of that schedule as well. */
export const newReportRun = z.object({
  subject: reportSubject,
  kind: reportKind,
  paper,
  /** First day of the week or month; the latest complete one when absent. */
  start: isoDate.optional(),
  /** A schedule of the same subject, to whose recipients it is sent. */
  schedule: z.string().max(40).optional(),
})
export type NewReportRun = z.infer<typeof newReportRun>

/** `GET /api/report-runs` (the latest 50), `GET /api/report-runs/:id`; the file is at `/api/report-runs/:id/report.pdf`. */
export const reportRun = z.object({
  id: z.string(),
  title: z.string(),
  kind: reportKind,
  period: period.nullable(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Properties that are done, of how many. */
  done: z.number().int(),
  total: z.number().int(),
  /** To how many it was sent; 0 when it was only made. */
  recipients: z.number().int(),
  createdAt: z.iso.datetime(),
  /** Why it failed and what to do, or of which properties figures are missing. */
  detail: z.string().nullable(),
})
export type ReportRun = z.infer<typeof reportRun>
export const reportRuns = z.array(reportRun)

/** Days after which a link stops working. */
export const shareDays = [7, 30, 90] as const
/** `POST /api/report-shares`: a link to one report for whoever has it. */
export const newReportShare = z.object({
  subject: reportSubject,
  kind: reportKind,
  start: isoDate.optional(),
  days: z.literal(shareDays),
})
export type NewReportShare = z.infer<typeof newReportShare>
/** `GET /api/report-shares`: those that were not withdrawn (`DELETE /api/report-shares/:id`), the latest first. */
export const reportShare = z.object({
  id: z.string(),
  title: z.string(),
  kind: reportKind,
  period,
  /** Null: it opens for whoever has it, but was sealed with a key that is lost, and cannot be shown again. */
  url: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** How often it was opened, and when last. */
  views: z.number().int(),
  lastViewedAt: z.iso.datetime().nullable(),
})
export type ReportShare = z.infer<typeof reportShare>
export const reportShareMade = reportShare.extend({ url: z.string() })
export type ReportShareMade = z.infer<typeof reportShareMade>
export const reportShares = z.object({ locked: z.string().nullable(), shares: z.array(reportShare) })

/** `GET /api/shared/:token`, for whoever has the link; the PDF is at `/api/shared/:token/report.pdf`. Without a brand: ours. */
export const sharedReport = z.object({
  title: z.string(),
  brand: shownBrand.nullable(),
  kind: reportKind,
  period,
  expiresAt: z.iso.datetime(),
  reports: z.array(periodicReport),
  /** Properties of the client that have no figures for this period. */
  missing: z.array(z.string()),
})
export type SharedReport = z.infer<typeof sharedReport>
