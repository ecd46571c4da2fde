import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { IsoDate, SearchType } from '../../contract/common.ts'
import type { ConnectionState } from '../../contract/sync.ts'
import type { PaidPlan, PlanId, Property } from '../../contract/user.ts'
import type { AlertBaselinesTable, AlertConditionsTable, AlertEventsTable, AlertsTable, AlertWatchesTable } from './alert-tables.ts'
import type { AnnotationsTable, RankingIncidentsTable, SavedExplorationsTable } from './annotation-tables.ts'
import type { ApiKeysTable, ApiRequestsTable } from './api-tables.ts'
import type { AuditEventsTable } from './audit-tables.ts'
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
import type { DayCountsTable, GoogleQuotasTable, LeasesTable, SyncLeasesTable } from './limit-tables.ts'
import type {
  ReportBrandsTable,
  ReportClientPropertiesTable,
  ReportClientsTable,
  ReportMailsTable,
  ReportRunsTable,
  ReportSchedulesTable,
  ReportRecipientsTable,
  ReportSharesTable,
} from './report-tables.ts'

/** Set by the database when left out, never changed afterwards. */
type CreatedAt = ColumnType<Date, Date | undefined, never>
/** An identity column. */
type Id = ColumnType<number, never, never>

/** Rows as Kysely sees them: camelCase here, snake_case in PostgreSQL. */
export type Database = {
  users: UsersTable
  sessions: SessionsTable
  accounts: AccountsTable
  verifications: VerificationsTable
  people: PeopleTable
  googleConnections: GoogleConnectionsTable
  googleSignIns: GoogleSignInsTable
  properties: PropertiesTable
  propertySyncs: PropertySyncsTable
  searchTypeSyncs: SearchTypeSyncsTable
  hourSyncs: HourSyncsTable
  imports: ImportsTable
  factSweeps: FactSweepsTable
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
  alertBaselines: AlertBaselinesTable
  alerts: AlertsTable
  alertEvents: AlertEventsTable
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
  reportRuns: ReportRunsTable
  reportMails: ReportMailsTable
  reportShares: ReportSharesTable
  googleQuotas: GoogleQuotasTable
  syncLeases: SyncLeasesTable
  leases: LeasesTable
  dayCounts: DayCountsTable
  auditEvents: AuditEventsTable
  formerKeys: FormerKeysTable
}

// The five tables of better-auth. It writes them, but for new accounts (accounts/registration.ts) and what people change of themselves.
type UsersTable = {
  id: string
  name: string
  email: string
  /** A confirmed address is this account's alone; an unconfirmed one may be claimed by others too. */
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
  /** When whoever holds it last showed the password or signed in with Google; by PostgreSQL's clock. */
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
}
type VerificationsTable = {
  id: string
  identifier: string
  value: string
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

/** What Ranklark itself knows of a person, beside better-auth's user row. */
type PeopleTable = {
  userId: string
  /** The plan in force, where plans are sold; written by billing alone. */
  plan: Generated<PlanId>
  /** The plan that whoever runs the installation gave them; paying for a better one lays over it. */
  grantedPlan: PaidPlan | null
  /** When a plan was chosen for the first time. */
  planChosenAt: Date | null
  selectedPropertyId: number | null
  /** The address that is to take the place of the confirmed one, and until when it can be confirmed. */
  pendingEmail: string | null
  pendingEmailUntil: Date | null
  /** Made in a demo: by it, or by somebody who tried it. What its stand-ins vouched for counts nowhere else (demo-left.ts). */
  demo: 'sample' | 'visitor' | null
  /** Since when nobody gets in, whatever they hold; everything of it stays. */
  closedAt: Date | null
  createdAt: CreatedAt
}

/** A Google account that opens an account here. `email` is what it was called when it was added. */
type GoogleSignInsTable = { googleSub: string; userId: string; email: string; addedAt: CreatedAt }

/** A person's Google account. Tokens are sealed (platform/secrets); at most one account a person. */
export type GoogleConnectionsTable = {
  userId: string
  googleSub: string
  email: string
  refreshToken: string
  accessToken: string | null
  accessTokenExpiresAt: Date | null
  scope: string
  /** Why Google's answers stopped, when they did; `ok` otherwise. */
  state: Generated<Extract<ConnectionState, 'ok' | 'token_revoked' | 'scope_missing' | 'api_disabled'>>
  /** When consent was last given: a problem met with an earlier consent says nothing of this one. */
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
  /** Since when the plan no longer covers it; it was monitored until then. */
  pausedAt: Date | null
  /** When it was last chosen to be monitored; null for imported ones, which are from the start. */
  monitoredAt: Date | null
  /** What its owner files it under, in their order. */
  tags: Generated<string[]>
  /** Null until its owner has saved a list. */
  brandTerms: string[] | null
  /** Grows with every saved list, so that answers made with another one are known. */
  brandVersion: Generated<number>
  createdAt: CreatedAt
}

/** How one property stands, over all its search types. */
export type PropertySyncsTable = {
  propertyId: number
  state: Generated<ConnectionState>
  message: string | null
  retryAt: Date | null
  /** A sync was asked for, or is between two slices, as long as this lies ahead; while one runs there is a lease as well. */
  runningUntil: Date | null
  /** When the run that goes on began, and how many days were left then: what its speed is told from. Null while none goes on. */
  runBeganAt: Date | null
  runDaysLeft: number | null
  lastSyncedAt: Date | null
  /** Every day of web search up to here is final at Google (or is the last one in the imported files). */
  completeThrough: IsoDate | null
  /** Raised whenever facts of this property change: the key under which answers may be cached. */
  factsVersion: Generated<number>
  /** When the search types beside `web` were last looked for. */
  typesProbedAt: Date | null
}

/**
 * How far one search type is stored: every day in [backfilledFrom, fetchedThrough] is, and those
 * up to `finalThrough` will not be asked for again. The backfill moves `backfilledFrom` back
 * to `backfillTo`. A round of the sync asks for new and revised days once: `caughtUpAt` says when it had done so.
 */
export type SearchTypeSyncsTable = {
  propertyId: number
  searchType: SearchType
  backfillTo: IsoDate
  backfilledFrom: IsoDate | null
  finalThrough: IsoDate | null
  fetchedThrough: IsoDate | null
  caughtUpAt: Date | null
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
  /** Numbers of the loads of the facts that its days were written as. */
  loads: Generated<number[]>
}

/** Which load was the newest when; a later sweep takes those before it for finished (facts/sweep.ts). */
type FactSweepsTable = { id: Id; at: Date; newestLoad: number }

/** Stripe's customer of a person. */
type StripeCustomersTable = { userId: string; customerId: string; createdAt: CreatedAt }

/** A subscription as Stripe last told of it. */
export type SubscriptionsTable = {
  id: string
  userId: string
  plan: PlanId
  /** Stripe's own word. */
  status: string
  currentPeriodEnd: Date | null
  /** The plan after this period, where it is another one. */
  nextPlan: PlanId | null
  card: JSONColumnType<{ brand: string; last4: string; expMonth: number; expYear: number }> | null
  createdAt: Date
  /** When it was read from Stripe. */
  readAt: Date
}

/** Webhooks that were dealt with: Stripe sends some twice. */
type StripeEventsTable = { id: string; type: string; handledAt: Date }

/** What links in old mails were signed with, sealed. */
type FormerKeysTable = { id: Id; purpose: string; sealed: string; createdAt: CreatedAt }
