import type { Db } from '../database/open.ts'

/** Where a person is told, as far as it may be shown: what somebody else could use to write there is left out. */
export const exportedChannels = (db: Db, userId: string) =>
  db
    .selectFrom('deliveryChannels')
    .where('userId', '=', userId)
    .select(['channel', 'shown as to', 'waitingShown as waitingFor', 'extra as slackChannel', 'problem', 'problemSince', 'lastSentAt'])
    .orderBy('channel')
    .execute()

/** Addresses that get no more alert mails of a person's account, as their readers said so. */
export const exportedRefusals = (db: Db, userId: string) =>
  db.selectFrom('alertMailRefusals').where('userId', '=', userId).select(['address', 'at as unsubscribedAt']).orderBy('address').execute()

/** Every message written to a person, what became of it and what it said. */
export const exportedMessages = (db: Db, userId: string) =>
  db
    .selectFrom('notifications')
    .leftJoin('properties', 'properties.id', 'notifications.propertyId')
    .where('notifications.userId', '=', userId)
    .select(['notifications.channel', 'notifications.kind', 'properties.name as property', 'notifications.sentTo', 'notifications.state'])
    .select(['notifications.createdAt', 'notifications.sentAt', 'notifications.detail', 'notifications.message'])
    .orderBy('notifications.id')
    .execute()
