import type { ColumnType, Generated } from 'kysely'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliveryFrequency } from '../../contract/delivery/delivery.ts'

type Id = ColumnType<number, never, never>
/** Written and read whole, as JSON. */
type Json<T> = ColumnType<T, string, string>

export type DeliverySettingsTable = {
  id: Id
  userId: string
  emailEnabled: Generated<boolean>
  criticalAlerts: Generated<boolean>
  warningAlerts: Generated<boolean>
  positiveAlerts: Generated<boolean>
  slackEnabled: Generated<boolean>
  smsEnabled: Generated<boolean>
  webhookEnabled: Generated<boolean>
  frequency: Generated<DeliveryFrequency>
  timeZone: Generated<string>
  digestHour: Generated<number>
  digestWeekday: Generated<number>
  digestWhenQuiet: Generated<boolean>
  /** Both or neither. */
  quietFrom: number | null
  quietUntil: number | null
}

/** Where a person's messages of one channel go. Without a row mail goes to the account's address, the rest nowhere. */
export type DeliveryChannelsTable = {
  userId: string
  channel: ChannelName
  /** The address, number or webhook, sealed (platform/secrets); null: only `problem` or `waiting` is told. */
  destination: string | null
  /** The same as it may be shown. */
  shown: string | null
  /** A destination that was not confirmed yet, sealed, with what confirms it. */
  waiting: string | null
  waitingShown: string | null
  /** Slack: the channel asked for. */
  extra: string | null
  /** Why nothing is sent there any more, and since when. */
  problem: string | null
  problemSince: Date | null
  lastSentAt: Date | null
}

/** Addresses, in lower case, whose readers want no alert mails of an account; never the account's own. */
export type AlertMailRefusalsTable = { userId: string; address: string; at: Date }

/** When the next digest of a person is due. */
export type DigestSchedulesTable = {
  userId: string
  nextAt: Date
  /** Since when it has been due, where it could not be put together then: `nextAt` is another try. */
  owedSince: Date | null
  /** Both or neither: when the last one that was written was due, and what it was. */
  lastAt: Date | null
  lastFrequency: 'daily' | 'weekly' | null
}

export type NewsEvent = 'opened' | 'recovered' | 'woken'

/**
 * What is to be told of an alert through one channel: the outbox, written with the alert itself.
 * `waiting` → `told` with its notification, or `suppressed` with a reason.
 */
export type DeliveryNewsTable = {
  id: Id
  userId: string
  propertyId: number
  alertId: number
  channel: ChannelName
  event: NewsEvent
  at: Date
  state: 'waiting' | 'told' | 'suppressed'
  /** Waiting for the next digest when null, else for this time. */
  notBefore: Date | null
  /** Why it was not told. */
  detail: string | null
  notificationId: number | null
}

export type NotificationKind = 'alerts' | 'digest' | 'test'

/** A message to one person through one channel. It is `sent` only after the other side has taken it. */
export type NotificationsTable = {
  id: Id
  /** The same at every attempt: Message-ID and idempotency key. */
  key: Generated<string>
  userId: string
  propertyId: number | null
  channel: ChannelName
  kind: NotificationKind
  /** What it says (delivery/message.ts). */
  message: Json<unknown>
  state: Generated<'waiting' | 'sent' | 'failed'>
  attempts: Generated<number>
  /** Not before, and no longer after. */
  nextAttemptAt: Date
  giveUpAt: Date
  /** Where it went, as far as it may be shown. */
  sentTo: string | null
  sentAt: Date | null
  /** What the other side said the last time it did not take it. */
  detail: string | null
  /** The other side's own name for it. */
  reference: string | null
  createdAt: Date
}

/** One attempt to hand a message to somebody's server. */
export type WebhookAttemptsTable = {
  id: Id
  notificationId: number
  at: Date
  /** Null when nothing was answered. */
  status: number | null
  ms: number
  /** The beginning of what was answered. */
  answer: string | null
  /** Why it was not taken. */
  detail: string | null
}
