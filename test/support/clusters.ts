import { onTestFinished } from 'vitest'
import { openPostgres, type Postgres, type PostgresOptions } from '../../src/server/platform/postgres.ts'
import { silentLog, temporaryDirectory } from './platform.ts'
import { fillDirectory, type Snapshot } from './snapshots.ts'

/** Opens the database in a directory, for the duration of the test. */
export async function openCluster(dataDir: string, options: Partial<PostgresOptions> = {}): Promise<Postgres> {
  const postgres = await openPostgres({ dataDir, log: silentLog, onLost: () => {}, ...options })
  onTestFinished(() => postgres.close())
  return postgres
}

/** A directory with a database in which an earlier server stored one row. @param name a part of the directory's name */
export async function clusterLeftBehind(name: string): Promise<string> {
  const dataDir = temporaryDirectory(name)
  await fillDirectory(withOneRow, dataDir)
  return dataDir
}

const withOneRow: Snapshot = {
  name: 'one_row',
  async make({ dataDir }) {
    const postgres = await openPostgres({ dataDir, log: silentLog, onLost: () => {} })
    await postgres.pool.query('CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)')
    await postgres.close()
  },
}

/** How many rows are stored. */
export async function rowsKept({ pool }: Postgres): Promise<number> {
  return Number((await pool.query<{ n: string }>('SELECT count(*) AS n FROM kept')).rows[0]?.n)
}
