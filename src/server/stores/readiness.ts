import { migrations } from '../database/migrations/index.ts'
import type { Needs } from '../http/health-routes.ts'
import type { Stores } from './stores.ts'

const patienceMs = 2_000

/** What every request needs: both stores, with the tables of this version. */
export function needsOf({ pool, clickhouse }: Pick<Stores, 'pool' | 'clickhouse'>): Needs {
  const newest = Object.keys(migrations).toSorted().at(-1)
  // With its own timeout, so that a check that hangs returns its connection.
  const isMigrated = { text: 'SELECT 1 FROM kysely_migration WHERE name = $1', values: [newest], query_timeout: patienceMs }
  return {
    async PostgreSQL() {
      if ((await pool.query(isMigrated)).rowCount === 0) throw new Error(`Migration ${newest} is missing`)
    },
    async ClickHouse() {
      const query = 'EXISTS TABLE facts_current'
      const answer = await clickhouse.query({ query, format: 'JSONEachRow', abort_signal: AbortSignal.timeout(patienceMs) })
      const [row] = await answer.json<{ result: number }>()
      if (row?.result !== 1) throw new Error('The facts tables are missing')
    },
  }
}
