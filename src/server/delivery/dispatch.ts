import type { ChannelName } from '../../contract/delivery-channels.ts'
import type { DeliverySettings } from '../../contract/delivery.ts'
import { isGivenUp, nextAttempt } from '../../core/delivery/retries.ts'
import { quietUntil } from '../../core/delivery/times.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Channel, Outcome } from './channel.ts'
import { type Destination, type Destinations, unconfirmedText } from './destinations.ts'
import { message as messageSchema } from './message.ts'
import { write } from './outbox.ts'
import { logAttempt } from './webhook/attempts.ts'

export type DispatchDeps = {
  db: Db
  channels: Record<ChannelName, Channel>
  destinations: Destinations
  /** What is in force for a person, defaults included. */
  settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>
  baseUrl: () => string
  clock: Clock
  log: Log
  random?: () => number
}

/** Messages on their way at the same time in one process; each holds a database connection meanwhile. */
const places = 3
/** Longer than any channel takes by itself, except for a mail server that thinks for minutes. */
const attemptMs = 120_000
/** A pause is at most a day: one that seems longer was set by a clock that was wrong. */
const tooFarMs = 2 * 24 * 3_600_000

type Row = Awaited<ReturnType<typeof lockNext>>
type Attempt = { outcome: Outcome; place: Destination | null }
/** It is quiet until then where its reader is. */
type Held = { heldUntil: Date }

/**
 * Sends what is in the outbox. The row of a message is locked from before it is sent until what became of it is
 * written: no two processes send the same one, and one that dies gives it back at once.
 */
