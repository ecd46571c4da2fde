import { sql } from 'kysely'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { Db } from '../database/open.ts'
import { isOpen } from '../database/open-accounts.ts'
import type { Log } from '../platform/log.ts'
import { awayStore } from '../platform/store-outages.ts'
import { alertsMessage, itemsOf } from './compose.ts'
import type { Destinations } from './destinations.ts'
import { alertsOf, dueAlertsOf, overtakenBy, untoldOf } from './due-alerts.ts'
import { type MessageOf, type MessageItem } from './message.ts'
import {
  type MessageScope,
  mostInMessage,
  mostSevere,
  suppress,
  suppressAll,
  suppressCounted,
  suppressParts,
  suppressTurnedOff,
  forgetUntold,
  markCovered,
  upTo,
  type WaitingAnnouncement,
  write,
} from './pending.ts'
import { explainInTime, type Known } from './reasons.ts'

export type PlanDeps = {
  db: Db
  alerts: Pick<AlertsService, 'forMessages' | 'explain'>
  settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>
  destinations: Destinations
  log: Log
  /** For tests. */
  limits?: Partial<typeof usual>
}

/** How far planning has come: people take turns, one message each. */
export type Round = {
  /** The person who had the last turn. */
  after: string
  /** Announcements settled since the round began. */
  taken: number
  /** Explanations of people with further messages to come. */
  known: Map<string, Known>
  /** Time spent on explanations, by person. */
  spentMs: Map<string, number>
  /** People whose announcements couldn't be composed, and when to try again. */
  resting: Map<string, Date>
}
/** @param resting of earlier rounds of this process */
export const newRound = (resting = new Map<string, Date>()): Round => ({
  after: '',
  taken: 0,
  known: new Map(),
  spentMs: new Map(),
  resting,
})

export const usual = {
  /** Planning pauses after that, for messages to be sent. */
  sliceMs: 2_000,
  /** Time for finding the reasons in one message, and in a person's consecutive messages; after that, messages go out without them. */
  explainMs: 5_000,
  explainAllMs: 30_000,
  /** For a digest's figures, and how long they may wait for a slot behind others' queries. */
  figuresMs: 15_000,
  figuresWaitMs: 25_000,
}

const batch = 100
/** People whose announcements couldn't be composed get another turn after this time. */
const restMs = 10 * 60_000
/** Maximum number of alerts per message whose contributors are looked up; an email shows as many in full. */
const mostExplained = 10
/** Maximum number of explanations kept while a person's messages are written, and of people for whom any are kept. */
const mostKnown = 100
const mostPeopleKnown = 100

/** Announcements that can be sent: emails wait until there is a confirmed address. */
export const canBeSent = sql<boolean>`(delivery_news.channel <> 'email'
  OR EXISTS (SELECT FROM users WHERE users.id = delivery_news.user_id AND users.email_verified)
  OR EXISTS (SELECT FROM delivery_channels AS own WHERE own.user_id = delivery_news.user_id AND own.channel = 'email' AND own.destination IS NOT NULL))`

/** Why a channel accepts nothing now: `suppressed` drops what waits for it, `unconfirmed` lets it wait. Null if it accepts messages. */
export async function closedReason(
  { destinations }: Pick<PlanDeps, 'destinations'>,
  { userId, channel, settings }: { userId: string; channel: ChannelName; settings: DeliverySettings },
  trx: Db,
): Promise<{ suppressed: string } | 'unconfirmed' | null> {
  if (!settings[`${channel}Enabled`]) return { suppressed: 'The channel was turned off before this was due.' }
  const place = await destinations.of(userId, channel, trx)
  if (place === null) return { suppressed: 'No destination was connected.' }
  if (place.kind === 'unconfirmed') return 'unconfirmed'
  return place.kind === 'closed' ? { suppressed: place.problem } : null
}

/**
 * How long an alert waits for those of the person's other properties while not all of them are evaluated for the same days: what affects
 * several of them becomes one message.
 */
const gatherMinutes = 20
/** Properties whose last days are further apart aren't about to have the same ones. */
const mostDaysApart = 2

