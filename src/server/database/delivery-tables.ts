import type { ColumnType, Generated } from 'kysely'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliveryFrequency } from '../../contract/delivery/delivery.ts'

type Id = ColumnType<number, never, never>
/** Written and read as a whole, as JSON. */
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
  /** Both are set or neither. */
  quietFrom: number | null
  quietUntil: number | null
}

/** Where a person's messages on one channel go. Without a row, email goes to the account's address and everything else nowhere. */
export type DeliveryChannelsTable = {
  userId: string
  channel: ChannelName
  /** The address, number or webhook, encrypted (platform/secrets); null: only `problem` or `waiting` is set. */
  destination: string | null
  /** Its form fit for display. */
  shown: string | null
  /** An unconfirmed destination with its confirmation data, encrypted. */
  waiting: string | null
  waitingShown: string | null
  /** Slack: the requested channel. */
  extra: string | null
  /** Why nothing is sent there anymore, and since when. */
  problem: string | null
  problemSince: Date | null
  lastSentAt: Date | null
}

/** Addresses, in lowercase, whose readers refuse an account's alert emails; never the account's own. */
export type AlertMailRefusalsTable = { userId: string; address: string; at: Date }

/** When a person's next digest is due. */
export type DigestSchedulesTable = {
  userId: string
  nextAt: Date
  /** Since when it has been due, if it couldn't be written then: `nextAt` is a retry. */
  owedSince: Date | null
  /** Both or neither: when the last written one was due, and its kind. */
  lastAt: Date | null
  lastFrequency: 'daily' | 'weekly' | null
}

export const announcementEvents = ['opened', 'recovered', 'woken', 'worsened'] as const
export type AnnouncementEvent = (typeof announcementEvents)[number]

/**
 * An announcement of an alert through one channel, written with the alert itself. `waiting` → `told` with its notification, or `suppressed`
 * with a reason.
 */
export type DeliveryNewsTable = {
  id: Id
  userId: string
  propertyId: number
  alertId: number
  channel: ChannelName
  event: AnnouncementEvent
  at: Date
  state: 'waiting' | 'told' | 'suppressed'
  /** Null: waits for the next digest; otherwise for this time. */
  notBefore: Date | null
  /** Why it wasn't sent. */
  detail: string | null
  notificationId: number | null
  /** The alert's change that it is about; once it is sent, the larger of that and the one in the message. */
  change: number | null
  /** For a change that became much larger: the one that this channel's reader knows of. */
  changeBefore: number | null
  /** For a change that only hours show so far: of which day, in words. */
  soFar: string | null
}

export type NotificationKind = 'alerts' | 'digest' | 'test'

/** A message to one person on one channel. It is `sent` only after the other side has accepted it. */
export type NotificationsTable = {
  id: Id
  /** The same for every attempt: Message-ID and idempotency key. */
  key: Generated<string>
  userId: string
  propertyId: number | null
  channel: ChannelName
  kind: NotificationKind
  /** Its content (delivery/message.ts). */
  message: Json<unknown>
  state: Generated<'waiting' | 'sent' | 'failed'>
  attempts: Generated<number>
  /** Not before `nextAttemptAt`, and not after `giveUpAt`. */
  nextAttemptAt: Date
  giveUpAt: Date
  /** Where it went, in displayable form. */
  sentTo: string | null
  sentAt: Date | null
  /** The other side's last words on refusing it. */
  detail: string | null
  /** The other side's own id for it. */
  reference: string | null
  createdAt: Date
}

/** One attempt to deliver a message to a customer's server. */
export type WebhookAttemptsTable = {
  id: Id
  notificationId: number
  at: Date
  /** Null without a response. */
  status: number | null
  ms: number
  /** The start of the response. */
  answer: string | null
  /** Why it wasn't accepted. */
  detail: string | null
}
