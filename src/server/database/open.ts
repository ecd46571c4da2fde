import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from './tables.ts'

export type Db = Kysely<Database>

// Counts and ids stay below 2^53, and a `date` is a calendar day, not an instant in some zone.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text)

/** Typed access to PostgreSQL over an open pool; closing the pool stays the caller's. */
export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
}

/** The number of the next fact load: greater than every one handed out before. */
export async function nextFactLoad(pool: pg.Pool): Promise<number> {
  const answer = await pool.query<{ load: number }>(`SELECT nextval('fact_load') AS load`)
  const load = answer.rows[0]?.load
  if (load === undefined) throw new Error('PostgreSQL gave no fact load number')
  return load
}