const isGathered = (now: Date) => sql<boolean>`NOT (delivery_news.channel <> 'webhook' AND delivery_news.event IN ('opened', 'worsened')
  AND delivery_news.at > ${new Date(now.getTime() - gatherMinutes * 60_000)}
  AND EXISTS (SELECT FROM alerts JOIN property_syncs AS own ON own.property_id = alerts.property_id
    JOIN properties AS other ON other.user_id = delivery_news.user_id AND other.id <> alerts.property_id
      AND other.kind = 'google' AND other.monitored AND other.detached_at IS NULL
    JOIN property_syncs AS theirs ON theirs.property_id = other.id
    LEFT JOIN alert_watches AS watch ON watch.property_id = other.id
    WHERE alerts.id = delivery_news.alert_id AND alerts.basis = 'days' AND alerts.entity_kind <> 'connection'
      AND theirs.state = 'ok' AND abs(theirs.complete_through - own.complete_through) <= ${mostDaysApart}::integer
      AND watch.judged_through IS DISTINCT FROM own.complete_through))`

/**
 * Turns due announcements into messages: one per person and channel; for a webhook, one per property. Each call writes at most one per
 * person, and goes on after the person that the last one ended with, so that one person's many messages don't delay everyone else's.
 * Returns how many were written, and whether another call may find more. Several processes can run it at once: each takes what no other is
 * handling.
 */
export async function planAlerts(deps: PlanDeps, now: Date, round = newRound()): Promise<{ written: number; more: boolean }> {
  const ends = performance.now() + (deps.limits?.sliceMs ?? usual.sliceMs)
  let written = 0
  for (const [userId, until] of round.resting) if (until <= now) round.resting.delete(userId)
  for (;;) {
    const due = await deps.db
      .selectFrom('deliveryNews')
      .where('userId', '>', round.after)
      .where('state', '=', 'waiting')
      .where('notBefore', '<=', now)
      .where(isOpen('deliveryNews.userId'))
      .where(canBeSent)
      .where(isGathered(now))
      .$if(round.resting.size > 0, (query) => query.where('userId', 'not in', [...round.resting.keys()]))
      .select('userId')
      .distinct()
      .orderBy('userId')
      .limit(batch)
      .execute()
    for (const { userId } of due) {
      const outcome = await planFor(deps, userId, now, round).catch((error: unknown) => letRest(deps, userId, now, round, error))
      round.after = userId
      round.taken += outcome.taken
      written += outcome.written
      // After at least one turn, so that everybody gets one.
      if (performance.now() >= ends) return { written, more: true }
    }
    if (due.length < batch) break
  }
  // If nothing was settled, another process is handling the rest.
  const more = round.taken > 0
  Object.assign(round, { after: '', taken: 0 })
  return { written, more }
}

/**
 * One person's problem must not hold up others' messages; an unavailable store is everybody's, and soon back. Noted here only: a change
 * of all their rows could fail like what failed before.
 */
function letRest({ log }: PlanDeps, userId: string, now: Date, { resting }: Round, error: unknown): Outcome {
  if (awayStore(error) !== null) throw error
  log.error({ err: error, userId }, 'alert events could not be put into a message; will retry')
  resting.set(userId, new Date(now.getTime() + restMs))
  return { taken: 0, written: 0 }
}

/** A person's messages that are due. Webhooks get each property separately (docs/webhooks.md). */
async function messagesDue(db: Db, userId: string, now: Date): Promise<MessageScope[]> {
  const isDue = sql<boolean>`delivery_news.not_before <= ${now} AND ${canBeSent} AND ${isGathered(now)}`
  const due = await db
    .selectFrom('deliveryNews')
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .where(isDue)
    .select(['channel', sql<number | null>`CASE channel WHEN 'webhook' THEN property_id END`.as('propertyId')])
    .distinct()
    .orderBy('channel')
    .orderBy('propertyId')
    .execute()
  return due.map((each) => ({ userId, ...each, isDue }))
}

type Outcome = { taken: number; written: number }

async function planFor(deps: PlanDeps, userId: string, now: Date, round: Round): Promise<Outcome> {
  const scopes = await messagesDue(deps.db, userId, now)
  // Most of a person's messages are about the same alerts; of hundreds of properties, not all are kept.
  const kept = round.known.get(userId)
  const known: Known = kept && kept.size <= mostKnown ? kept : new Map()
  if (round.known.size >= mostPeopleKnown) round.known.clear()
  if (scopes.length > 1) round.known.set(userId, known)
  else round.known.delete(userId)
  for (const scope of scopes) {
    const outcome = await planOne(deps, scope, known, now, round)
    if (outcome.taken > 0) return outcome
  }
  return { taken: 0, written: 0 }
}

