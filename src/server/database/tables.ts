import type { ColumnType, Generated } from 'kysely'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { ConnectionState } from '../../contract/sync.ts'
import type { Notice, PaidPlan, PlanId, Property } from '../../contract/user.ts'
import type { FormerUsernamesTable, VerificationsTable } from './account-tables.ts'
import type {
  SiteBaselinesTable,
  AlertConditionsTable,
  AlertEventsTable,
  AlertFindersTable,
  AlertsTable,
  AlertWatchesTable,
} from './alert-tables.ts'
import type { AnnotationsTable, RankingIncidentsTable, SavedExplorationsTable } from './annotation-tables.ts'
import type { ApiKeysTable, ApiRequestsTable } from './api-tables.ts'
import type { AuditEventsTable } from './audit-tables.ts'
import type { StripeCustomersTable, StripeEventsTable, SubscriptionsTable } from './billing-tables.ts'
import type {
  AlertMailRefusalsTable,
  DeliveryChannelsTable,
  DeliveryNewsTable,
  DeliverySettingsTable,
  DigestSchedulesTable,
  NotificationsTable,
  WebhookAttemptsTable,
} from './delivery-tables.ts'
import type { HourSyncsTable } from './hour-tables.ts'
import type { DayCountsTable, GoogleQuotasTable, LeasesTable, LetterCountsTable, SyncLeasesTable } from './limit-tables.ts'
import type {
  ReportBrandsTable,
  ReportClientPropertiesTable,
  ReportClientsTable,
  ReportMailsTable,
  ReportRunsTable,
  ReportSchedulesTable,
  ReportAsksTable,
  ReportRecipientsTable,
  ReportSharesTable,
  ShownLatelyTable,
} from './report-tables.ts'

/** Set by the database if omitted, never changed afterwards. */
type CreatedAt = ColumnType<Date, Date | undefined, never>
/** An identity column. */
type Id = ColumnType<number, never, never>

/** A one-time notice in the app, shown until it is dismissed. */
type NoticesTable = { userId: string; notice: Notice; dismissedAt: Date | null }

/** Rows as Kysely sees them: camelCase here, snake_case in PostgreSQL. */
export type Database = {
  users: UsersTable
  sessions: SessionsTable
  accounts: AccountsTable
  verifications: VerificationsTable
  people: PeopleTable
  formerUsernames: FormerUsernamesTable
  googleConnections: GoogleConnectionsTable
  googleSignIns: GoogleSignInsTable
  properties: PropertiesTable
  propertySyncs: PropertySyncsTable
  searchTypeSyncs: SearchTypeSyncsTable
  hourSyncs: HourSyncsTable
  imports: ImportsTable
  factSweeps: FactSweepsTable
  forgottenProperties: ForgottenPropertiesTable
  twoFactors: TwoFactorsTable
  stripeCustomers: StripeCustomersTable
  subscriptions: SubscriptionsTable
  stripeEvents: StripeEventsTable
  deliverySettings: DeliverySettingsTable
  deliveryChannels: DeliveryChannelsTable
  alertMailRefusals: AlertMailRefusalsTable
  digestSchedules: DigestSchedulesTable
  deliveryNews: DeliveryNewsTable
  notifications: NotificationsTable
  webhookAttempts: WebhookAttemptsTable
  alertConditions: AlertConditionsTable
  alertWatches: AlertWatchesTable
  siteBaselines: SiteBaselinesTable
  alerts: AlertsTable
  alertEvents: AlertEventsTable
  alertFinders: AlertFindersTable
  notices: NoticesTable
  annotations: AnnotationsTable
  rankingIncidents: RankingIncidentsTable
  savedExplorations: SavedExplorationsTable
  apiKeys: ApiKeysTable
  apiRequests: ApiRequestsTable
  reportBrands: ReportBrandsTable
  reportClients: ReportClientsTable
  reportClientProperties: ReportClientPropertiesTable
  reportSchedules: ReportSchedulesTable
  reportRecipients: ReportRecipientsTable
  reportAsks: ReportAsksTable
  reportRuns: ReportRunsTable
  reportMails: ReportMailsTable
  reportShares: ReportSharesTable
  shownLately: ShownLatelyTable
  googleQuotas: GoogleQuotasTable
  syncLeases: SyncLeasesTable
  leases: LeasesTable
  dayCounts: DayCountsTable
  letterCounts: LetterCountsTable
  auditEvents: AuditEventsTable
  formerKeys: FormerKeysTable
}

// better-auth's five tables, with VerificationsTable. It writes them, except for new accounts (accounts/registration.ts) and people's own
// changes.
type UsersTable = {
  id: string
  name: string
  email: string
  /** A confirmed address belongs to this account alone; an unconfirmed one may be claimed by others too. */
  emailVerified: boolean
  twoFactorEnabled: Generated<boolean>
  image: string | null
  username: string | null
  displayUsername: string | null
  createdAt: Date
  updatedAt: Date
}
type SessionsTable = {
  id: string
  userId: string
  token: string
  expiresAt: Date
  ipAddress: string | null
  userAgent: string | null
  createdAt: Date
  updatedAt: Date
  /** When its holder last entered the password or signed in with Google; by PostgreSQL's clock. */
  provenAt: Generated<Date>
}
type AccountsTable = {
  id: string
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: Date | null
  refreshTokenExpiresAt: Date | null
  scope: string | null
  password: string | null
  createdAt: Date
  updatedAt: Date
}
type TwoFactorsTable = {
  id: string
  userId: string
  secret: string
  backupCodes: string
  verified: Generated<boolean>
  failedVerificationCount: Generated<number>
  lockedUntil: Date | null
  /** Since when it has been on, or set up; null: for longer than the activity log knew. */
  verifiedAt: Generated<Date | null>
}

