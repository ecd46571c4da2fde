import { sql } from 'kysely'
import { channelName, type ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { isMuchLarger, type Announcement, replacedBy, routeOf, timeFor } from '../../core/delivery/routing.ts'
import type { AnnouncementEvent } from '../database/delivery-tables.ts'
import type { Db } from '../database/open.ts'
import type { AnnouncedAlert, Events } from '../common/events.ts'

export type AnnouncementsDeps = {
  /** A person's settings in force, defaults included. */
  settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>
}

/** Rows per insert: PostgreSQL takes up to 65,535 values, and thousands of alerts may recover at once. */
const mostRows = 5_000

/** Announcements are written in the transaction that caused them. */
export function createAnnouncements({ settingsOf }: AnnouncementsDeps) {
  return {
    /** Stores for every enabled channel what to send and when, or why not. Stored once, however often it is called. */
    async note(
      { userId, propertyId, opened, recovered, woken, worsened, transaction: trx }: Events['alertsChanged'],
      now: Date,
    ): Promise<void> {
      const settings = await settingsOf(userId, trx)
      const states = await readerStatesOf(
        trx,
        [...recovered, ...woken, ...worsened].map(({ alertId }) => alertId),
      )
      const happened: [AnnouncementEvent, readonly AnnouncedAlert[]][] = [
        ['opened', opened],
        ['recovered', recovered],
        ['woken', woken],
        ['worsened', worsened],
      ]
      const replaced: { id: number; detail: string }[] = []
      const rows = happened.flatMap(([event, alerts]) =>
        alerts.flatMap(({ alertId, change = null, openedWith = null, wholeStep = null, isMoreUrgent, soFar = null, ...weight }) => {
          return channelName.options.flatMap((channel) => {
            const { isNotified, waiting, known = openedWith, before } = states.get(`${alertId} ${channel}`) ?? notNotified
            const isFar = isMuchLarger(change, known) && isMuchLarger(change, wholeStep)
            const isLarger = event === 'worsened' && weight.severity === 'critical' && isFar
            if (event === 'worsened' && !isMoreUrgent && !isLarger) return []
            const announcement: Announcement = { event, ...weight, isMuchLarger: isLarger }
            const route = routeOf(channel, announcement, settings, { isNotified, isWaiting: waiting.length > 0 })
            if (route === null) return []
            const detail = route.send ? replacedBy(channel, event) : undefined
            if (detail !== undefined) replaced.push(...waiting.map((id) => ({ id, detail })))
            const fate = route.send
              ? { state: 'waiting' as const, notBefore: timeFor(channel, announcement, settings, now), detail: null }
              : { state: 'suppressed' as const, notBefore: null, detail: route.reason }
            const size = {
              change: event === 'recovered' ? null : change,
              changeBefore: isLarger ? (before ?? known) : null,
              soFar: isLarger ? soFar : null,
            }
            return [{ userId, propertyId, alertId: Number(alertId), channel, event, at: now, ...size, ...fate }]
          })
        }),
      )
      await drop(trx, replaced)
      for (let at = 0; at < rows.length; at += mostRows)
        await trx
          .insertInto('deliveryNews')
          .values(rows.slice(at, at + mostRows))
          .onConflict((oc) => oc.doNothing())
          .execute()
    },

    /** After another choice or plan: pending announcements are rescheduled as if they happened now. */
    async reschedule(userId: string, now: Date, trx: Db): Promise<void> {
      const settings = await settingsOf(userId, trx)
      const times = channelName.options.flatMap((channel) =>
        [true, false].map((isConnection) => ({ channel, isConnection, at: timeFor(channel, { isConnection }, settings, now) })),
      )
      await sql`UPDATE delivery_news SET not_before = times.at
        FROM alerts, unnest(${times.map(({ channel }) => channel)}::text[], ${times.map(({ isConnection }) => isConnection)}::boolean[],
          ${times.map(({ at }) => at)}::timestamptz[]) AS times (channel, is_connection, at)
        WHERE delivery_news.user_id = ${userId} AND delivery_news.state = 'waiting' AND alerts.id = delivery_news.alert_id
          AND times.channel = delivery_news.channel AND times.is_connection = (alerts.entity_kind = 'connection')`.execute(trx)
    },
  }
}

/**
 * What a channel's reader knows of an open alert. `waiting`: announcements yet to be put into a message; `known`: the largest
 * change announced so far, absent without any; `before`: what the reader knew before the one that waits, if that is about a much larger
 * change.
 */
type ReaderState = { isNotified: boolean; waiting: readonly number[]; known?: number; before?: number }
const notNotified: ReaderState = { isNotified: false, waiting: [] }

/**
 * What readers know of these alerts, by alert and channel. Waits for those just being put into a message, which may
 * still call the alert open, so its end needs another message.
 */
async function readerStatesOf(trx: Db, alertIds: readonly string[]): Promise<Map<string, ReaderState>> {
  if (alertIds.length === 0) return new Map()
  const rows = await trx
    .selectFrom('deliveryNews')
    .where(sql<boolean>`alert_id = any(${alertIds.map(Number)})`)
    .where('event', 'in', ['opened', 'worsened', 'woken'])
    .select(['id', 'alertId', 'channel', 'state', 'change', 'changeBefore'])
    .orderBy('id')
    .forUpdate()
    .execute()
  const states = new Map<string, ReaderState>()
  for (const { id, alertId, channel, state, change, changeBefore } of rows) {
    const key = `${alertId} ${channel satisfies ChannelName}`
    const before = states.get(key) ?? notNotified
    states.set(key, {
      ...before,
      isNotified: before.isNotified || state === 'told',
      ...(state === 'waiting' && { waiting: [...before.waiting, id], ...(changeBefore !== null && { before: changeBefore }) }),
      ...(change !== null && Math.abs(change) > Math.abs(before.known ?? 0) && { known: change }),
    })
  }
  return states
}

/** Drops waiting announcements, for a reason each. */
async function drop(trx: Db, announcements: readonly { id: number; detail: string }[]): Promise<void> {
  if (announcements.length === 0) return
  await sql`UPDATE delivery_news SET state = 'suppressed', detail = replaced.detail
    FROM unnest(${announcements.map(({ id }) => id)}::bigint[], ${announcements.map(({ detail }) => detail)}::text[]) AS replaced (id, detail)
    WHERE delivery_news.id = replaced.id`.execute(trx)
}
