import { z } from 'zod'
import { isoDate } from '../common.ts'
import { period } from '../metrics.ts'
import { unsubscribeQuery } from '../delivery/channels.ts'
import { periodicReport, reportKind } from './periodic.ts'
import { mostRecipients } from './limits.ts'
import { endpoint } from '../endpoint.ts'

const name = (what: string) => z.string().trim().min(1, `Enter a name for the ${what}`).max(80, 'The name must be at most 80 characters')
const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Enter the color as a hex code, such as #1a73e8')
  .transform((text) => text.toLowerCase())

export const paper = z.enum(['a4', 'letter'])
export type Paper = z.infer<typeof paper>

/** How reports look and who sends them. */
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

/** `brand` is null until one was saved; `locked` says why it is not in force. */
export const reportBrand = z.object({
  locked: z.string().nullable(),
  brand: shownBrand.extend({ senderName: z.string(), replyTo: z.string().nullable() }).nullable(),
})
export type ReportBrand = z.infer<typeof reportBrand>
/** A PNG, JPEG or WebP picture. */
export const logoLimits = { bytes: 2 * 1024 * 1024, pixels: 4_000, shownWidth: 600, shownHeight: 240 } as const

/** A client of an agency: a set of properties that are reported on together. */
export const reportClient = z.object({ id: z.string(), name: z.string(), properties: z.array(z.string()) })
export type ReportClient = z.infer<typeof reportClient>
/** `locked` says why they cannot be used on this plan. */
export const reportClients = z.object({ locked: z.string().nullable(), clients: z.array(reportClient) })
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
/** One that everybody has unsubscribed from can be switched off, and not on again without somebody. */
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
  /** Of them those who have not agreed yet, and get nothing until they do. `ask` writes to them again. */
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
/** `recipientLimit` is what the plan allows for each, 0 where it has no scheduled reports. */
export const reportSchedules = z.object({
  locked: z.string().nullable(),
  recipientLimit: z.number().int(),
  schedules: z.array(reportSchedule),
})

/** Makes a PDF; with `schedule` it goes to the recipients of that schedule as well. */
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

/** One PDF that is, or was, made. */
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
/** A link to one report for whoever has it. */
export const newReportShare = z.object({
  subject: reportSubject,
  kind: reportKind,
  start: isoDate.optional(),
  days: z.literal(shareDays),
})
export type NewReportShare = z.infer<typeof newReportShare>
/** A link that was not withdrawn. */
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

/** What a link shows. Without a brand: ours. */
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

const byId = z.object({ id: z.string().max(40) })
const byToken = z.object({ token: z.string().max(200) })

const brand = '/api/report-brand'
export const reportBrandEndpoints = {
  read: endpoint({ method: 'GET', path: brand, access: 'session', answer: reportBrand }),
  save: endpoint({ method: 'PUT', path: brand, access: 'session', body: reportBrandChange, answer: reportBrand }),
  /** Takes the bytes of a picture as they are, whatever the request calls them. */
  saveLogo: endpoint({ method: 'PUT', path: `${brand}/logo`, access: 'session', answer: reportBrand }),
  removeLogo: endpoint({ method: 'DELETE', path: `${brand}/logo`, access: 'session', answer: reportBrand }),
}

const clients = '/api/report-clients'
export const reportClientEndpoints = {
  list: endpoint({ method: 'GET', path: clients, access: 'session', answer: reportClients }),
  add: endpoint({ method: 'POST', path: clients, access: 'session', body: reportClientChange, answer: reportClient, status: 201 }),
  change: endpoint({
    method: 'PUT',
    path: `${clients}/:id`,
    access: 'session',
    params: byId,
    body: reportClientChange,
    answer: reportClient,
  }),
  remove: endpoint({ method: 'DELETE', path: `${clients}/:id`, access: 'session', params: byId }),
}

const schedules = '/api/report-schedules'
/** Sending to an address other than the account's own asks for a proof. */
export const reportScheduleEndpoints = {
  list: endpoint({ method: 'GET', path: schedules, access: 'session', answer: reportSchedules }),
  add: endpoint({
    method: 'POST',
    path: schedules,
    access: 'session',
    proof: 'by-content',
    body: reportScheduleChange,
    answer: reportSchedule,
    status: 201,
  }),
  change: endpoint({
    method: 'PUT',
    path: `${schedules}/:id`,
    access: 'session',
    proof: 'by-content',
    params: byId,
    body: reportScheduleChange,
    answer: reportSchedule,
  }),
  /** Writes again to recipients who have not agreed yet. */
  ask: endpoint({ method: 'POST', path: `${schedules}/:id/ask`, access: 'session', params: byId, answer: reportSchedule }),
  remove: endpoint({ method: 'DELETE', path: `${schedules}/:id`, access: 'session', params: byId }),
}

const runs = '/api/report-runs'
export const reportRunEndpoints = {
  /** The latest 50. */
  list: endpoint({ method: 'GET', path: runs, access: 'session', answer: reportRuns }),
  start: endpoint({ method: 'POST', path: runs, access: 'session', body: newReportRun, answer: reportRun, status: 201 }),
  read: endpoint({ method: 'GET', path: `${runs}/:id`, access: 'session', params: byId, answer: reportRun }),
  file: endpoint({ method: 'GET', path: `${runs}/:id/report.pdf`, access: 'session', params: byId, answer: 'file' }),
}

const shares = '/api/report-shares'
export const reportShareEndpoints = {
  /** The latest first. */
  list: endpoint({ method: 'GET', path: shares, access: 'session', answer: reportShares }),
  add: endpoint({
    method: 'POST',
    path: shares,
    access: 'session',
    proof: 'always',
    body: newReportShare,
    answer: reportShareMade,
    status: 201,
  }),
  withdraw: endpoint({ method: 'DELETE', path: `${shares}/:id`, access: 'session', params: byId }),
}

const shared = { method: 'GET', access: { anybody: 'whoever has the link' }, params: byToken } as const
export const sharedReportEndpoints = {
  read: endpoint({ ...shared, path: '/api/shared/:token', answer: sharedReport }),
  file: endpoint({ ...shared, path: '/api/shared/:token/report.pdf', answer: 'file' }),
}

const mailed = { query: unsubscribeQuery, answer: 'page', fromAnywhere: true } as const
const whoseMails = { anybody: 'the link from the email says whose emails they are' }
const whoIsAsked = { anybody: 'the link from the email says who is asked' }
/** Pages that emails lead to: `GET` asks, since programs that look into emails open every link, and `POST` does it. */
export const recipientEndpoints = {
  askToConfirm: endpoint({ ...mailed, method: 'GET', path: '/api/report-recipient', access: whoIsAsked }),
  confirm: endpoint({ ...mailed, method: 'POST', path: '/api/report-recipient', access: whoIsAsked }),
  askToLeave: endpoint({ ...mailed, method: 'GET', path: '/api/report-unsubscribe', access: whoseMails }),
  leave: endpoint({ ...mailed, method: 'POST', path: '/api/report-unsubscribe', access: whoseMails }),
}
