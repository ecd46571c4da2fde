import { sql } from 'kysely'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import type { AlertsService, AlertTold } from '../alerts/service.ts'
import type { Db } from '../database/open.ts'
import type { Log } from '../platform/log.ts'
import { alertsMessage, type Heard, plainExplanation } from './compose.ts'
import type { Destinations } from './destinations.ts'
import { itemsIn, type MessageOf, type NewsItem } from './message.ts'
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

async function planFor(deps: PlanDeps, userId: string, now: Date) {
  return deps.db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('deliveryNews')
      .where('userId', '=', userId)
      .where('state', '=', 'waiting')
      .where('notBefore', '<=', now)
      .where(canBeTold)
      .where(isGathered(now))
      .select(['id', 'alertId', 'propertyId', 'channel', 'event'])
      .orderBy('id')
      .forUpdate()
      .skipLocked()
      .execute()
    if (rows.length === 0) return { taken: 0, written: 0 }
    const settings = await deps.settingsOf(userId, trx)
    const alerts = new Map(
      (await deps.alerts.tell([...new Set(rows.map(({ alertId }) => String(alertId)))], trx)).map((each) => [each.alertId, each]),
    )
    const monitored = await countMonitored(trx, userId)
    const known: Known = new Map()
    let written = 0
    // Software is told of each property by itself (docs/webhooks.md).
    const groups = Map.groupBy(rows, ({ channel, propertyId }) => (channel === 'webhook' ? `${channel} ${propertyId}` : channel))
    for (const news of groups.values()) {
      const channel = news[0]?.channel
      if (channel === undefined) continue
      const closed = await closedReason(deps, { userId, channel, settings }, trx)
      if (closed !== null) {
        if (closed !== 'unconfirmed') await suppress(trx, news, closed.suppressed)
        continue
      }
      const timely = await withoutOvertaken(trx, channel, news, alerts)
      const heard = timely.flatMap(({ alertId, event }): Heard[] => {
        const alert = alerts.get(String(alertId))
        return alert ? [{ event, alert }] : []
      })
      const [first, ...others] = new Set(heard.map(({ alert }) => alert.propertyId))
      if (first === undefined) continue
      const message = await explained(deps, alertsMessage(heard, monitored), known)
      const id = await write(trx, { userId, propertyId: others.length === 0 ? first : null, channel, message }, now)
      await told(trx, timely, id)
      written += 1
    }
    return { taken: rows.length, written }
  })
}

async function countMonitored(trx: Db, userId: string): Promise<number> {
  const monitored = trx.selectFrom('properties').where('userId', '=', userId).where('monitored', '=', true).where('detachedAt', 'is', null)
  const { count } = await monitored.select(sql<number>`count(*)::integer`.as('count')).executeTakeFirstOrThrow()
  return count
}

type Known = Map<string, Pick<NewsItem, 'why' | 'coincidences' | 'contributors'>>

/** With what is behind the most important ones, as their reports say; `known`: what was found for another channel. */
async function explained({ alerts, log }: PlanDeps, message: MessageOf<'alerts'>, known: Known): Promise<MessageOf<'alerts'>> {
  const asked = itemsIn(message)
    .slice(0, mostExplained)
    .map(({ alertId }) => alertId)
  try {
    const found = await alerts.explain(asked.filter((id) => !known.has(id)))
    for (const [id, explanation] of found) known.set(id, plainExplanation(explanation))
  } catch (error) {
    // What happened is told even if nobody can say why.
    log.warn({ err: error }, 'could not explain an alert')
  }
  const withReasons = (items: readonly NewsItem[]) => items.map((item) => ({ ...item, ...known.get(item.alertId) }))
  return { ...message, properties: message.properties.map(({ name, items }) => ({ name, items: withReasons(items) })) }
}

async function withoutOvertaken(
  trx: Db,
  channel: ChannelName,
  news: readonly WaitingNews[],
  alerts: ReadonlyMap<string, AlertTold>,
): Promise<WaitingNews[]> {
  // Software is told of everything that happened.
  if (channel === 'webhook') return [...news]
  const reasonOf = ({ alertId, event }: WaitingNews) => {
    const alert = alerts.get(String(alertId))
    return alert && event !== 'recovered' ? overtaken[alert.state] : undefined
  }
  for (const [reason, overtakenNews] of Map.groupBy(news, reasonOf)) if (reason !== undefined) await suppress(trx, overtakenNews, reason)
  return news.filter((each) => reasonOf(each) === undefined)
}
