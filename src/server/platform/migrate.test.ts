import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { silentLog } from '../../../test/support/platform.ts'
import { migrate, type Migration } from './migrate.ts'
import { openPostgres, type Postgres } from './postgres.ts'

let dataDir: string
let postgres: Postgres

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'ranklark-migrate-'))
  postgres = await openPostgres({ dataDir, log: silentLog, onLost: () => {} })
})
afterAll(async () => {
  await postgres.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** A database of the test's own, and a way to connect to it as another process would. */
async function database(name: string): Promise<() => Kysely<unknown>> {
  await postgres.pool.query(`CREATE DATABASE ${name}`)
  const url = postgres.url.replace(/\/postgres$/, `/${name}`)
  return () => {
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 3 }) }) })
    onTestFinished(() => db.destroy())
    return db
  }
}

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

test('applies what is new, in the order of the names, once', async () => {
  const db = (await database('in_order'))()
  expect(await migrate(db, { '0002-b': creates('b'), '0001-a': creates('a') }, silentLog)).toEqual(['0001-a', '0002-b'])
  expect(await migrate(db, { '0001-a': creates('a'), '0002-b': creates('b'), '0003-c': creates('c') }, silentLog)).toEqual(['0003-c'])
  expect(await tablesOf(db)).toEqual(['a', 'b', 'c'])
})

test('two that start together apply each migration once', async () => {
  const connect = await database('together')
  const migrations = { '0001-a': creates('a'), '0002-b': creates('b') }
  const applied = await Promise.all([1, 2, 3].map(() => migrate(connect(), migrations, silentLog)))
  expect(applied.flat().toSorted()).toEqual(['0001-a', '0002-b'])
})

test('a failing one is named, and leaves the database as it was', async () => {
  const db = (await database('failing'))()
  const broken: Migration = { up: async (trx) => void (await sql`CREATE TABLE b (n nonsense)`.execute(trx)) }
  await expect(migrate(db, { '0001-a': creates('a'), '0002-broken': broken }, silentLog)).rejects.toThrow(
    'Database migration 0002-broken failed: type "nonsense" does not exist',
  )
  expect(await tablesOf(db)).toEqual([])
})

test('a database of a newer version is refused', async () => {
  const db = (await database('newer'))()
  await migrate(db, { '0001-a': creates('a'), '0002-b': creates('b') }, silentLog)
  await expect(migrate(db, { '0001-a': creates('a') }, silentLog)).rejects.toThrow(
    /^Database migrations could not run: .*0002-b is missing/,
  )
})
