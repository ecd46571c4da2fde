import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { isGivenUp, nextAttempt } from '../../core/delivery/retries.ts'
import { quietUntil } from '../../core/delivery/times.ts'
import { createHandOut, type Place } from '../database/hand-out.ts'
import { createLeases } from '../database/leases.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Channel, Outcome } from './channels/channel.ts'
import { type Destination, type Destinations, unconfirmedText } from './destinations.ts'
import { message as messageSchema } from './message.ts'
import { write } from './outbox.ts'
import { logAttempt } from './webhook/attempts.ts'
import { readWebhookDestination } from './webhook/destination.ts'

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

/** Messages on their way at the same time in one process, over all processes of one person, and to one server of somebody. */
const places = 12
const perPerson = 2
const perServer = 4
/** Of one process's, through a provider that all share: when it hangs, other channels go on. */
const perProvider = 6
/** People whose messages are looked up at once. */
const mostLanes = 500
/** Longer than any channel takes by itself, except for a mail server that thinks for minutes. */
const attemptMs = 120_000
/** How long somebody waits in front of the screen for a test. */
const testMs = 30_000
/** A pause is at most a day: one that seems longer was set by a clock that was wrong. */
const tooFarMs = 2 * 24 * 3_600_000

type Row = Awaited<ReturnType<typeof dueRow>>
/** What is sent: of a test nothing is stored before. */
type Sendable = Pick<NonNullable<Row>, 'key' | 'kind' | 'userId' | 'channel' | 'message' | 'username' | 'createdAt'>
type Attempt = { outcome: Outcome; place: Destination | null }
/** It is quiet until then where its reader is. */
type Held = { heldUntil: Date }

/**
 * Sends what is in the outbox. A message is held (database/leases.ts) from before it is sent until what became of it is
 * written: no two processes send the same one, and one that dies gives it back within seconds. While somebody outside
 * is waited for, no transaction is open and no database connection is taken (docs/decisions/0051).
 */
