import type pg from 'pg'
import { test } from 'vitest'
import { type Db, openDatabase } from '../../src/server/database/open.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { openPostgres } from '../../src/server/platform/postgres.ts'
import { fail, unused } from './app.ts'
import { noteOpen } from './left-open.ts'
import { openHome, type Snapshot } from './snapshots.ts'

export type TestDatabase = {
  db: Db
  pool: pg.Pool
  url: string
  dataDir: string
  /** A property of a new user; returns its id. */
  property(name: string): Promise<number>
  close(): Promise<void>
}

/** An empty database. */
export const blank: Snapshot = { name: 'blank' }

/** Tests in a file that share one database: `database`. */
export const databaseTest = (from?: Snapshot) =>
  test.extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
    const database = await openTestDatabase(from)
    onCleanup(() => database.close())
    return database
  })

/** A database with all migrations unless specified otherwise, without the rest of the server. */
export async function openTestDatabase(from: Snapshot = unused): Promise<TestDatabase> {
  const home = await openHome(from)
  const { databaseUrl, dataDir } = home
  const postgres = await openPostgres({ databaseUrl, dataDir, log: createLog('error', true), onLost: fail })
  const db = openDatabase(postgres.pool)
  return {
    db,
    pool: postgres.pool,
    url: databaseUrl,
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
