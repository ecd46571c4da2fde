import { sql } from 'kysely'
import { channelName, type ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { type News, routeOf, timeFor } from '../../core/delivery/routing.ts'
import type { AlertsService, AlertTold } from '../alerts/service.ts'
import type { NewsEvent } from '../database/delivery-tables.ts'
import type { Db } from '../database/open.ts'
import type { Events } from '../common/events.ts'

export type NewsDeps = {
  alerts: Pick<AlertsService, 'tell'>
  /** What is in force for a person, defaults included. */
  settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>
}

const newsOf = (event: NewsEvent, { severity, interrupts, entity }: AlertTold): News => ({
  event,
  severity,
  interrupts,
  isConnection: entity.kind === 'connection',
})

/** The outbox: what is to be told is written in the transaction that made it happen. */
export function createNews({ alerts, settingsOf }: NewsDeps) {
  return {
    /** Notes for every channel that is on what is told through it, when, or why not. Noted once, however often it is heard. */
    async note({ userId, propertyId, opened, recovered, woken, transaction: trx }: Events['alertsChanged'], now: Date): Promise<void> {
      const settings = await settingsOf(userId, trx)
      const told = new Map((await alerts.tell([...opened, ...recovered, ...woken], trx)).map((each) => [each.alertId, each]))
      const openings = await openingsOf(trx, recovered)
      const happened: [NewsEvent, readonly string[]][] = [
        ['opened', opened],
        ['recovered', recovered],
        ['woken', woken],
      ]
      const rows = happened.flatMap(([event, ids]) =>
        ids.flatMap((alertId) => {
          const alert = told.get(alertId)
          if (!alert) return []
          const news = newsOf(event, alert)
          return channelName.options.flatMap((channel) => {
            const route = routeOf(channel, news, settings, openings.get(`${alertId} ${channel}`) ?? null)
            if (route === null) return []
            const fate = route.tell
              ? { state: 'waiting' as const, notBefore: timeFor(channel, news, settings, now), detail: null }
              : { state: 'suppressed' as const, notBefore: null, detail: route.reason }
            return [{ userId, propertyId, alertId: Number(alertId), channel, event, at: now, ...fate }]
          })
        }),
      )
      if (rows.length === 0) return
      await trx
        .insertInto('deliveryNews')
        .values(rows)
        .onConflict((oc) => oc.doNothing())
        .execute()
    },

    /** After another choice or plan: what still waits is told when it would be told if it happened now. */
    async reschedule(userId: string, now: Date, trx: Db): Promise<void> {
      const settings = await settingsOf(userId, trx)
      const rows = await trx
        .selectFrom('deliveryNews')
        .innerJoin('alerts', 'alerts.id', 'deliveryNews.alertId')
        .where('deliveryNews.userId', '=', userId)
        .where('deliveryNews.state', '=', 'waiting')
        .select(['deliveryNews.id', 'deliveryNews.channel', 'alerts.entityKind'])
        .forUpdate('deliveryNews')
        .execute()
      const timed = rows.map(({ id, channel, entityKind }) => ({
        id,
        notBefore: timeFor(channel, { isConnection: entityKind === 'connection' }, settings, now),
      }))
      if (timed.length === 0) return
      await sql`UPDATE delivery_news SET not_before = timed.not_before
        FROM unnest(${timed.map(({ id }) => id)}::bigint[], ${timed.map(({ notBefore }) => notBefore)}::timestamptz[]) AS timed (id, not_before)
        WHERE delivery_news.id = timed.id`.execute(trx)
    },
  }
}

/**
 * What became of the openings of these alerts, by alert and channel. One that is just being put into a message is waited
 * for: that message may say that the alert lasts, and then its end has to be told by another.
 */
async function openingsOf(trx: Db, alertIds: readonly string[]): Promise<Map<string, 'waiting' | 'told'>> {
  if (alertIds.length === 0) return new Map()
  const rows = await trx
    .selectFrom('deliveryNews')
    .where(sql<boolean>`alert_id = any(${alertIds.map(Number)})`)
    .where('event', '=', 'opened')
    .select(['alertId', 'channel', 'state'])
    .orderBy('id')
    .forShare()
    .execute()
  return new Map(
    rows.flatMap(({ alertId, channel, state }): [string, 'waiting' | 'told'][] =>
      state === 'suppressed' ? [] : [[`${alertId} ${channel satisfies ChannelName}`, state]],
    ),
  )
}
