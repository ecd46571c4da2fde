import { sql } from 'kysely'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import type { AlertsService, AlertTold } from '../alerts/service.ts'
import type { Db } from '../database/open.ts'
import type { Log } from '../platform/log.ts'
import { alertsMessage, type Heard, itemsOf, plainExplanation } from './compose.ts'
import type { Destinations } from './destinations.ts'
import { type MessageOf, type NewsItem } from './message.ts'
import { suppress, told, type WaitingNews, write } from './outbox.ts'

export type PlanDeps = {
  db: Db
  alerts: Pick<AlertsService, 'tell' | 'explain'>
  settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>
  destinations: Destinations
  log: Log
}

const batch = 100
/** What could not be put together is tried again after this time. */
export const pushedBackMs = 10 * 60_000
/** Alerts of a message for which it is asked what contributed; a mail tells as many in full. */
const mostExplained = 10

/** News that can be told: what would be mailed waits until there is an address that somebody confirmed. */
const canBeTold = sql<boolean>`(delivery_news.channel <> 'email'
  OR EXISTS (SELECT FROM users WHERE users.id = delivery_news.user_id AND users.email_verified)
  OR EXISTS (SELECT FROM delivery_channels AS own WHERE own.user_id = delivery_news.user_id AND own.channel = 'email' AND own.destination IS NOT NULL))`

/** Why a channel takes nothing now: never mind what waits for it, or let it wait. Null when it takes messages. */
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

/** Nobody needs to be woken for what they have in hand already, or what is over. */
const overtaken: Partial<Record<AlertTold['state'], string>> = {
  acknowledged: 'The alert was acknowledged before this was due.',
  snoozed: 'The alert was snoozed before this was due.',
  recovered: 'The alert recovered before this was due.',
}

/**
 * How long an alert waits for those of the person's other properties while not all of them are judged by the same days: what befell
 * several of them is one message then.
 */
const gatherMinutes = 20
/** A property whose days are further away from those of another is not about to have the same. */
const mostDaysApart = 2

