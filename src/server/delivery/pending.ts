import { type RawBuilder, type Selectable, sql } from 'kysely'
import { severity as severities } from '../../contract/alerts/alerts.ts'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { patienceMs } from '../../core/delivery/retries.ts'
import { turnedOff } from '../../core/delivery/routing.ts'
import { type DeliveryNewsTable, type AnnouncementEvent, announcementEvents, type NotificationKind } from '../database/delivery-tables.ts'
import { changeInBatches } from '../database/in-batches.ts'
import type { Db } from '../database/open.ts'
import type { Message } from './message.ts'

/** What one message covers: a person's pending announcements on one channel that are due; for a webhook, about one property. */
export type MessageScope = {
  userId: string
  channel: ChannelName
  propertyId: number | null
  /** On `delivery_news`. */
  isDue: RawBuilder<boolean>
}

/**
 * A pending announcement; `partOf` is the alert that speaks for it, if there is one. `isHandledSince`: whether somebody acknowledged or
 * snoozed the alert after this happened; `isTold`: whether a message on this channel was about it already. The rest is about a change that
 * became much larger.
 */
export type WaitingAnnouncement = { id: number; alertId: number; propertyId: number; event: AnnouncementEvent; partOf: number | null } & {
  isHandledSince: boolean
  isTold: boolean
} & Pick<Selectable<DeliveryNewsTable>, 'at' | 'change' | 'changeBefore' | 'soFar'>

/** `count` and `lastId` are of all in the scope, of which `announcements` holds the most severe. */
export type Waiting = { announcements: readonly WaitingAnnouncement[]; count: number; lastId: number }

const isInScope = ({ userId, channel, propertyId, isDue }: MessageScope) =>
  sql<boolean>`user_id = ${userId} AND channel = ${channel} AND state = 'waiting' AND ${isDue}
    AND ${propertyId === null ? sql`true` : sql`property_id = ${propertyId}`}`

const inScope = (db: Db, scope: MessageScope) => db.selectFrom('deliveryNews').where(isInScope(scope))

/**
 * The announcements that fit into a message, the most severe first, what is over last; the rest stay in the database, only counted.
 * @param lock all of them: `free` leaves out what another process has locked, `all` waits for them
 */
export async function mostSevere(db: Db, scope: MessageScope, lock: 'none' | 'free' | 'all'): Promise<Waiting> {
  const rows = await db
    .with('waiting', () =>
      inScope(db, scope)
        .select(['id', 'alertId', 'propertyId', 'event', 'at', 'change', 'changeBefore', 'soFar'])
        .orderBy('id')
        .$if(lock === 'free', (query) => query.forUpdate().skipLocked())
        .$if(lock === 'all', (query) => query.forUpdate()),
    )
    .selectFrom('waiting')
    .innerJoin('alerts', 'alerts.id', 'waiting.alertId')
    .select(['waiting.id', 'waiting.alertId', 'waiting.propertyId', 'waiting.event', 'waiting.at', 'alerts.partOf'])
    .select(['waiting.change', 'waiting.changeBefore', 'waiting.soFar'])
    .select(
      sql<boolean>`EXISTS (SELECT FROM alert_events WHERE alert_id = alerts.id AND to_state IN ('acknowledged', 'snoozed')
        AND from_state IS DISTINCT FROM to_state AND at >= waiting.at)`.as('isHandledSince'),
    )
    .select(
      // Unless the end of a snooze would have been announced since, had the alert not become worse.
      sql<boolean>`EXISTS (SELECT FROM delivery_news AS earlier WHERE earlier.alert_id = alerts.id
        AND earlier.channel = ${scope.channel} AND earlier.state = 'told'
        AND NOT EXISTS (SELECT FROM delivery_news AS woken WHERE woken.alert_id = alerts.id AND woken.channel = earlier.channel
          AND woken.event = 'woken' AND woken.state = 'suppressed' AND woken.id > earlier.id))`.as('isTold'),
    )
    .select([sql<number>`count(*) OVER ()::integer`.as('count'), sql<number>`max(waiting.id) OVER ()`.as('lastId')])
    .orderBy(
      sql`waiting.event = 'recovered' OR alerts.recovered_at IS NOT NULL, array_position(${severities.options}::text[], alerts.severity), waiting.id`,
    )
    .limit(mostInMessage)
    .execute()
  return {
    announcements: rows.map(({ count: _count, lastId: _lastId, ...each }) => each),
    count: rows[0]?.count ?? 0,
    lastId: rows[0]?.lastId ?? 0,
  }
}

/**
 * Maximum number of alerts in one message: more than anybody reads in one, and few enough for memory, since rules may find hundreds a day
 * on each of a person's properties (docs/decisions/0057).
 */
export const mostInMessage = 100

/** `key` if it was sent before. */
type Written = { userId: string; propertyId: number | null; channel: ChannelName; message: Message; key?: string }

