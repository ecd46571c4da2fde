import type pg from 'pg'
import { type Db, openDatabase } from '../../src/server/database/open.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { openPostgres } from '../../src/server/platform/postgres.ts'
import { fail, unused } from './app.ts'
import { noteOpen } from './left-open.ts'
import { openHome } from './snapshots.ts'

export type TestDatabase = {
  db: Db
  pool: pg.Pool
  dataDir: string
  /** A property of a person of its own; answers its id. */
  property(name: string): Promise<number>
  close(): Promise<void>
}

/** A database of its own with all migrations, without the rest of the server. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const home = await openHome(unused)
  const { databaseUrl, dataDir } = home
  const postgres = await openPostgres({ databaseUrl, dataDir, log: createLog('error', true), onLost: fail })
  const db = openDatabase(postgres.pool)
  return {
    db,
    pool: postgres.pool,
    dataDir,
    async property(name) {
      const userId = `user-of-${name}`
      const now = new Date()
      await db
        .insertInto('users')
        .values({ id: userId, name, email: `${userId}@people.example`, emailVerified: true, createdAt: now, updatedAt: now })
        .execute()
      const row = await db.insertInto('properties').values({ userId, name, kind: 'google' }).returning('id').executeTakeFirstOrThrow()
      return row.id
    },
    close: noteOpen(async () => {
      await postgres.close()
      await home.remove()
    }),
  }
}
