import { type ExportFile, jsonArray } from '../common/export-file.ts'
import type { Db } from '../database/open.ts'

/** A person's destinations, as far as they may be shown: leaves out what would let somebody else post there. */
export const exportedChannels = (db: Db, userId: string) =>
  db
    .selectFrom('deliveryChannels')
    .where('userId', '=', userId)
    .select(['channel', 'shown as to', 'waitingShown as waitingFor', 'extra as slackChannel', 'problem', 'problemSince', 'lastSentAt'])
    .orderBy('channel')
    .execute()

/** Addresses whose readers refused further alert emails of a person's account. */
export const exportedRefusals = (db: Db, userId: string) =>
  db.selectFrom('alertMailRefusals').where('userId', '=', userId).select(['address', 'at as unsubscribedAt']).orderBy('address').execute()

/** Messages read at once; each holds up to a hundred alerts. */
const atOnce = 20

/** messages.json: every message written to a person, with its result and content. */
export const messagesFile = (db: Db, userId: string): ExportFile => ({
  name: 'messages.json',
  about: 'The alert notifications we sent you.',
  content: jsonArray(
    (id) => messagesAfter(db, userId, id),
    ({ id: _id, ...message }) => message,
  ),
})

const messagesAfter = (db: Db, userId: string, id: number) =>
  db
    .selectFrom('notifications')
    .leftJoin('properties', 'properties.id', 'notifications.propertyId')
    .where('notifications.userId', '=', userId)
    .where('notifications.id', '>', id)
    .select([
      'notifications.id',
      'notifications.channel',
      'notifications.kind',
      'properties.name as property',
      'notifications.sentTo',
      'notifications.state',
    ])
    .select(['notifications.createdAt', 'notifications.sentAt', 'notifications.detail', 'notifications.message'])
    .orderBy('notifications.id')
    .limit(atOnce)
    .execute()
