import type { Db } from '../database/open.ts'

/** A person's keys of the API; the keys themselves are not known. */
export const exportedKeys = (db: Db, userId: string) =>
  db
    .selectFrom('apiKeys')
    .where('userId', '=', userId)
    .select(['name', 'scope', 'start', 'createdAt', 'lastUsedAt', 'expiresAt'])
    .orderBy('id')
    .execute()
