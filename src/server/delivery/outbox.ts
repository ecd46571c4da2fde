import { sql } from 'kysely'
import type { ChannelName } from '../../contract/delivery/channels.ts'
import { patienceMs } from '../../core/delivery/retries.ts'
import type { NewsEvent, NotificationKind } from '../database/delivery-tables.ts'
import type { Db } from '../database/open.ts'
import type { Message } from './message.ts'

/** Something that waits to be told. */
export type WaitingNews = { id: number; alertId: number; channel: ChannelName; event: NewsEvent }

/** `key` where it was sent already. */
type Written = { userId: string; propertyId: number | null; channel: ChannelName; message: Message; key?: string }

/** Puts a message into the outbox; answers its id. */
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

/** News that a message tells of: told once it is sent, and with it. */
export async function told(trx: Db, news: readonly WaitingNews[], notificationId: number): Promise<void> {
  if (news.length === 0) return
  await trx
    .updateTable('deliveryNews')
    .set({ state: 'told', notificationId })
    .where(sql<boolean>`id = any(${news.map(({ id }) => id)})`)
    .execute()
}

export async function suppress(trx: Db, news: readonly WaitingNews[], detail: string): Promise<void> {
  if (news.length === 0) return
  await trx
    .updateTable('deliveryNews')
    .set({ state: 'suppressed', detail })
    .where(sql<boolean>`id = any(${news.map(({ id }) => id)})`)
    .execute()
}
