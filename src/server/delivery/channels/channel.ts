import type { Message } from '../message.ts'

/** A message on its way to one person. */
export type Envelope = {
  /** The same at every attempt: Message-ID, or idempotency key. */
  key: string
  message: Message
  /** Where to, in the channel's own form, from `delivery_channels` or the account. */
  destination: string
  /** Beside it, such as Slack's channel. */
  extra: string | null
  person: { id: string; username: string }
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: string
  /** When it was put together. */
  writtenAt: Date
}

/** What the other side answered, for a log that its owner reads; `status` null when it did not. */
export type Answer = { status: number | null; ms: number; body: string }

/** What became of an attempt; `reason` is for its owner to read and names no secret. */
export type Outcome = Fate & { answer?: Answer }
type Fate =
  /** The other side has taken it; `reference` is its own name for it. */
  | { outcome: 'sent'; reference?: string }
  /** May pass at another attempt, not before the pause where the other side named one. */
  | { outcome: 'later'; reason: string; retryAfterMs?: number }
  /** Never as it is. `disables`: nothing will be taken there any more, whatever it says. `tooMany`: we sent enough for today. */
  | { outcome: 'refused'; reason: string; disables: boolean; tooMany?: true }

/** Hands messages to the other side of one kind. It never throws for what the other side does. */
export type Channel = { send(envelope: Envelope, signal: AbortSignal): Promise<Outcome> }
