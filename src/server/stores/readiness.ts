import { migrations } from '../database/migrations/index.ts'
import type { Needs } from '../http/health-routes.ts'
import { checkPatienceMs, checkStore, isPostgresBusy } from '../platform/store-outages.ts'
import { isClickHouseBusy } from '../platform/clickhouse/clickhouse-errors.ts'
import type { Stores } from './stores.ts'

/** What every request needs: both stores, with the tables of this version. */
export function needsOf({ checks }: Pick<Stores, 'checks'>): Needs {
  const newest = Object.keys(migrations).toSorted().at(-1)
  // With its own timeout, so that a check that hangs returns its connection.
  const isMigrated = { text: 'SELECT 1 FROM kysely_migration WHERE name = $1', values: [newest], query_timeout: checkPatienceMs }
  return {
    PostgreSQL: () =>
      checkStore(
        checks.postgres,
        async (pool) => {
          if ((await pool.query(isMigrated)).rowCount === 0) throw new Error(`Migration ${newest} is missing`)
        },
        isPostgresBusy,
      ),
    ClickHouse: () =>
      checkStore(
        checks.clickhouse,
        async (client, signal) => {
          const query = 'EXISTS TABLE facts_current'
          const answer = await client.query({ query, format: 'JSONEachRow', abort_signal: signal })
          const [row] = await answer.json<{ result: number }>()
          if (row?.result !== 1) throw new Error('The facts tables are missing')
        },
        isClickHouseBusy,
      ),
  }
}