export function createDispatch({ db, channels, destinations, settingsOf, baseUrl, clock, log, random = Math.random }: DispatchDeps) {
  async function attempt(row: NonNullable<Row>, signal: AbortSignal, trx: Db): Promise<Attempt | Held> {
    // Somebody waits for a test; what goes to software may have been asked for again, and rings nobody.
    const settings = row.kind === 'test' || row.channel === 'webhook' ? null : await settingsOf(row.userId, trx)
    if (settings && !settings[`${row.channel}Enabled`])
      return { outcome: refused('The channel was switched off before it could be sent.'), place: null }
    // Every attempt asks anew, for hours may have been chosen since it was planned. A digest comes at its own hour.
    const heldUntil = settings && (row.kind !== 'digest' || row.attempts > 0) ? quietUntil(settings, clock.now()) : null
    if (heldUntil) return { heldUntil }
    return send(row, signal, trx)
  }

  async function send(row: NonNullable<Row>, signal: AbortSignal, trx: Db): Promise<Attempt> {
    const place = await destinations.of(row.userId, row.channel, trx, { evenClosed: row.kind === 'test' })
    if (place === null) return { outcome: refused('Nothing is connected for it to go to.'), place }
    if (place.kind === 'closed') return { outcome: refused(place.problem), place: null }
    if (place.kind === 'unconfirmed') return { outcome: { outcome: 'later', reason: unconfirmedText(place.address) }, place: null }
    const { destination, extra } = place.place
    const message = messageSchema.safeParse(row.message)
    if (!message.success)
      return { outcome: refused('It was written by another version of Ranklark and cannot be read.'), place: place.place }
    const envelope = {
      key: row.key,
      message: message.data,
      destination,
      extra,
      person: { id: row.userId, username: row.username },
      baseUrl: baseUrl(),
      writtenAt: row.createdAt,
    }
    const patience = AbortSignal.any([signal, AbortSignal.timeout(attemptMs)])
    return { outcome: await channels[row.channel].send(envelope, patience).catch(unexpected), place: place.place }
  }

  /** A mistake of ours with one message must not hold up those behind it. */
  function unexpected(error: unknown): Outcome {
    log.error({ err: error }, 'a channel met an error of its own')
    return { outcome: 'later', reason: 'Ranklark met an error of its own while sending it.' }
  }

  async function record(row: NonNullable<Row>, { outcome, place }: Attempt, trx: Db): Promise<void> {
    const now = clock.now()
    const attempts = row.attempts + 1
    const told = { notification: row.id, channel: row.channel, kind: row.kind, attempts }
    const set = (change: object) =>
      trx
        .updateTable('notifications')
        .set({ attempts, sentTo: place?.shown ?? null, ...change })
        .where('id', '=', row.id)
        .execute()
    if (outcome.answer) await logAttempt(trx, row.id, outcome, outcome.answer, now)
    if (outcome.outcome === 'sent') {
      await set({ state: 'sent', sentAt: now, detail: null, reference: outcome.reference ?? null })
      await destinations.reached(row.userId, row.channel, now, trx)
      return log.info(told, 'a message was sent')
    }
    const { reason } = outcome
    const isOver = outcome.outcome === 'refused' || row.kind === 'test' || isGivenUp(now, attempts, row.giveUpAt)
    if (outcome.outcome === 'later' && !isOver) {
      const next = nextAttempt(now, attempts, outcome.retryAfterMs, random())
      await set({ detail: reason, nextAttemptAt: next })
      return log.warn({ ...told, reason }, 'a message could not be sent and is tried again later')
    }
    await set({ state: 'failed', detail: reason })
    if (outcome.outcome === 'refused' && outcome.disables && place)
      await destinations.close(row.userId, row.channel, place, reason, now, trx)
    log.error({ ...told, reason }, 'a message was given up')
  }

  /** Takes one message that is due; answers whether there was one. */
  const sendNext = (signal: AbortSignal): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const row = await lockNext(trx, clock.now())
      if (row === undefined) return false
      const tried = await attempt(row, signal, trx).catch((error: unknown) => ({ outcome: unexpected(error), place: null }))
      if ('heldUntil' in tried) {
        await trx.updateTable('notifications').set({ nextAttemptAt: tried.heldUntil }).where('id', '=', row.id).execute()
        return true
      }
      // What was cut short because the server stops is as if it had not been tried.
      if (tried.outcome.outcome === 'later' && signal.aborted) return false
      await record(row, tried, trx)
      return true
    })

  return {
    /** Sends everything that is due; ends early when the signal says so. */
    async sendDue(signal: AbortSignal): Promise<void> {
      const lane = async () => {
        while (!signal.aborted && (await sendNext(signal))) continue
      }
      await Promise.all(Array.from({ length: places }, lane))
    },

    /**
     * A test message, sent the way of all others but at once; answers where it went.
     * @throws Refusal 409 when nothing is connected, or the address was not confirmed, 502 with what the other side said
     */
    async sendTest(userId: string, channel: ChannelName, property: string | null): Promise<{ to: string }> {
      const known = await destinations.of(userId, channel, db, { evenClosed: true })
      if (known === null) throw new Refusal(409, 'Connect it first: there is nothing to send a message to.')
      if (known.kind === 'closed') throw new Refusal(409, known.problem)
      if (known.kind === 'unconfirmed') throw new Refusal(409, unconfirmedText(known.address))
      const now = clock.now()
      const sent = await db.transaction().execute(async (trx) => {
        const id = await write(trx, { userId, propertyId: null, channel, message: { kind: 'test', property } }, now)
        const row = await waitingRow(trx).where('notifications.id', '=', id).executeTakeFirstOrThrow()
        const tried = await send(row, new AbortController().signal, trx)
        await record(row, tried, trx)
        return { outcome: tried.outcome, to: tried.place?.shown }
      })
      if (sent.outcome.outcome !== 'sent') throw new Refusal(502, sent.outcome.reason)
      return { to: sent.to ?? known.place.shown }
    },
  }
}

const refused = (reason: string): Outcome => ({ outcome: 'refused', reason, disables: false })

const waitingRow = (trx: Db) =>
  trx
    .selectFrom('notifications')
    .innerJoin('users', 'users.id', 'notifications.userId')
    .where('notifications.state', '=', 'waiting')
    .selectAll('notifications')
    .select((eb) => eb.fn.coalesce('users.displayUsername', 'users.username', 'users.name').as('username'))

/** The message that has been due the longest and that nobody has in hand, locked. */
const lockNext = (trx: Db, now: Date) =>
  waitingRow(trx)
    .where((eb) => eb.or([eb('nextAttemptAt', '<=', now), eb('nextAttemptAt', '>', new Date(now.getTime() + tooFarMs))]))
    .orderBy('nextAttemptAt')
    .limit(1)
    .forUpdate('notifications')
    .skipLocked()
    .executeTakeFirst()