/** Ranklark's own data on a person, next to better-auth's user row. */
type PeopleTable = {
  userId: string
  /** The plan in force, if plans are sold; written by billing only. */
  plan: Generated<PlanId>
  /** The plan granted by the operator; paying for a better one overrides it. */
  grantedPlan: PaidPlan | null
  /** When a plan was first chosen. */
  planChosenAt: Date | null
  selectedPropertyId: number | null
  /** The address to replace the confirmed one, and until when it can be confirmed. */
  pendingEmail: string | null
  pendingEmailUntil: Date | null
  /** Created in a demo, by the demo itself or by a visitor. What its stand-ins vouched for counts nowhere else (demo/leave-demo.ts). */
  demo: 'sample' | 'visitor' | null
  /** Raised when everything that gives others access ends (accounts/hold-person.ts). */
  accessVersion: Generated<number>
  /** How often the account's other sessions were ended. */
  sessionsVersion: Generated<number>
  /** Since when nobody gets in with anything, and nothing is done for it. */
  closedAt: Date | null
  /** When its owner deleted it; closed since then, and to be erased. */
  deletedAt: Date | null
  createdAt: CreatedAt
}

/** A Google account that logs in to an account here. `email` is its address when it was added. */
type GoogleSignInsTable = { googleSub: string; userId: string; email: string; addedAt: CreatedAt }

/** A person's Google account. Tokens are encrypted (platform/secrets); at most one account per person. */
export type GoogleConnectionsTable = {
  userId: string
  googleSub: string
  email: string
  refreshToken: string
  accessToken: string | null
  accessTokenExpiresAt: Date | null
  scope: string
  /** Why Google stopped answering, if it did; `ok` otherwise. */
  state: Generated<Extract<ConnectionState, 'ok' | 'token_revoked' | 'scope_missing' | 'api_disabled'>>
  /** When consent was last given: a problem with an earlier consent says nothing about this one. */
  connectedAt: ColumnType<Date, Date | undefined, Date>
  updatedAt: ColumnType<Date, Date | undefined, Date>
}

export type PropertiesTable = {
  id: Id
  userId: string
  name: string
  kind: Property['kind']
  permissionLevel: Property['permissionLevel']
  monitored: Generated<boolean>
  /** Set while the person's Google account is disconnected: hidden, not synced, facts kept. */
  detachedAt: Date | null
  /** Since when the plan no longer includes it; it was monitored until then. */
  pausedAt: Date | null
  /** When it was last selected for monitoring; null for imported ones, which are monitored from the start. */
  monitoredAt: Date | null
  /** Its owner's tags, in their order. */
  tags: Generated<string[]>
  /** Null until its owner has saved a list. */
  brandTerms: string[] | null
  /** Incremented with every saved list, to recognize answers made with another one. */
  brandVersion: Generated<number>
  /** Which country's public holidays it has (common/holiday-countries.ts); null until its owner chooses. */
  holidayCountry: string | null
  createdAt: CreatedAt
}

/** A property's state over all its search types. */
export type PropertySyncsTable = {
  propertyId: number
  state: Generated<ConnectionState>
  message: string | null
  retryAt: Date | null
  /** A sync was requested, or is between two slices, while this is in the future; a running one also has a lease. */
  runningUntil: Date | null
  /** When the current run began, and how many days were left then, for its speed. Null if none is running. */
  runBeganAt: Date | null
  runDaysLeft: number | null
  lastSyncedAt: Date | null
  /** Every day of web search up to and including this one is final at Google (or is the last one in the imported files). */
  completeThrough: IsoDate | null
  /** Incremented whenever this property's facts change: the cache key of answers. */
  factsVersion: Generated<number>
  /** When search types other than `web` were last checked for. */
  typesProbedAt: Date | null
  /** Loads from files that are about to be visible, or are, and that no import records yet: whatever interrupts it, they aren't Google's. */
  importingLoads: Generated<number[]>
}

/**
 * How far one search type is stored: every day in [backfilledFrom, fetchedThrough], except those that Google no longer had after a very
 * long absence, and those up to `finalThrough` won't be requested again. The backfill moves `backfilledFrom` back to `backfillTo`. A sync
 * round requests new and revised days once: `caughtUpAt` says when it was done.
 */
export type SearchTypeSyncsTable = {
  propertyId: number
  searchType: SearchType
  backfillTo: IsoDate
  backfilledFrom: IsoDate | null
  finalThrough: IsoDate | null
  fetchedThrough: IsoDate | null
  caughtUpAt: Date | null
  /** Its stored days are from before search appearances were fetched. */
  appearancesDue: Generated<boolean>
}

type ImportsTable = {
  id: Id
  propertyId: number
  sha256: string
  fileName: string
  rows: number
  days: number
  startDate: IsoDate
  endDate: IsoDate
  clicks: number
  impressions: number
  notes: string[]
  importedAt: ColumnType<Date, Date, Date>
  /** Numbers of the fact loads with its days. */
  loads: Generated<number[]>
}

/** Which load was the newest at what time; a later sweep treats earlier ones as finished (facts/sweep.ts). */
type FactSweepsTable = { id: Id; at: Date; newestLoad: number }

/** Properties of deleted accounts, and of imports that never became one, whose facts are to be deleted; not before `at` (docs/decisions/0115). */
type ForgottenPropertiesTable = { propertyId: number; at: Date; hidden: Generated<boolean> }

/** Signing keys of links in old emails, encrypted. */
type FormerKeysTable = { id: Id; purpose: string; sealed: string; createdAt: CreatedAt }
