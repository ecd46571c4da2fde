import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { quietUntil } from '../../core/delivery/times.ts'
import type { Place, Waiting } from '../database/fair-dispatch.ts'
import type { NotificationsTable } from '../database/delivery-tables.ts'
import { createLeases } from '../database/leases.ts'
import type { Db } from '../database/open.ts'
import { createOutbox, type Result } from '../database/outbox.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Channel, Outcome } from './channels/channel.ts'
import { type Destination, type Destinations, unconfirmedText } from './destinations.ts'
import { message as messageSchema } from './message.ts'
import { write } from './pending.ts'
import { logAttempt } from './webhook/attempts.ts'
import { readWebhookDestination } from './webhook/destination.ts'

export type DispatchDeps = {
  db: Db
  channels: Record<ChannelName, Channel>
  destinations: Destinations
  /** A person's settings in force, defaults included. */
  settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>
  baseUrl: () => string
  clock: Clock
  log: Log
  random?: () => number
}

/** Messages being sent at once: in one process, and for one person over all processes. */
const places = 12
const perPerson = 2
/** To one customer server; no single person gets more than half of these slots. */
const perServer = 2 * perPerson
/** Per process and shared provider: if one hangs, other channels continue. */
const perProvider = 6
/** Longer than any channel takes itself, except for a mail server that takes minutes to respond. */
const attemptMs = 120_000
/** How long a person waits on screen for the result of a test. */
const testMs = 30_000

/** A person's messages on one channel. */
type Lane = Waiting & { channel: ChannelName }
type Row = Selectable<NotificationsTable> & { username: string; version: string }
/** What to send; a test isn't stored beforehand. */
type Sendable = Pick<Row, 'key' | 'kind' | 'userId' | 'channel' | 'message' | 'username' | 'createdAt'>
type Attempt = { outcome: Outcome; place: Destination | null }
/** The recipient's quiet hours last until then. */
type Held = { heldUntil: Date }