async function planOne(deps: PlanDeps, scope: MessageScope, known: Known, now: Date, round: Round): Promise<Outcome> {
  const { userId, channel } = scope
  // Finding reasons takes time, so no row stays locked for it. What arrives meanwhile waits for the next round.
  const seen = await mostSevere(deps.db, scope, 'none')
  await addReasons(deps, round, known, scope, seen.announcements)
  const upToSeen = upTo(scope, seen.lastId)
  return deps.db.transaction().execute(async (trx) => {
    const settings = await deps.settingsOf(userId, trx)
    const closed = await closedReason(deps, { userId, channel, settings }, trx)
    const parts = await suppressParts(trx, upToSeen)
    const unwanted = closed === null ? await suppressTurnedOff(trx, upToSeen, settings) : 0
    const waiting = await mostSevere(trx, upToSeen, 'free')
    const { announcements, count } = waiting
    if (count === 0) return { taken: parts + unwanted, written: 0 }
    if (closed === 'unconfirmed') return { taken: 0, written: 0 }
    if (closed !== null) {
      await suppressAll(trx, upToSeen, closed.suppressed)
      return { taken: count, written: 0 }
    }
    const alerts = await alertsOf(deps, announcements, trx)
    await forgetUntold(trx, untoldOf(channel, announcements, alerts))
    const byReason = Map.groupBy(announcements, (each) => overtakenBy(channel, each, alerts))
    for (const [reason, late] of byReason) if (reason !== undefined) await suppress(trx, late, reason)
    const timely = byReason.get(undefined) ?? []
    const dueAlerts = dueAlertsOf(channel, timely, alerts)
    const [first, ...others] = new Set(dueAlerts.map(({ alert }) => alert.propertyId))
    if (first === undefined) return { taken: count, written: 0 }
    // Webhooks get the rest in their next message, and so do people if some of their most severe alerts are already handled or over.
    const more = channel === 'webhook' || timely.length < mostInMessage ? 0 : count - announcements.length
    if (more > 0) await suppressCounted(trx, upToSeen, waiting)
    const message = withReasons(alertsMessage(dueAlerts, await countMonitored(trx, userId), more), known)
    const id = await write(trx, { userId, propertyId: others.length === 0 ? first : null, channel, message }, now)
    await markCovered(trx, timely, id)
    return { taken: count, written: 1 }
  })
}

async function countMonitored(trx: Db, userId: string): Promise<number> {
  const monitored = trx.selectFrom('properties').where('userId', '=', userId).where('monitored', '=', true).where('detachedAt', 'is', null)
  const { count } = await monitored.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow()
  return count
}

/** Adds explanations for the most important alerts of a message, as in their reports. */
async function addReasons(
  deps: PlanDeps,
  { spentMs }: Round,
  known: Known,
  { userId, channel }: MessageScope,
  announcements: readonly WaitingAnnouncement[],
): Promise<void> {
  const spent = spentMs.get(userId) ?? 0
  const { explainMs, explainAllMs } = { ...usual, ...deps.limits }
  const left = Math.min(explainMs, explainAllMs - spent)
  if (left <= 0) return
  const { isLate, ms } = await explainInTime(deps, userId, left, known, async () => {
    const alerts = await alertsOf(deps, announcements, deps.db)
    const timely = announcements.filter((each) => each.partOf === null && overtakenBy(channel, each, alerts) === undefined)
    return itemsOf(dueAlertsOf(channel, timely, alerts)).slice(0, mostExplained)
  })
  // Someone whose explanations took too long gets no more of them.
  spentMs.set(userId, isLate ? explainAllMs : spent + ms)
}

function withReasons(message: MessageOf<'alerts'>, known: Known): MessageOf<'alerts'> {
  const reasoned = (items: readonly MessageItem[]) => items.map((item) => ({ ...item, ...known.get(item.alertId) }))
  return { ...message, properties: message.properties.map(({ name, items }) => ({ name, items: reasoned(items) })) }
}
