import type pg from 'pg'
import { lockNumber, withoutLimits } from '../platform/postgres.ts'
import { BackupProblem } from './problem.ts'
import type { Filling } from './unfinished.ts'

/** Marks a user-supplied database while it is being filled; the process that fills it holds the lock. */
const mark = 'restore_unfinished'
const lock = lockNumber("'a restore fills this database'")

/** @throws BackupProblem if a restore into this database was interrupted, or is still running */
export async function refuseUnfinishedDatabase(pool: pg.Pool): Promise<void> {
  if (await isMarked(pool))
    throw new BackupProblem(
      'A restore into the database at DATABASE_URL is in progress or was interrupted: run "npm run restore" again, or use another database',
    )
}

/**
 * Marks an empty database as being filled; removes what an interrupted restore left in it.
 * @throws BackupProblem if it contains anything else, or another restore is running
 */
export async function beginFillingDatabase(pool: pg.Pool): Promise<Filling> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS mine`)
    if (rows[0]?.mine !== true) throw new BackupProblem('Another restore into the database at DATABASE_URL is in progress')
    if (await isMarked(client)) await empty(client)
    else await mustBeEmpty(client)
    await client.query(`CREATE TABLE IF NOT EXISTS ${mark} ()`)
  } catch (error) {
    client.release(true)
    throw error
  }
  // The lock ends with its connection.
  const end = (work: () => Promise<unknown>) => async (): Promise<void> => {
    try {
      await work()
    } finally {
      client.release(true)
    }
  }
  return { finish: end(() => client.query(`DROP TABLE ${mark}`)), giveUp: end(() => empty(client, mark)) }
}

async function isMarked(db: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await db.query<{ marked: boolean }>(`SELECT to_regclass('${mark}') IS NOT NULL AS marked`)
  return rows[0]?.marked === true
}

/** Tables, without partitions, and sequences. */
const things = `SELECT c.relkind AS kind, c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN (current_schema(), 'jobs') AND c.relkind IN ('r', 'p', 'S') AND NOT c.relispartition`

async function mustBeEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`${things} LIMIT 1`)
  if (rows.length > 0) throw new BackupProblem('The database at DATABASE_URL is not empty: create a new one and restore into it')
}

/** It was empty before, so a restore put everything there. The mark goes last, and only with `all`. */
async function empty(client: pg.ClientBase, all?: typeof mark): Promise<void> {
  const { rows } = await client.query<{ kind: string; name: string }>(things)
  const of = (...kinds: string[]): string =>
    rows
      .filter(({ kind, name }) => kinds.includes(kind) && name !== mark)
      .map(({ name }) => name)
      .join(', ')
  await client.query(`BEGIN; ${withoutLimits}; DROP SCHEMA IF EXISTS jobs CASCADE`)
  const [tables, sequences] = [of('r', 'p'), of('S')]
  if (tables !== '') await client.query(`DROP TABLE IF EXISTS ${tables} CASCADE`)
  if (sequences !== '') await client.query(`DROP SEQUENCE IF EXISTS ${sequences} CASCADE`)
  if (all !== undefined) await client.query(`DROP TABLE ${all}`)
  await client.query('COMMIT')
}
