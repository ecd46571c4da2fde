import { z } from 'zod'
import { email } from '../account/auth.ts'
import { byId as numbered, cleanedText, isoDate, oneLine, textUpTo } from '../common.ts'
import { period } from '../metrics.ts'
import { unsubscribeQuery } from '../delivery/channels.ts'
import { periodicReport, reportKind } from './periodic.ts'
import { mostRecipients } from './limits.ts'
import { endpoint, signedIn } from '../endpoint.ts'

const name = (what: string) => cleanedText(80, oneLine, 'The name must be at most 80 characters').min(1, `Enter a name for the ${what}`)
const wrongColor = 'Enter the color as a hex code, such as #1a73e8'
const color = textUpTo(7, wrongColor)
  .regex(/^#[0-9a-f]{6}$/i, wrongColor)
  .transform((text) => text.toLowerCase())

export const paper = z.enum(['a4', 'letter'])
export type Paper = z.infer<typeof paper>

/** The look and the sender of reports. */
export const reportBrandChange = z.object({
  name: name('brand'),
  /** Headings, chart lines and buttons. Text on it is black or white, whichever is readable. */
  color,
  /** The sender name of report emails; the address stays this installation's own, so that emails arrive. */
  senderName: name('sender'),
  replyTo: email.nullable(),
})
export type ReportBrandChange = z.infer<typeof reportBrandChange>

/** As visible to everybody who sees a report. */
export const shownBrand = z.object({
  name: z.string(),
  color: z.string(),
  /** A PNG as a `data:` URL; null without one. */
  logo: z.string().nullable(),
})
export type ShownBrand = z.infer<typeof shownBrand>

/** `brand` is null until one is saved; `locked` says why it isn't in force. */
export const reportBrand = z.object({
  locked: z.string().nullable(),
  brand: shownBrand.extend({ senderName: z.string(), replyTo: z.string().nullable() }).nullable(),
})
export type ReportBrand = z.infer<typeof reportBrand>
/** Limits for a PNG, JPEG or WebP image. */
export const logoLimits = { bytes: 2 * 1024 * 1024, pixels: 4_000, shownWidth: 600, shownHeight: 240 } as const

/** An agency's client: a set of properties reported on together. */
export const reportClient = z.object({ id: z.string(), name: z.string(), properties: z.array(z.string()) })
export type ReportClient = z.infer<typeof reportClient>
/** `locked` says why they aren't available on this plan. */
export const reportClients = z.object({ locked: z.string().nullable(), clients: z.array(reportClient) })
export const reportClientChange = z.object({
  name: name('client'),
  properties: z.array(z.string().min(1).max(2048)).min(1, 'Choose at least one property').max(100),
})

/** The subject of a report: one property, or a client with all of theirs. */
export const reportSubject = z.union([z.object({ property: z.string().min(1).max(2048) }), z.object({ client: z.string().min(1).max(40) })])
export type ReportSubject = z.infer<typeof reportSubject>

/** The id of one of the person's segments; null or missing for none. */
const segment = numbered.shape.id.nullable().optional()

const scheduleFields = z.object({
  subject: reportSubject,
  segment,
  kind: reportKind,
  paper,
  recipients: z.array(email).max(mostRecipients, `A report can have at most ${mostRecipients.toLocaleString('en-US')} recipients`),
  enabled: z.boolean(),
})
/** A schedule that everybody unsubscribed from can be switched off, but not back on without a recipient. */
export const reportScheduleChange = scheduleFields.refine(({ enabled, recipients }) => !enabled || recipients.length > 0, {
  path: ['recipients'],
  message: 'Add at least one recipient',
})
export type ReportScheduleChange = z.infer<typeof reportScheduleChange>

/** Reports go out as soon as the last day of their week or month is complete at Google, in the owner's morning. */
export const reportSchedule = scheduleFields.extend({
  id: z.string(),
  /** Empty when all of them have unsubscribed. */
  recipients: z.array(z.string()),
  /** Recipients who have yet to agree, and get nothing until they do. `ask` emails them again. */
  waiting: z.array(z.string()),
  /** The name of the property or client, and of the segment. */
  title: z.string(),
  /** The approximate time of the next one; null if there will be none. */
  nextAt: z.iso.datetime().nullable(),
  lastSentAt: z.iso.datetime().nullable(),
  /** Why the last one didn't go out, or why none will, and what to do; null if all is well. */
  problem: z.string().nullable(),
})
export type ReportSchedule = z.infer<typeof reportSchedule>
/** `recipientLimit` is the plan's limit per schedule, 0 without scheduled reports. */
export const reportSchedules = z.object({
  locked: z.string().nullable(),
  recipientLimit: z.number().int(),
  schedules: z.array(reportSchedule),
})

/** Creates a PDF; with `schedule` it is also sent to that schedule's recipients. */
export const newReportRun = z.object({
  subject: reportSubject,
  segment,
  kind: reportKind,
  paper,
  /** First day of the week or month; by default the latest complete one. */
  start: isoDate.optional(),
  /** A schedule with the same subject, whose recipients get it. */
  schedule: z.string().max(40).optional(),
})
export type NewReportRun = z.infer<typeof newReportRun>

/** A PDF, finished or in progress. */
export const reportRun = z.object({
  id: z.string(),
  title: z.string(),
  kind: reportKind,
  period: period.nullable(),
  state: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Finished properties, and their total. */
  done: z.number().int(),
  total: z.number().int(),
  /** Number of recipients; 0 if it was only created. */
  recipients: z.number().int(),
  createdAt: z.iso.datetime(),
  /** Why it failed and what to do, or which properties lack figures. */
  detail: z.string().nullable(),
})
export type ReportRun = z.infer<typeof reportRun>
export const reportRuns = z.array(reportRun)

/** Days until a link expires. */
export const shareDays = [7, 30, 90] as const
/** A link to one report open to whoever has it. */
export const newReportShare = z.object({
  subject: reportSubject,
  segment,
  kind: reportKind,
  start: isoDate.optional(),
  days: z.literal(shareDays),
})
export type NewReportShare = z.infer<typeof newReportShare>
/** A link that hasn't been revoked. */
export const reportShare = z.object({
  id: z.string(),
  title: z.string(),
  kind: reportKind,
  period,
  /** Null: it still works for whoever has it, but was encrypted with a lost key and can't be shown again. */
  url: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** How often it was opened, and the last time. */
  views: z.number().int(),
  lastViewedAt: z.iso.datetime().nullable(),
})
export type ReportShare = z.infer<typeof reportShare>
export const reportShareMade = reportShare.extend({ url: z.string() })
export type ReportShareMade = z.infer<typeof reportShareMade>
export const reportShares = z.object({ locked: z.string().nullable(), shares: z.array(reportShare) })

/** The content behind a link. Without a brand: ours. */
export const sharedReport = z.object({
  title: z.string(),
  brand: shownBrand.nullable(),
  kind: reportKind,
  period,
  expiresAt: z.iso.datetime(),
  reports: z.array(periodicReport),
  /** The client's properties without figures for this period. */
  missing: z.array(z.string()),
})
export type SharedReport = z.infer<typeof sharedReport>

const byId = z.object({ id: z.string().max(40) })
const byToken = z.object({ token: z.string().max(200) })

const brand = '/api/report-brand'
/** A reply-to address other than the account's own, and a change of look while others can see it, require proof. */
export const reportBrandEndpoints = {
  read: signedIn.get(brand, { answer: reportBrand }),
  save: signedIn.put(brand, { proof: 'by-content', body: reportBrandChange, answer: reportBrand }),
  /** Accepts an image's bytes directly, whatever the request's content type. */
  saveLogo: signedIn.put(`${brand}/logo`, { proof: 'by-content', answer: reportBrand }),
  removeLogo: signedIn.remove(`${brand}/logo`, { answer: reportBrand }),
}

const clients = '/api/report-clients'
/** Adding properties that others will see (by link or email), and renaming the client while they can see it, require proof. */
export const reportClientEndpoints = {
  list: signedIn.get(clients, { isLong: 'names', answer: reportClients }),
  add: signedIn.post(clients, { body: reportClientChange, bodyBytes: 256 * 1024, answer: reportClient, status: 201 }),
  change: signedIn.put(`${clients}/:id`, {
    proof: 'by-content',
    params: byId,
    body: reportClientChange,
    bodyBytes: 256 * 1024,
    answer: reportClient,
  }),
  remove: signedIn.remove(`${clients}/:id`, { params: byId }),
}

const schedules = '/api/report-schedules'
/** Sending to an address other than the account's own requires proof, even if it is off; turning it off doesn't. */
export const reportScheduleEndpoints = {
  list: signedIn.get(schedules, { isLong: 'names', answer: reportSchedules }),
  add: signedIn.post(schedules, {
    proof: 'by-content',
    body: reportScheduleChange,
    bodyBytes: 512 * 1024,
    isLong: 'names',
    answer: reportSchedule,
    status: 201,
  }),
  change: signedIn.put(`${schedules}/:id`, {
    proof: 'by-content',
    params: byId,
    body: reportScheduleChange,
    bodyBytes: 512 * 1024,
    isLong: 'names',
    answer: reportSchedule,
  }),
  /** Emails recipients again who have yet to agree. */
  ask: signedIn.post(`${schedules}/:id/ask`, { params: byId, isLong: 'names', answer: reportSchedule }),
  remove: signedIn.remove(`${schedules}/:id`, { params: byId }),
}

const runs = '/api/report-runs'
/** Sending to an address other than the account's own requires proof. */
export const reportRunEndpoints = {
  /** The latest 50. */
  list: signedIn.get(runs, { answer: reportRuns }),
  start: signedIn.post(runs, { proof: 'by-content', body: newReportRun, answer: reportRun, status: 201 }),
  read: signedIn.get(`${runs}/:id`, { params: byId, answer: reportRun }),
  file: signedIn.get(`${runs}/:id/report.pdf`, { params: byId, answer: 'file' }),
}

const shares = '/api/report-shares'
export const reportShareEndpoints = {
  /** The latest first. */
  list: signedIn.get(shares, { answer: reportShares }),
  add: signedIn.post(shares, { proof: 'always', body: newReportShare, answer: reportShareMade, status: 201 }),
  withdraw: signedIn.remove(`${shares}/:id`, { params: byId }),
}

const shared = { method: 'GET', access: { anybody: 'anyone with the link' }, params: byToken } as const
export const sharedReportEndpoints = {
  read: endpoint({ ...shared, path: '/api/shared/:token', isLong: 'names', answer: sharedReport }),
  file: endpoint({ ...shared, path: '/api/shared/:token/report.pdf', answer: 'file' }),
}

const mailed = { query: unsubscribeQuery, answer: 'page', fromAnywhere: true } as const
const whoseMails = { anybody: 'the link in the email identifies the recipient' }
const whoIsAsked = { anybody: 'the link in the email identifies the recipient to confirm' }
/** Pages linked in emails: `GET` asks, since mail scanners open every link, and `POST` acts. */
export const recipientEndpoints = {
  askToConfirm: endpoint({ ...mailed, method: 'GET', path: '/api/report-recipient', access: whoIsAsked }),
  confirm: endpoint({ ...mailed, method: 'POST', path: '/api/report-recipient', access: whoIsAsked }),
  askToLeave: endpoint({ ...mailed, method: 'GET', path: '/api/report-unsubscribe', access: whoseMails }),
  leave: endpoint({ ...mailed, method: 'POST', path: '/api/report-unsubscribe', access: whoseMails }),
}
