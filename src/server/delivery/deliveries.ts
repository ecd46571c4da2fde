import type { AlertReport } from '../../contract/alerts/alerts.ts'
import type { Db } from '../database/open.ts'
import { unconfirmedText } from './destinations.ts'

/** The latest messages about an alert: sent, planned, or not sent and why; newest first. The caller has checked whose it is. */
export async function deliveriesOf(db: Db, alertId: string, limit: number): Promise<AlertReport['deliveries']> {
  const rows = await db
    .selectFrom('deliveryNews')
    .leftJoin('notifications', 'notifications.id', 'deliveryNews.notificationId')
    .leftJoin('deliveryChannels', (join) =>
      join.onRef('deliveryChannels.userId', '=', 'deliveryNews.userId').onRef('deliveryChannels.channel', '=', 'deliveryNews.channel'),
    )
    .innerJoin('users', 'users.id', 'deliveryNews.userId')
    .where('deliveryNews.alertId', '=', Number(alertId))
    .select(['deliveryNews.channel', 'deliveryNews.event', 'deliveryNews.state', 'deliveryNews.detail', 'deliveryNews.notBefore'])
    .select(['notifications.kind', 'notifications.state as sending', 'notifications.detail as answer'])
    .select(['notifications.sentTo', 'notifications.sentAt', 'deliveryChannels.shown', 'users.email'])
    .select(({ eb, and }) =>
      and([
        eb('deliveryNews.channel', '=', 'email'),
        eb('deliveryNews.state', '=', 'waiting'),
        eb('deliveryChannels.destination', 'is', null),
        eb('users.emailVerified', '=', false),
      ]).as('unconfirmed'),
    )
    .orderBy('deliveryNews.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => {
    const planned = row.channel === 'email' ? (row.shown ?? row.email) : row.shown
    return {
      channel: row.channel,
      event: row.event,
      inDigest: row.kind === 'digest' || (row.state === 'waiting' && row.notBefore === null),
      state: row.state === 'told' ? (row.sending ?? 'sent') : row.state,
      to: row.sentTo ?? planned,
      at: row.sentAt?.toISOString() ?? null,
      detail: row.unconfirmed ? unconfirmedText(row.email) : (row.detail ?? row.answer),
    }
  })
}
