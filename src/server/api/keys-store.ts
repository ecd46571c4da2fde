import type { Selectable } from 'kysely'
import { holdPerson, type Requester } from '../accounts/service.ts'
import { recordEvent, recordKeyUse } from '../audit/record.ts'
import type { ApiKeysTable } from '../database/api-tables.ts'
import type { Db } from '../database/open.ts'

export type ApiKeyRow = Selectable<ApiKeysTable>

/** Maximum number of keys per person, including expired ones. */
export const mostKeys = 50

export function createKeysStore(db: Db) {
  return {
    list: (userId: string): Promise<ApiKeyRow[]> =>
      db.selectFrom('apiKeys').where('userId', '=', userId).selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc').execute(),

    /** Null at the maximum number. */
    add(person: Requester, made: Omit<ApiKeyRow, 'id' | 'userId' | 'lastUsedAt'>): Promise<ApiKeyRow | null> {
      const key = { ...made, userId: person.id }
      return db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        const { count } = await trx
          .selectFrom('apiKeys')
          .where('userId', '=', key.userId)
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
        if (count >= mostKeys) return null
        const added = await trx
          .insertInto('apiKeys')
          .values({ ...key, lastUsedAt: null })
          .returningAll()
          .executeTakeFirstOrThrow()
        await recordEvent(trx, key.userId, { kind: 'key-created', details: { name: key.name, scope: key.scope } }, key.createdAt)
        return added
      })
    },

    /** Whether it existed and was theirs. */
    remove(userId: string, id: string, now: Date): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const removed = await trx
          .deleteFrom('apiKeys')
          .where('userId', '=', userId)
          .where('id', '=', Number(id))
          .returning('name')
          .executeTakeFirst()
        if (removed) await recordEvent(trx, userId, { kind: 'key-revoked', details: { name: removed.name } }, now)
        return removed !== undefined
      })
    },

    async removeAll(trx: Db, userId: string, now: Date): Promise<void> {
      const removed = await trx.deleteFrom('apiKeys').where('userId', '=', userId).returning('name').execute()
      for (const { name } of removed) await recordEvent(trx, userId, { kind: 'key-revoked', details: { name } }, now)
    },

    /** With the access it gives at that moment: a key revoked right afterwards adds nothing (accounts/hold-person.ts). */
    byHash: (hash: Buffer): Promise<(ApiKeyRow & { accessVersion: number }) | undefined> =>
      db
        .selectFrom('apiKeys')
        .innerJoin('people', 'people.userId', 'apiKeys.userId')
        .where('hash', '=', hash)
        .selectAll('apiKeys')
        .select('people.accessVersion')
        .executeTakeFirst(),

    /** Notes that a key was used, unless noted since `notedSince`. */
    async noteUse({ id, userId, name }: ApiKeyRow, now: Date, notedSince: Date): Promise<void> {
      await db
        .updateTable('apiKeys')
        .set({ lastUsedAt: now })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', notedSince)]))
        .execute()
      await recordKeyUse(db, userId, { id, name }, now)
    },
  }
}
export type KeysStore = ReturnType<typeof createKeysStore>