/** Sends the messages in the outbox (database/outbox.ts). */
export function createDispatch({ db, channels, destinations, settingsOf, baseUrl, clock, log, random }: DispatchDeps) {
  const holder = randomUUID()
  const outbox = createOutbox<Lane>('notifications', { db, clock, log, random })
  const tests = createLeases(db, { table: 'leases', kind: 'test-message' }, log)

  async function attempt(row: Row, signal: AbortSignal): Promise<Attempt | Held> {
    // Somebody waits for a test; a webhook message may be a requested resend, and wakes nobody.
    const settings = row.kind === 'test' || row.channel === 'webhook' ? null : await settingsOf(row.userId, db)
    if (settings && !settings[`${row.channel}Enabled`])
      return { outcome: refused('The channel was turned off before this could be sent.'), place: null }
    // Checked at every attempt, as quiet hours may have been chosen since it was planned. A digest comes at its own time.
    const heldUntil = settings && (row.kind !== 'digest' || row.attempts > 0) ? quietUntil(settings, clock.now()) : null
    if (heldUntil) return { heldUntil }
    return send(row, AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]))
  }

  async function send(row: Sendable, signal: AbortSignal): Promise<Attempt> {
    const place = await destinations.of(row.userId, row.channel, db, { evenClosed: row.kind === 'test' })
    if (place === null) return { outcome: refused('No destination is connected.'), place }
    if (place.kind === 'closed') return { outcome: refused(place.problem), place: null }
    if (place.kind === 'unconfirmed') return { outcome: { outcome: 'later', reason: unconfirmedText(place.address) }, place: null }
    const { destination, extra } = place.place
    const message = messageSchema.safeParse(row.message)
    if (!message.success)
      return { outcome: refused("It was created by another version of Ranklark and can't be read."), place: place.place }
    const { timeZone } = await settingsOf(row.userId, db)
    const envelope = {
      key: row.key,
      message: message.data,
      destination,
      extra,
      person: { id: row.userId, username: row.username, timeZone },
      baseUrl: baseUrl(),
      writtenAt: row.createdAt,
    }
    return { outcome: await channels[row.channel].send(envelope, signal).catch(unexpected), place: place.place }
  }

  /** A bug with one message must not hold up those behind it. */
  function unexpected(error: unknown): Outcome {
    log.error({ err: error }, 'a channel failed with an unexpected error')
    return { outcome: 'later', reason: 'Ranklark ran into an error while sending it.' }
  }

  async function record(row: Pick<Row, 'id' | 'attempts' | 'giveUpAt'> & Sendable, { outcome, place }: Attempt, trx: Db): Promise<void> {
    const now = clock.now()
    const change = outbox.after(row, resultOf(outcome, row.kind === 'test'))
    const { state, attempts } = change
    const entry = { notification: row.id, channel: row.channel, kind: row.kind, attempts }
    const reference = outcome.outcome === 'sent' ? (outcome.reference ?? null) : undefined
    await trx
      .updateTable('notifications')
      .set({ ...change, sentTo: place?.shown ?? null, ...(reference !== undefined && { reference }) })
      .where('id', '=', row.id)
      .execute()
    if (outcome.answer) await logAttempt(trx, row.id, outcome, outcome.answer, now)
    if (outcome.outcome === 'sent') {
      await destinations.reached(row.userId, row.channel, now, trx)
      return log.info(entry, 'a message was sent')
    }
    const { reason } = outcome
    if (state === 'waiting') return log.warn({ ...entry, reason }, 'a message could not be sent; will retry')
    if (outcome.outcome === 'refused' && outcome.disables && place)
      await destinations.close(row.userId, row.channel, place, reason, now, trx)
    log.error({ ...entry, reason }, 'gave up on a message')
  }

  /** A message to send; nothing if it was sent or postponed meanwhile. */
  const dueRow = (id: number): Promise<Row | undefined> =>
    db
      .selectFrom('notifications')
      .innerJoin('users', 'users.id', 'notifications.userId')
      .where('notifications.id', '=', id)
      .where(outbox.isDue())
      .selectAll('notifications')
      .select((eb) => eb.fn.coalesce('users.displayUsername', 'users.username', 'users.name').as('username'))
      .select(outbox.version)
      .executeTakeFirst()

  /** An attempt cut short by a server shutdown doesn't count. */
  async function sendOne({ id }: Lane, signal: AbortSignal): Promise<void> {
    const row = await dueRow(id)
    if (row === undefined) return
    const tried = await attempt(row, signal).catch((error: unknown) => ({ outcome: unexpected(error), place: null }))
    if (!('heldUntil' in tried) && tried.outcome.outcome === 'later' && signal.aborted) return
    await outbox.ifUnchanged(row, async (trx) => {
      if ('heldUntil' in tried) {
        await trx.updateTable('notifications').set({ nextAttemptAt: tried.heldUntil }).where('id', '=', id).execute()
      } else await record(row, tried, trx)
    })
  }

  /** Customer servers, and the providers that this process uses for everybody. */
  async function placeOf({ userId, channel }: Lane): Promise<Place | null> {
    if (channel !== 'webhook') return { name: `${channel} ${holder}`, most: perProvider }
    const place = await destinations.of(userId, channel, db)
    const there = place?.kind === 'open' ? readWebhookDestination(place.place.destination) : null
    // With its port: a service that never responds must not use up the limit of another service on the same host.
    return there && { name: new URL(there.url).host, most: perServer }
  }

  return {
    /** Sends everything that is due, including what `look` finds meanwhile; stops early on the signal. */
    sendDue: outbox.sendDue({ places, perPerson, placeOf, work: sendOne }),

    /**
     * Sends a test message the regular way, but at once; returns where it went. Stored once its result is known.
     * @throws Refusal 409 if nothing is connected, the address is unconfirmed, or another test of theirs is under way, 429 if enough was
     * sent for today, 502 with the other side's answer
     */
    async sendTest(userId: string, channel: ChannelName, property: string | null): Promise<{ to: string }> {
      const known = await destinations.of(userId, channel, db, { evenClosed: true })
      if (known === null) throw new Refusal(409, 'Connect this channel first, so there is somewhere to send the message.')
      if (known.kind === 'closed') throw new Refusal(409, known.problem)
      if (known.kind === 'unconfirmed') throw new Refusal(409, unconfirmedText(known.address))
      const lease = await tests.claim({ key: userId, userId }, { perPerson: 1 })
      if (!lease) throw new Refusal(409, 'A test message is already on its way. Wait until it arrives or fails.')
      try {
        const now = clock.now()
        const message = { kind: 'test', property } as const
        const { username } = await usernames(db).where('users.id', '=', userId).executeTakeFirstOrThrow()
        const test = { key: randomUUID(), kind: message.kind, userId, channel, message, username, createdAt: now }
        const tried = await send(test, AbortSignal.timeout(testMs))
        await db.transaction().execute(async (trx) => {
          const id = await write(trx, { userId, propertyId: null, channel, message, key: test.key }, now)
          await record({ ...test, id, giveUpAt: now, attempts: 0 }, tried, trx)
        })
        const { outcome } = tried
        if (outcome.outcome !== 'sent') throw new Refusal(outcome.outcome === 'refused' && outcome.tooMany ? 429 : 502, outcome.reason)
        return { to: tried.place?.shown ?? known.place.shown }
      } finally {
        await lease.release()
      }
    },
  }
}

/** Nobody waits for the second attempt of a test. */
function resultOf(outcome: Outcome, isTest: boolean): Result {
  if (outcome.outcome === 'sent') return { outcome: 'sent' }
  const { reason: detail } = outcome
  return outcome.outcome === 'refused' || isTest
    ? { outcome: 'refused', detail }
    : { outcome: 'later', detail, retryAfterMs: outcome.retryAfterMs }
}

const refused = (reason: string): Outcome => ({ outcome: 'refused', reason, disables: false })

const usernames = (db: Db) =>
  db.selectFrom('users').select((eb) => eb.fn.coalesce('users.displayUsername', 'users.username', 'users.name').as('username'))
