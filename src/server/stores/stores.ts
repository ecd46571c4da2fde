import type { ClickHouseClient } from '@clickhouse/client'
import type pg from 'pg'
import { keptDuringBackups } from '../backup/facts-kept.ts'
import { refuseUnfinishedDatabase } from '../backup/given-database.ts'
import { refuseUnfinished } from '../backup/unfinished.ts'
import type { Config } from '../config.ts'
import { migrations } from '../database/migrations/index.ts'
import { type Db, nextFactLoad, openDatabase } from '../database/open.ts'
import { layoutOf } from '../facts/layout.ts'
import { createFactsTables } from '../facts/schema.ts'
import { createFactsStore, type FactsStore } from '../facts/store.ts'
import type { StoreCheck } from '../platform/store-outages.ts'
import { openClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { readFairly } from '../platform/fair-reads.ts'
import { createLog, type Log } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { openPostgres } from '../platform/postgres.ts'

export type Stores = {
  pool: pg.Pool
  /** PostgreSQL's URL, for the job queue's own connections. */
  postgresUrl: string
  db: Db
  clickhouse: ClickHouseClient
  facts: FactsStore
  /** Ways to the stores that nobody else uses. */
  checks: { postgres: StoreCheck<pg.Pool>; clickhouse: StoreCheck<ClickHouseClient> }
  nextLoad(): Promise<number>
  close(): Promise<void>
}

/**
 * Opens both stores in parallel and brings them up to date; if one can't be opened, the other is closed again. `onLost` is called when the
 * embedded PostgreSQL has died and can't be restarted.
 */
export async function openStores(config: Config, log: Log, onLost: (error: Error) => void): Promise<Stores> {
  await using opened = new AsyncDisposableStack()
  const { dataDir } = config
  const layout = layoutOf(config.clickhouse.cluster)
  refuseUnfinished(dataDir)
  const opening = [
    openPostgres({ databaseUrl: config.databaseUrl, dataDir, log, onLost }),
    openClickHouse({
      clickhouseUrl: config.clickhouse.url,
      settings: layout.settings,
      dataDir,
      memoryBytes: config.clickhouse.memoryBytes,
      log,
    }),
  ] as const
  for (const settled of await Promise.allSettled(opening)) {
    if (settled.status === 'fulfilled') opened.defer(() => settled.value.close())
  }
  const [postgres, clickhouse] = await Promise.all(opening)
  if (config.databaseUrl !== undefined) await refuseUnfinishedDatabase(postgres.pool)

  const db = openDatabase(postgres.pool)
  await migrate(db, migrations, log)
  await createFactsTables(clickhouse.client, layout)
  const nextLoad = () => nextFactLoad(postgres.pool)
  const kept = opened.move()
  return {
    pool: postgres.pool,
    postgresUrl: postgres.url,
    db,
    clickhouse: clickhouse.client,
    facts: keptDuringBackups(createFactsStore(readFairly(clickhouse.client, clickhouse.atATime), nextLoad, layout), postgres.pool),
    checks: { postgres: postgres.check, clickhouse: clickhouse.check },
    nextLoad,
    close: () => kept.disposeAsync(),
  }
}

/** Runs a command on the stores while no server has them: closes them afterwards, and ends if they are lost. */
export async function withStores<T>(config: Config, work: (stores: Stores, log: Log) => Promise<T>): Promise<T> {
  await using opened = new AsyncDisposableStack()
  const log = createLog('error', true, { write: (line) => void process.stderr.write(line) })
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  const stores = await openStores(config, log, lost.reject)
  opened.defer(stores.close)
  // Awaited here: the stores are closed on return.
  return await Promise.race([work(stores, log), lost.promise])
}
