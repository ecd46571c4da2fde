import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, test as baseTest } from 'vitest'
import { blank } from '../../../test/support/database.ts'
import { silentLog } from '../../../test/support/platform.ts'
import { openHome } from '../../../test/support/snapshots.ts'
import { migrate, type Migration } from './migrate.ts'

/** The test's own empty database, and a way to connect to it like another process would. */
const test = baseTest.extend('connect', async ({}, { onCleanup }) => {
  const home = await openHome(blank)
  const opened: Kysely<unknown>[] = []
  onCleanup(async () => {
    await Promise.all(opened.map((db) => db.destroy()))
    await home.remove()
  })
  return () => {
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: home.databaseUrl, max: 3 }) }) })
    opened.push(db)
    return db
  }
})

const creates = (table: string): Migration => ({
  up: async (db) => {
    await sql`CREATE TABLE ${sql.table(table)} (n int)`.execute(db)
    await sql`SELECT pg_sleep(0.05)`.execute(db)
  },
})

async function tablesOf(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{
    name: string
  }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'kysely%' ORDER BY 1`.execute(db)
  return rows.map(({ name }) => name)
}

test('applies new ones, in order of their names, once', async ({ connect }) => {
  const db = connect()
  expect(await migrate(db, { '0002-b': creates('b'), '0001-a': creates('a') }, silentLog)).toEqual(['0001-a', '0002-b'])
  expect(await migrate(db, { '0001-a': creates('a'), '0002-b': creates('b'), '0003-c': creates('c') }, silentLog)).toEqual(['0003-c'])
  expect(await tablesOf(db)).toEqual(['a', 'b', 'c'])
})

test('two processes that start together apply each migration once', async ({ connect }) => {
  const migrations = { '0001-a': creates('a'), '0002-b': creates('b') }
  const applied = await Promise.all([1, 2, 3].map(() => migrate(connect(), migrations, silentLog)))
  expect(applied.flat().toSorted()).toEqual(['0001-a', '0002-b'])
})

test('a failing one is named, and leaves the database unchanged', async ({ connect }) => {
  const db = connect()
  const broken: Migration = { up: async (trx) => void (await sql`CREATE TABLE b (n nonsense)`.execute(trx)) }
  await expect(migrate(db, { '0001-a': creates('a'), '0002-broken': broken }, silentLog)).rejects.toThrow(
    'Database migration 0002-broken failed: type "nonsense" does not exist',
  )
  expect(await tablesOf(db)).toEqual([])
})

test("a newer version's database is refused", async ({ connect }) => {
  const db = connect()
  await migrate(db, { '0001-a': creates('a'), '0002-b': creates('b') }, silentLog)
  await expect(migrate(db, { '0001-a': creates('a') }, silentLog)).rejects.toThrow(
    /^Database migrations could not run: .*0002-b is missing/,
  )
})
