import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import pg from 'pg'
import { createFactsStore, type FactsStore } from '../../src/server/facts/store.ts'
import { createChdbConnection } from '../../src/server/platform/clickhouse/chdb-connection.ts'
import { openEngine } from '../../src/server/platform/clickhouse/clickhouse.ts'
import { createLanes } from '../../src/server/platform/clickhouse/chdb-lanes.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { openQueue, type Queue } from '../../src/server/platform/queue.ts'
import { databaseNotedIn } from './snapshots.ts'

export type Sql = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

/** Direct access to a running server's stores, without its API: what is really on disk. */
export type StoresView = {
  sql: Sql
  clickhouse: ClickHouseClient
  facts: FactsStore
  /** Adds a job to one of the server's queues. */
  send(name: string, content?: object): Promise<void>
  close(): Promise<void>
}

/** Opens a view of the embedded stores under `dataDir`; the server has to run in this process. */
export async function viewStores(dataDir: string): Promise<StoresView> {
  const { sql, close } = await openSql(dataDir)
  let queue: Promise<Queue> | null = null
  let engine: ClickHouseClient | null = null
  const open = (): ClickHouseClient => {
    const { sessions, settings } = openEngine(path.join(dataDir, 'clickhouse'), 1024 ** 3, 1)
    return createClient({ connection: createChdbConnection(createLanes(sessions), settings) })
  }
  return {
    sql,
    // Most tests only need PostgreSQL.
    get clickhouse() {
      return (engine ??= open())
    },
    get facts() {
      const nextLoad = async () => Number((await sql<{ load: string }>(`SELECT nextval('fact_load') AS load`))[0]?.load)
      return createFactsStore((engine ??= open()), nextLoad)
    },
    async send(name, content = {}) {
      queue ??= databaseUrlOf(dataDir).then((url) => openQueue({ url, log: createLog('silent'), worker: false }))
      await (await queue).send(name, content)
    },
    async close() {
      await (await queue)?.close()
      await close()
      await engine?.close()
    },
  }
}

/** Runs statements on a server's PostgreSQL, whichever process that runs in. */
export async function openSql(dataDir: string): Promise<{ sql: Sql; close(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: await databaseUrlOf(dataDir), max: 2 })
  pool.on('error', () => {})
  return {
    sql: async <Row extends object>(text: string, values: unknown[] = []) => (await pool.query<Row>(text, values)).rows,
    close: () => pool.end(),
  }
}

/**
 * How to connect to a server's database: the one on the run's PostgreSQL, or else the embedded one, through the socket in its pid file and
 * its password file.
 */
export async function databaseUrlOf(dataDir: string): Promise<string> {
  const noted = await databaseNotedIn(dataDir)
  if (noted !== undefined) return noted
  const note = await readFile(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')
  const password = (await readFile(path.join(dataDir, 'postgres', 'password'), 'utf8')).trim()
  return `postgresql://ranklark:${password}@${encodeURIComponent(note.split('\n')[4] ?? '')}:5432/postgres`
}
