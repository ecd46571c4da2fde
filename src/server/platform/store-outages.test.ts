import pg from 'pg'
import { expect } from 'vitest'
import { databaseTest } from '../../../test/support/database.ts'
import { awayStore, isOverTime } from './store-outages.ts'
import { ClickHouseUnavailable } from './clickhouse/clickhouse-errors.ts'

const test = databaseTest()

/** The error a statement or a connection fails with. */
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

async function refused(options: pg.ClientConfig): Promise<unknown> {
  return failure(new pg.Client({ connectionTimeoutMillis: 5_000, ...options }).connect())
}

test('a PostgreSQL that ends a connection mid-statement is down', async ({ database }) => {
  const client = await database.pool.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const broken = failure(client.query('SELECT pg_sleep(60)'))
  await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  expect(awayStore(await broken)).toBe('PostgreSQL')
  expect(awayStore(await failure(client.query('SELECT 1')))).toBe('PostgreSQL')
  client.release(true)
})

test('so is one that nobody listens at, or that has no connections left', async ({ database }) => {
  expect(awayStore(await refused({ host: '127.0.0.1', port: 1 }))).toBe('PostgreSQL')
  expect(awayStore(await refused({ host: '/nowhere', port: 1 }))).toBe('PostgreSQL')
  const full = new pg.Pool({ ...database.pool.options, max: 1 })
  const holding = await full.connect()
  full.options.connectionTimeoutMillis = 50
  expect(awayStore(await failure(full.query('SELECT 1')))).toBe('PostgreSQL')
  holding.release()
  await full.end()
})

test('ClickHouse says so itself', () => {
  expect(awayStore(new ClickHouseUnavailable('ClickHouse is not responding: socket hang up'))).toBe('ClickHouse')
})

test("an error in a statement isn't an outage, nor is one of our bugs", async ({ database }) => {
  for (const statement of ['SELECT nope', 'INSERT INTO people (user_id) VALUES (NULL)', `SELECT 1 / 0`]) {
    expect(awayStore(await failure(database.pool.query(statement)))).toBeNull()
  }
  expect(awayStore(new TypeError('x is not a function'))).toBeNull()
  expect(awayStore(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBeNull()
  expect(awayStore('text')).toBeNull()
})

test('a statement that takes too long is stopped', async ({ database }) => {
  const { rows } = await database.pool.query('SHOW statement_timeout')
  expect(rows).toEqual([{ statement_timeout: '1min' }])
  const client = await database.pool.connect()
  await client.query('SET statement_timeout = 1')
  const stopped = await failure(client.query('SELECT pg_sleep(60)'))
  client.release(true)
  expect([isOverTime(stopped), awayStore(stopped)]).toEqual([true, null])
})

test('a statement that waits for another one too long is stopped', async ({ database }) => {
  const { pool } = database
  const [own, other] = [await pool.connect(), await pool.connect()]
  for (const client of [own, other]) {
    const { rows } = await client.query('SHOW lock_timeout')
    expect(rows).toEqual([{ lock_timeout: '5s' }])
  }
  await own.query('BEGIN; LOCK TABLE users')
  await other.query('SET lock_timeout = 1')
  const stopped = await failure(other.query('DELETE FROM users'))
  for (const client of [own, other]) client.release(true)
  expect([isOverTime(stopped), awayStore(stopped)]).toEqual([true, null])
})
