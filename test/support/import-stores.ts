import { test } from 'vitest'
import { unused } from './app.ts'
import { noteOpen } from './left-open.ts'
import { openHome } from './snapshots.ts'
import { nextFactLoad, openDatabase } from '../../src/server/database/open.ts'
import { createFactsStore } from '../../src/server/facts/store.ts'
import { openClickHouse } from '../../src/server/platform/clickhouse/clickhouse.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { openPostgres } from '../../src/server/platform/postgres.ts'

/** Real PostgreSQL and ClickHouse in their own directory, for the tests of one file. */
export async function openTestStores() {
  const log = createLog('silent')
  const home = await openHome(unused)
  const { dataDir } = home
  const postgres = await openPostgres({ ...home, log, onLost: () => {} })
  const clickhouse = await openClickHouse({ dataDir, memoryBytes: 512 * 1024 ** 2, log })
  const { pool } = postgres
  const { client } = clickhouse
  const db = openDatabase(pool)
  let people = 0

  return {
    dataDir,
    pool,
    db,
    client,
    offer: { billing: 'stripe', sitesPerPerson: null } as const,
    facts: createFactsStore(client, () => nextFactLoad(pool)),
    /** A new user on this plan; their name is their id. */
    async person(plan: 'free' | 'agency' = 'agency', name = `person-${(people += 1)}`): Promise<string> {
      await pool.query('INSERT INTO users (id, name, email, username) VALUES ($1, $1, $2, $1)', [name, `${name}@example.com`])
      await pool.query('INSERT INTO people (user_id, plan) VALUES ($1, $2)', [name, plan])
      return name
    },
    close: noteOpen(async () => {
      await clickhouse.close()
      await postgres.close()
      await home.remove()
    }),
  }
}
export type TestStores = Awaited<ReturnType<typeof openTestStores>>

/** Tests in a file that share such stores: `stores`. */
export const storesTest = test.extend('stores', { scope: 'file' }, async ({}, { onCleanup }) => {
  const stores = await openTestStores()
  onCleanup(() => stores.close())
  return stores
})