/** Puts a message into the outbox; returns its id. */
export async function write(trx: Db, { userId, propertyId, channel, message, key }: Written, now: Date): Promise<number> {
  const { id } = await trx
    .insertInto('notifications')
    .values({
      ...(key !== undefined && { key }),
      userId,
      propertyId,
      channel,
      kind: message.kind satisfies NotificationKind,
      message: JSON.stringify(message),
      nextAttemptAt: now,
      giveUpAt: new Date(now.getTime() + patienceMs),
      createdAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Announcements whose change nobody will be told of: what their readers know is at most what the alert shows now. */
export async function forgetUntold(trx: Db, announcements: readonly WaitingAnnouncement[]): Promise<void> {
  if (announcements.length === 0) return
  await trx
    .updateTable('deliveryNews')
    .from('alerts')
    .set({ change: sql<number | null>`(alerts.figures->>'change')::float8` })
    .whereRef('alerts.id', '=', 'deliveryNews.alertId')
    .where(sql<boolean>`delivery_news.id = any(${announcements.map(({ id }) => id)})`)
    .execute()
}

/** Announcements covered by a message: marked as sent once the message is, with the change in it. */
export async function markCovered(trx: Db, announcements: readonly WaitingAnnouncement[], notificationId: number): Promise<void> {
  if (announcements.length === 0) return
  await trx
    .updateTable('deliveryNews')
    .from('alerts')
    .set({ state: 'told', notificationId })
    .set({
      change: sql<number | null>`CASE WHEN abs((alerts.figures->>'change')::float8) > coalesce(abs(delivery_news.change), 0)
        THEN (alerts.figures->>'change')::float8 ELSE delivery_news.change END`,
    })
    .whereRef('alerts.id', '=', 'deliveryNews.alertId')
    .where(sql<boolean>`delivery_news.id = any(${announcements.map(({ id }) => id)})`)
    .execute()
}

/** The same scope without what arrived later. */
export const upTo = (scope: MessageScope, lastId: number): MessageScope => ({
  ...scope,
  isDue: sql<boolean>`${scope.isDue} AND delivery_news.id <= ${lastId}`,
})

/**
 * Closes the announcements that a message only counts.
 * @throws if others are in the scope by now, which must not be lost: the message is tried again
 */
export async function suppressCounted(trx: Db, scope: MessageScope, { announcements, count, lastId }: Waiting): Promise<void> {
  if (count === announcements.length) return
  const detail = `A message lists up to ${mostInMessage} alerts, most severe first, and just counts the rest.`
  const suppressed = await suppressAll(trx, upTo(scope, lastId), detail, announcements)
  if (suppressed !== count - announcements.length) throw new Error('new alert events arrived while a message was being written')
}

/** So few that closing them takes well under the time that a statement may take. */
const suppressedAtOnce = 5_000

/** Closes all announcements of a scope that no other process has locked, except what is in a message; returns how many. */
export async function suppressAll(
  trx: Db,
  scope: MessageScope,
  detail: string,
  held: readonly WaitingAnnouncement[] = [],
): Promise<number> {
  return changeInBatches(trx, {
    table: 'delivery_news',
    where: sql`${isInScope(scope)} AND id <> all(${held.map(({ id }) => id)})`,
    set: sql`state = 'suppressed', detail = ${detail}`,
    atOnce: suppressedAtOnce,
  })
}

/** Closes the announcements of alerts that became parts of another one, which speaks for them; returns how many. */
export async function suppressParts(trx: Db, scope: MessageScope): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('deliveryNews')
    .from('alerts')
    .set({ state: 'suppressed', detail: sql<string>`'The alert became part of alert ' || alerts.part_of || ' before this was due.'` })
    .where('deliveryNews.id', 'in', inScope(trx, scope).select('id').orderBy('id').forUpdate().skipLocked())
    .whereRef('alerts.id', '=', 'deliveryNews.alertId')
    .where('alerts.partOf', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Closes announcements of kinds that their reader has turned off since, and hasn't turned on again; returns how many. */
export async function suppressTurnedOff(trx: Db, scope: MessageScope, settings: DeliverySettings): Promise<number> {
  const off = announcementEvents.flatMap((event) =>
    severities.options.flatMap((severity) => {
      const reason = turnedOff(scope.channel, { event, severity }, settings)
      return reason === null ? [] : [{ event, severity, reason }]
    }),
  )
  if (off.length === 0) return 0
  const { numAffectedRows } = await sql`UPDATE delivery_news SET state = 'suppressed', detail = off.reason
    FROM alerts, unnest(${off.map(({ event }) => event)}::text[], ${off.map(({ severity }) => severity)}::text[],
      ${off.map(({ reason }) => reason)}::text[]) AS off (event, severity, reason)
    WHERE delivery_news.id IN (${inScope(trx, scope).select('id').orderBy('id').forUpdate().skipLocked()})
      AND alerts.id = delivery_news.alert_id AND off.event = delivery_news.event AND off.severity = alerts.severity`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

export async function suppress(trx: Db, announcements: readonly WaitingAnnouncement[], detail: string): Promise<void> {
  if (announcements.length === 0) return
  await trx
    .updateTable('deliveryNews')
    .set({ state: 'suppressed', detail })
    .where(sql<boolean>`id = any(${announcements.map(({ id }) => id)})`)
    .execute()
}
