import { sql } from 'kysely'
import type { ChannelName } from '../../contract/delivery-channels.ts'
import type { DeliverySettings } from '../../contract/delivery.ts'
import type { AlertsService, AlertTold } from '../alerts/service.ts'
import type { Db } from '../database/open.ts'
import type { Log } from '../platform/log.ts'
import { alertsMessage, plainExplanation } from './compose.ts'
import type { Destinations } from './destinations.ts'
import type { MessageOf, NewsItem } from './message.ts'
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
 * Turns news that are due into messages: one for each person, property and channel. Answers how many were written.
 * Safe to run at the same time in several processes: each takes the news that no other has in hand.
 */
export async function planAlerts(deps: PlanDeps, now: Date): Promise<number> {
  let written = 0
  for (;;) {
    const due = await deps.db
      .selectFrom('deliveryNews')
      .where('state', '=', 'waiting')
      .where('notBefore', '<=', now)
      .where(canBeTold)
      .select(['userId', 'propertyId'])
      .distinct()
      .limit(batch)
      .execute()
    let taken = 0
    for (const each of due) {
      const outcome = await planFor(deps, each, now).catch((error: unknown) => pushBack(deps, each, now, error))
      taken += outcome.taken
      written += outcome.written
    }
    // What is left is in the hands of another process.
    if (taken === 0) return written
  }
}

/** One person's trouble does not keep the news of others waiting. */
async function pushBack({ db, log }: PlanDeps, { userId, propertyId }: { userId: string; propertyId: number }, now: Date, error: unknown) {
  log.error({ err: error, userId, propertyId }, 'news of alerts could not be put into a message and are tried again later')
  await db
    .updateTable('deliveryNews')
    .set({ notBefore: new Date(now.getTime() + pushedBackMs) })
    .where('userId', '=', userId)
    .where('propertyId', '=', propertyId)
    .where('state', '=', 'waiting')
    .where('notBefore', '<=', now)
    .execute()
  return { taken: 0, written: 0 }
}

async function planFor(deps: PlanDeps, { userId, propertyId }: { userId: string; propertyId: number }, now: Date) {
  return deps.db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom('deliveryNews')
      .where('userId', '=', userId)
      .where('propertyId', '=', propertyId)
      .where('state', '=', 'waiting')
      .where('notBefore', '<=', now)
      .where(canBeTold)
      .select(['id', 'alertId', 'channel', 'event'])
      .orderBy('id')
      .forUpdate()
      .skipLocked()
      .execute()
    if (rows.length === 0) return { taken: 0, written: 0 }
    const settings = await deps.settingsOf(userId, trx)
    const alerts = new Map(
      (await deps.alerts.tell([...new Set(rows.map(({ alertId }) => String(alertId)))], trx)).map((each) => [each.alertId, each]),
    )
    const known: Known = new Map()
    let written = 0
    for (const [channel, news] of Map.groupBy(rows, (row) => row.channel)) {
      const closed = await closedReason(deps, { userId, channel, settings }, trx)
      if (closed !== null) {
        if (closed !== 'unconfirmed') await suppress(trx, news, closed.suppressed)
        continue
      }
      const timely = await withoutOvertaken(trx, channel, news, alerts)
      const heard = timely.flatMap(({ alertId, event }) => {
        const alert = alerts.get(String(alertId))
        return alert ? [{ event, alert }] : []
      })
      const [first] = heard
      if (first === undefined) continue
      const message = await explained(deps, alertsMessage(first.alert.property, heard), known)
      const id = await write(trx, { userId, propertyId, channel, message }, now)
      await told(trx, timely, id)
      written += 1
    }
    return { taken: rows.length, written }
  })
}

type Known = Map<string, Pick<NewsItem, 'why' | 'coincidences' | 'contributors'>>

/** With what is behind the most important ones, as their reports say; `known`: what was found for another channel. */
async function explained({ alerts, log }: PlanDeps, message: MessageOf<'alerts'>, known: Known): Promise<MessageOf<'alerts'>> {
  const asked = message.items.slice(0, mostExplained).map(({ alertId }) => alertId)
  try {
    const found = await alerts.explain(asked.filter((id) => !known.has(id)))
    for (const [id, explanation] of found) known.set(id, plainExplanation(explanation))
  } catch (error) {
    // What happened is told even if nobody can say why.
    log.warn({ err: error }, 'what is behind an alert could not be found')
  }
  return { ...message, items: message.items.map((item) => ({ ...item, ...known.get(item.alertId) })) }
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
