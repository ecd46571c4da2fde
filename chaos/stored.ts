import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../test/support/stores.ts'

const patienceMs = 60_000

/** Statements to a PostgreSQL that may be recovering: each on its own connection, retried until it answers. */
export function patientSql(url: () => Promise<string>): Sql {
  async function once<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    const client = new pg.Client({ connectionString: await url(), connectionTimeoutMillis: 5_000 })
    // A connection that breaks fails its statement, which is enough.
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  return async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const end = Date.now() + patienceMs
    for (;;) {
      try {
        return await once<Row>(text, values)
      } catch (error) {
        if (Date.now() > end || isOurMistake(error)) throw error
        await sleep(100)
      }
    }
  }
}

/** Wrong statements stay wrong: PostgreSQL's error classes 22, 23 and 42. */
const isOurMistake = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^(22|23|42)/.test(error.code)
