import type { Message } from '../message.ts'

/** A message on its way to one person. */
export type Envelope = {
  /** The same for every attempt: Message-ID, or idempotency key. */
  key: string
  message: Message
  /** The destination in the channel's own format, from `delivery_channels` or the account. */
  destination: string
  /** An addition to it, such as Slack's channel. */
  extra: string | null
  person: { id: string; username: string; timeZone: string }
  /** This installation's URL, without a trailing slash. */
  baseUrl: string
  /** When it was written. */
  writtenAt: Date
}

/** The other side's response, for a log shown to its owner; `status` null without one. */
export type Answer = { status: number | null; ms: number; body: string }

/** The result of an attempt; `reason` is shown to its owner and contains no secret. */
export type Outcome = Fate & { answer?: Answer }
type Fate =
  /** The other side accepted it; `reference` is its own id for it. */
  | { outcome: 'sent'; reference?: string }
  /** May succeed later, but not before the pause the other side named, if any. */
  | { outcome: 'later'; reason: string; retryAfterMs?: number }
  /** Never in this form. `disables`: nothing will be accepted there anymore, whatever its content. `tooMany`: we sent enough for today. */
  | { outcome: 'refused'; reason: string; disables: boolean; tooMany?: true }

/** Delivers messages to one kind of destination. Never throws because of the other side. */
export type Channel = { send(envelope: Envelope, signal: AbortSignal): Promise<Outcome> }