const isGathered = (now: Date) => sql<boolean>`NOT (delivery_news.channel <> 'webhook' AND delivery_news.event = 'opened'
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
 * Turns news that are due into messages: one for each person and channel; for a webhook, one for each property. Answers how
 * many were written. Safe to run at the same time in several processes: each takes the news that no other has in hand.
 */
export async function planAlerts(deps: PlanDeps, now: Date): Promise<number> {
  let written = 0
  for (;;) {
    const due = await deps.db
      .selectFrom('deliveryNews')
      .where('state', '=', 'waiting')
      .where('notBefore', '<=', now)
      .where(canBeTold)
      .where(isGathered(now))
      .select('userId')
      .distinct()
      .limit(batch)
      .execute()
    let taken = 0
    for (const { userId } of due) {
      const outcome = await planFor(deps, userId, now).catch((error: unknown) => pushBack(deps, userId, now, error))
      taken += outcome.taken
      written += outcome.written
    }
    // What is left is in the hands of another process.
    if (taken === 0) return written
  }
}

/** One person's trouble does not keep the news of others waiting. */
async function pushBack({ db, log }: PlanDeps, userId: string, now: Date, error: unknown) {
  log.error({ err: error, userId }, 'news of alerts could not be put into a message and are tried again later')
  await db
    .updateTable('deliveryNews')
    .set({ notBefore: new Date(now.getTime() + pushedBackMs) })
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .where('notBefore', '<=', now)
    .execute()
  return { taken: 0, written: 0 }
}

/** What is due of a person, the oldest first. */
const dueOf = (db: Db, userId: string, now: Date) =>
  db
    .selectFrom('deliveryNews')
    .where('userId', '=', userId)
    .where('state', '=', 'waiting')
    .where('notBefore', '<=', now)
    .where(canBeTold)
    .where(isGathered(now))
    .select(['id', 'alertId', 'propertyId', 'channel', 'event'])
    .orderBy('id')

async function planFor(deps: PlanDeps, userId: string, now: Date) {
  // Finding out why takes time, and no row stays locked for it. What comes in meanwhile is left to the next round.
  const seen = await dueOf(deps.db, userId, now).execute()
  if (seen.length === 0) return { taken: 0, written: 0 }
  const known = await reasonsOf(deps, seen)
  return deps.db.transaction().execute(async (trx) => {
    const ids = seen.map(({ id }) => id)
    const rows = await dueOf(trx, userId, now).where('id', 'in', ids).forUpdate().skipLocked().execute()
    if (rows.length === 0) return { taken: 0, written: 0 }
    const settings = await deps.settingsOf(userId, trx)
    const alerts = await alertsOf(deps, rows, trx)
    const monitored = await countMonitored(trx, userId)
    let written = 0
    for (const [channel, news] of messagesOf(rows)) {
      const closed = await closedReason(deps, { userId, channel, settings }, trx)
      if (closed !== null) {
        if (closed !== 'unconfirmed') await suppress(trx, news, closed.suppressed)
        continue
      }
      const byReason = Map.groupBy(news, (each) => overtakenBy(channel, each, alerts))
      for (const [reason, late] of byReason) if (reason !== undefined) await suppress(trx, late, reason)
      const timely = byReason.get(undefined) ?? []
      const heard = heardOf(timely, alerts)
      const [first, ...others] = new Set(heard.map(({ alert }) => alert.propertyId))
      if (first === undefined) continue
      const message = withReasons(alertsMessage(heard, monitored), known)
      const id = await write(trx, { userId, propertyId: others.length === 0 ? first : null, channel, message }, now)
      await told(trx, timely, id)
      written += 1
    }
    return { taken: rows.length, written }
  })
}

type DueNews = WaitingNews & { channel: ChannelName; propertyId: number }
type AlertsTold = ReadonlyMap<string, AlertTold>

async function alertsOf({ alerts }: PlanDeps, news: readonly DueNews[], db: Db): Promise<AlertsTold> {
  const found = await alerts.tell([...new Set(news.map(({ alertId }) => String(alertId)))], db)
  return new Map(found.map((each) => [each.alertId, each]))
}

/** Software is told of each property by itself (docs/webhooks.md). */
function messagesOf(news: readonly DueNews[]): [ChannelName, DueNews[]][] {
  const groups = Map.groupBy(news, ({ channel, propertyId }) => (channel === 'webhook' ? `${channel} ${propertyId}` : channel))
  return [...groups.values()].flatMap((group) => (group[0] ? [[group[0].channel, group]] : []))
}

const heardOf = (news: readonly DueNews[], alerts: AlertsTold): Heard[] =>
  news.flatMap(({ alertId, event }) => {
    const alert = alerts.get(String(alertId))
    return alert ? [{ event, alert }] : []
  })

/** Why nobody needs this any more. Software is told of everything that happened. */
function overtakenBy(channel: ChannelName, { alertId, event }: WaitingNews, alerts: AlertsTold): string | undefined {
  if (channel === 'webhook' || event === 'recovered') return undefined
  const alert = alerts.get(String(alertId))
  return alert && overtaken[alert.state]
}

async function countMonitored(trx: Db, userId: string): Promise<number> {
  const monitored = trx.selectFrom('properties').where('userId', '=', userId).where('monitored', '=', true).where('detachedAt', 'is', null)
  const { count } = await monitored.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow()
  return count
}

type Known = Map<string, Pick<NewsItem, 'why' | 'coincidences' | 'contributors'>>

/** What is behind the most important alerts of each message, as their reports say. */
async function reasonsOf(deps: PlanDeps, news: readonly DueNews[]): Promise<Known> {
  const known: Known = new Map()
  try {
    const alerts = await alertsOf(deps, news, deps.db)
    for (const [channel, group] of messagesOf(news)) {
      const timely = group.filter((each) => overtakenBy(channel, each, alerts) === undefined)
      const important = itemsOf(heardOf(timely, alerts)).slice(0, mostExplained)
      const asked = important.map(({ alertId }) => alertId).filter((id) => !known.has(id))
      for (const [id, explanation] of await deps.alerts.explain(asked)) known.set(id, plainExplanation(explanation))
    }
  } catch (error) {
    // What happened is told even if nobody can say why.
    deps.log.warn({ err: error }, 'could not explain an alert')
  }
  return known
}

function withReasons(message: MessageOf<'alerts'>, known: Known): MessageOf<'alerts'> {
  const reasoned = (items: readonly NewsItem[]) => items.map((item) => ({ ...item, ...known.get(item.alertId) }))
  return { ...message, properties: message.properties.map(({ name, items }) => ({ name, items: reasoned(items) })) }
}
