import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { migrations } from '../../src/server/database/migrations/index.ts'
import { type Db, openDatabase } from '../../src/server/database/open.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { migrate } from '../../src/server/platform/migrate.ts'
import { openPostgres } from '../../src/server/platform/postgres.ts'

export type TestDatabase = {
  db: Db
  pool: pg.Pool
  dataDir: string
  /** A property of a person of its own; answers its id. */
  property(name: string): Promise<number>
  close(): Promise<void>
}

/** A real PostgreSQL on a fresh directory with all migrations, without the rest of the server. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-db-'))
  const log = createLog('error', true)
  const postgres = await openPostgres({
    dataDir,
    log,
    onLost: (error) => {
      throw error
    },
  })
  const db = openDatabase(postgres.pool)
  await migrate(db, migrations, log)
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
    async close() {
      await postgres.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
