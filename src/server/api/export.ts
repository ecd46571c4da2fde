import type { Db } from '../database/open.ts'

/** A person's API keys; the keys themselves are unknown. */
export const exportedKeys = (db: Db, userId: string) =>
  db
    .selectFrom('apiKeys')
    .where('userId', '=', userId)
    .select(['name', 'scope', 'start', 'createdAt', 'lastUsedAt', 'expiresAt'])
    .orderBy('id')
    .execute()