export function createDispatch({ db, channels, destinations, settingsOf, baseUrl, clock, log, random = Math.random }: DispatchDeps) {
  const holder = randomUUID()
  const tests = createLeases(db, { table: 'leases', kind: 'test-message' }, log)

  async function attempt(row: NonNullable<Row>, signal: AbortSignal): Promise<Attempt | Held> {
    // Somebody waits for a test; what goes to software may have been asked for again, and rings nobody.
    const settings = row.kind === 'test' || row.channel === 'webhook' ? null : await settingsOf(row.userId, db)
    if (settings && !settings[`${row.channel}Enabled`])
      return { outcome: refused('The channel was turned off before this could be sent.'), place: null }
    // Every attempt asks anew, for hours may have been chosen since it was planned. A digest comes at its own hour.
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
    const envelope = {
      key: row.key,
      message: message.data,
      destination,
      extra,
      person: { id: row.userId, username: row.username },
      baseUrl: baseUrl(),
      writtenAt: row.createdAt,
    }
    return { outcome: await channels[row.channel].send(envelope, signal).catch(unexpected), place: place.place }
  }

  /** A mistake of ours with one message must not hold up those behind it. */
  function unexpected(error: unknown): Outcome {
    log.error({ err: error }, 'a channel met an error of its own')
    return { outcome: 'later', reason: 'Ranklark ran into an error while sending it.' }
  }

  /** Whether its own row is still there as it was: somebody may have asked for it again meanwhile, or deleted their account. */
  const isUnchanged = async ({ id, version }: NonNullable<Row>, trx: Db): Promise<boolean> =>
    (await dueRows(trx)
      .where('notifications.id', '=', id)
      .where(sql<boolean>`notifications.xmin::text = ${version}`)
      .select('notifications.id')
      .forUpdate('notifications')
      .executeTakeFirst()) !== undefined

  async function record(
    row: Pick<NonNullable<Row>, 'id' | 'attempts' | 'giveUpAt'> & Sendable,
    { outcome, place }: Attempt,
    trx: Db,
  ): Promise<void> {
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

  /** What is cut short because the server stops is as if it had not been tried. */
  async function sendOne({ id }: { id: number }, signal: AbortSignal): Promise<void> {
    const row = await dueRow(db, id, clock.now())
    if (row === undefined) return
    const tried = await attempt(row, signal).catch((error: unknown) => ({ outcome: unexpected(error), place: null }))
    if (!('heldUntil' in tried) && tried.outcome.outcome === 'later' && signal.aborted) return
    await db.transaction().execute(async (trx) => {
      if (!(await isUnchanged(row, trx))) return
      if ('heldUntil' in tried) {
        await trx.updateTable('notifications').set({ nextAttemptAt: tried.heldUntil }).where('id', '=', id).execute()
      } else await record(row, tried, trx)
    })
  }

  /** Servers of people's own, and the providers that this process asks for all of them. */
  async function placeOf({ userId, channel }: Lane): Promise<Place | null> {
    if (channel !== 'webhook') return { name: `${channel} ${holder}`, most: perProvider }
    const place = await destinations.of(userId, channel, db)
    const there = place?.kind === 'open' ? readWebhookDestination(place.place.destination) : null
    return there && { name: new URL(there.url).hostname, most: perServer }
  }

  return {
    /** Sends everything that is due, and what `look` finds meanwhile; ends early when the signal says so. */
    sendDue: createHandOut({
      leases: createLeases(db, { table: 'leases', kind: 'message' }, log),
      places,
      perPerson,
      next: (without) => nextOfEach(db, clock.now(), without),
      heldElsewhere: () => isHeld(db, clock.now()),
      placeOf,
      work: sendOne,
    }),

    /**
     * A test message, sent the way of all others but at once; answers where it went. Stored once it is known what became of it.
     * @throws Refusal 409 when nothing is connected, the address was not confirmed, or another test of theirs is on its
     * way, 429 when enough was sent for today, 502 with what the other side said
     */
    async sendTest(userId: string, channel: ChannelName, property: string | null): Promise<{ to: string }> {
      const known = await destinations.of(userId, channel, db, { evenClosed: true })
      if (known === null) throw new Refusal(409, 'Connect this channel first. There is nowhere to send a message.')
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

const refused = (reason: string): Outcome => ({ outcome: 'refused', reason, disables: false })

const usernames = (db: Db) =>
  db.selectFrom('users').select((eb) => eb.fn.coalesce('users.displayUsername', 'users.username', 'users.name').as('username'))

const dueRows = (db: Db) => db.selectFrom('notifications').where('notifications.state', '=', 'waiting')

const isDue = (now: Date) => sql<boolean>`(next_attempt_at <= ${now} OR next_attempt_at > ${new Date(now.getTime() + tooFarMs)})`
const isInHand = sql<boolean>`EXISTS (SELECT 1 FROM leases
  WHERE leases.kind = 'message' AND leases.key = notifications.id::text AND leases.until > clock_timestamp())`

/** A message as it is to be sent; nothing when that was done meanwhile, or is to be done later. `version` tells whether it was changed since. */
const dueRow = (db: Db, id: number, now: Date) =>
  dueRows(db)
    .innerJoin('users', 'users.id', 'notifications.userId')
    .where('notifications.id', '=', id)
    .where(isDue(now))
    .selectAll('notifications')
    .select((eb) => eb.fn.coalesce('users.displayUsername', 'users.username', 'users.name').as('username'))
    .select(sql<string>`notifications.xmin::text`.as('version'))
    .executeTakeFirst()

type Lane = { id: number; userId: string; channel: ChannelName; lane: string }

/** Of each person and channel the message that has been due the longest and that nobody has in hand. */
async function nextOfEach(db: Db, now: Date, without: readonly string[]): Promise<Lane[]> {
  const first = dueRows(db)
    .where(isDue(now))
    .where(sql<boolean>`NOT ${isInHand}`)
    .where(sql<boolean>`user_id || ' ' || channel <> ALL (${[...without]}::text[])`)
    .distinctOn(['userId', 'channel'])
    .select(['id', 'userId', 'channel', 'nextAttemptAt'])
    .orderBy('userId')
    .orderBy('channel')
    .orderBy('nextAttemptAt')
    .orderBy('id')
  const rows = await db.selectFrom(first.as('first')).selectAll().orderBy('nextAttemptAt').orderBy('id').limit(mostLanes).execute()
  return rows.map(({ id, userId, channel }) => ({ id, userId, channel, lane: `${userId} ${channel}` }))
}

const isHeld = async (db: Db, now: Date): Promise<boolean> =>
  (await dueRows(db).where(isDue(now)).where(isInHand).select('id').limit(1).executeTakeFirst()) !== undefined
