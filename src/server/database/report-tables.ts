import type { ColumnType, Generated } from 'kysely'
import type { IsoDate } from '../../contract/common.ts'
import type { ReportKind } from '../../contract/reports/periodic.ts'
import type { Paper, ReportRun } from '../../contract/reports/reports.ts'

type Id = ColumnType<number, never, never>
/** Written and read whole, as JSON. */
type Json<T> = ColumnType<T, string | null, string | null>

/** How reports of a person look; in force as long as the plan covers it. */
export type ReportBrandsTable = {
  userId: string
  name: string
  colour: string
  senderName: string
  replyTo: string | null
  /** A PNG that was drawn anew from what was uploaded. */
  logo: Buffer | null
  updatedAt: Date
}

export type ReportClientsTable = { id: Id; userId: string; name: string; createdAt: Date }
export type ReportClientPropertiesTable = { clientId: number; propertyId: number }

/** One property, or a client. */
type Subject = { propertyId: number | null; clientId: number | null }

export type ReportSchedulesTable = Subject & {
  id: Id
  userId: string
  kind: ReportKind
  paper: Paper
  recipients: string[]
  /** Who wanted no more of these reports, in lower case, before it held for all of an account's (ReportRecipientsTable). */
  unsubscribed: Generated<string[]>
  enabled: boolean
  /** First day of the first week or month to be sent. */
  firstStart: IsoDate
  /** First day of the one that was made last. */
  sentStart: IsoDate | null
  lastSentAt: Date | null
  /** When it is looked at next whether there is something to send. */
  lookAt: Date
  createdAt: Date
}

/** Somebody whom an account sends reports to, or wants to; the address in lower case. */
export type ReportRecipientsTable = {
  userId: string
  address: string
  /** When whoever reads its mail agreed. */
  confirmedAt: Date | null
  /** Since when they want no more reports of this account, whatever schedule. */
  unsubscribedAt: Date | null
  /** When they were asked last, and how often. */
  askedAt: Date | null
  asks: Generated<number>
}

export type ReportRunsTable = Subject & {
  id: Id
  userId: string
  scheduleId: number | null
  /** Made because its schedule was due, not because somebody asked. */
  scheduled: boolean
  title: string
  kind: ReportKind
  paper: Paper
  /** Null until it is known: of the latest complete week or month, where none was named. */
  periodStart: IsoDate | null
  periodEnd: IsoDate | null
  state: Generated<ReportRun['state']>
  attempts: Generated<number>
  done: Generated<number>
  total: number
  recipients: string[]
  detail: string | null
  /** What its mails say (reports/mail-content.ts). */
  mail: Json<unknown>
  pdf: Buffer | null
  createdAt: Date
}

export type ReportMailsTable = {
  id: Id
  /** The same at every attempt: Message-ID. */
  key: Generated<string>
  runId: number
  userId: string
  address: string
  state: Generated<'waiting' | 'sent' | 'failed'>
  attempts: Generated<number>
  /** Not before, and no longer after. */
  nextAttemptAt: Date
  giveUpAt: Date
  sentAt: Date | null
  /** Why the mail server did not take it. */
  detail: string | null
  createdAt: Date
}

export type ReportSharesTable = Subject & {
  id: Id
  userId: string
  title: string
  kind: ReportKind
  periodStart: IsoDate
  periodEnd: IsoDate
  /** By which a link is found, and the link itself, sealed, for its owner. */
  tokenHash: string
  tokenSealed: string
  createdAt: Date
  expiresAt: Date
  views: Generated<number>
  lastViewedAt: Date | null
  /** Made when it was asked for first, and again when what `pdfKey` names has changed. */
  pdf: Buffer | null
  pdfKey: string | null
}
