import type { ColumnType, Generated } from 'kysely'
import type { IsoDate } from '../../contract/common.ts'
import type { ReportKind } from '../../contract/reports/periodic.ts'
import type { StoredSegment } from './annotation-tables.ts'
import type { Paper, ReportRun } from '../../contract/reports/reports.ts'

type Id = ColumnType<number, never, never>
/** Written and read as a whole, as JSON. */
type Json<T> = ColumnType<T, string | null, string | null>

/** The same, never changed. */
type Kept<T> = ColumnType<T | null, string | null | undefined, never>

/** A person's report branding; in force while the plan includes it. */
export type ReportBrandsTable = {
  userId: string
  name: string
  /** `color` to everybody else; processes of an earlier version still read this name during an upgrade. */
  colour: string
  senderName: string
  replyTo: string | null
  /** A PNG redrawn from the upload. */
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
  /** One of the owner's `saved_explorations`, which can't be deleted meanwhile. */
  segmentId: ColumnType<number | null, number | null | undefined, number | null>
  kind: ReportKind
  paper: Paper
  recipients: string[]
  /** Addresses, in lowercase, that refused these reports before refusals covered all of an account's (ReportRecipientsTable). */
  unsubscribed: Generated<string[]>
  enabled: boolean
  /** First day of the first week or month to send. */
  firstStart: IsoDate
  /** First day of the last one made. */
  sentStart: IsoDate | null
  lastSentAt: Date | null
  /** When to check next whether there is something to send. */
  lookAt: Date
  createdAt: Date
}

/** Somebody an account sends reports to, or wants to; the address in lowercase. */
export type ReportRecipientsTable = {
  userId: string
  address: string
  /** When the address's reader agreed. */
  confirmedAt: Date | null
  /** Since when they refuse this account's reports, whatever the schedule. */
  unsubscribedAt: Date | null
  /** When they were last asked, and how often in total. */
  askedAt: Date | null
  asks: Generated<number>
  /** Links from before this moment no longer let them agree: somebody else may have had the account then. */
  linksCountFrom: Generated<Date | null>
}

/** How often all accounts, including deleted ones, asked an address for consent, and since when it refuses a deleted one's reports. */
export type ReportAsksTable = {
  /** Keyed: the address itself can't be found. */
  addressHash: string
  /** When the count began, and the asks since then without consent. */
  since: Date
  asks: number
  /** The latest day it was asked, and how often on it. */
  day: IsoDate
  askedOnDay: number
  refusedAt: Date | null
}

export type ReportRunsTable = Subject & {
  id: Id
  userId: string
  scheduleId: number | null
  /** Created by its due schedule, not on request. */
  scheduled: boolean
  title: string
  segment: Kept<StoredSegment>
  kind: ReportKind
  paper: Paper
  /** Null until it is known: the latest complete week or month, if none was named. */
  periodStart: IsoDate | null
  periodEnd: IsoDate | null
  state: Generated<ReportRun['state']>
  attempts: Generated<number>
  done: Generated<number>
  total: number
  recipients: string[]
  detail: string | null
  /** The content of its emails (reports/mail-content.ts). */
  mail: Json<unknown>
  pdf: Buffer | null
  createdAt: Date
}

export type ReportMailsTable = {
  id: Id
  /** The same for every attempt: Message-ID. */
  key: Generated<string>
  runId: number
  userId: string
  address: string
  state: Generated<'waiting' | 'sent' | 'failed'>
  attempts: Generated<number>
  /** Not before `nextAttemptAt`, and not after `giveUpAt`. */
  nextAttemptAt: Date
  giveUpAt: Date
  sentAt: Date | null
  /** Why the mail server didn't accept it. */
  detail: string | null
  createdAt: Date
}

export type ReportSharesTable = Subject & {
  id: Id
  userId: string
  title: string
  segment: Kept<StoredSegment>
  kind: ReportKind
  periodStart: IsoDate
  periodEnd: IsoDate
  /** The key for finding a link, and the link itself, encrypted for its owner. */
  tokenHash: string
  tokenSealed: string
  createdAt: Date
  expiresAt: Date
  views: Generated<number>
  lastViewedAt: Date | null
  /** Created on the first request, and again when what `pdfKey` identifies has changed. */
  pdf: Buffer | null
  pdfKey: string | null
}

/** A property, client or segment that others no longer see in reports, and when they last did (common/shown-to-others.ts). */
export type ShownLatelyTable = Subject & { userId: string; segmentId: number | null; lastAt: Date }
