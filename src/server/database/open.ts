import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from './tables.ts'

export type Db = Kysely<Database>

// Counts and ids stay below 2^53, and a `date` is a calendar day, not an instant in a time zone.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text)

/** Typed access to PostgreSQL on an open pool; the caller closes the pool. */
export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
}

/** The next fact load's number: higher than every earlier one. */
export async function nextFactLoad(pool: pg.Pool): Promise<number> {
  const answer = await pool.query<{ load: number }>(`SELECT nextval('fact_load') AS load`)
  const load = answer.rows[0]?.load
  if (load === undefined) throw new Error('PostgreSQL returned no fact load number')
  return load
}
