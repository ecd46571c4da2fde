import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import pg from 'pg'
import { startGoogle } from '../../emulators/google/server.ts'
import { openQueue } from '../../src/server/platform/queue.ts'
import { generousQuotas, unused } from './app.ts'
import { type ClickHouseFront, startClickHouseFront } from './clickhouse-front.ts'
import { type Control, createControl } from './google-control.ts'
import { googleEnv } from './google-env.ts'
import { noteOpen } from './left-open.ts'
import { silentLog } from './platform.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { openHome, type Snapshot } from './snapshots.ts'
import type { Sql } from './stores.ts'

/** Servers in separate processes that share one PostgreSQL, one ClickHouse and one secret, like a larger installation. */
export type SharedServers = {
  google: Control
  /** Google's API itself, for a proxy between it and a server. */
  googleApi: string
  front: ClickHouseFront
  /** The stored figures. */
  clickhouse: ClickHouseClient
  sql: Sql
  /** Starts one more; any still running are killed at the end. */
  start(name: string, env?: Record<string, string>): Promise<ServerProcess>
  /** Runs one server's every-minute check for due work, now. */
  lookForDue(): Promise<void>
  close(): Promise<void>
}

/** @param from the initial state of their PostgreSQL: all of its tables by default */
export async function openSharedServers(from: Snapshot = unused): Promise<SharedServers> {
  const directory = await mkdtemp(path.join(tmpdir(), 'ranklark-shared-'))
  const [google, front, { databaseUrl, remove }] = await Promise.all([startGoogle(), startClickHouseFront(), openHome(from)])
  const control = createControl(google.url)
  await control.call('PUT', 'quotas', generousQuotas)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  pool.on('error', () => {})
  const clickhouse = createClient({ url: front.url })
  const started: ServerProcess[] = []
  return {
    google: control,
    googleApi: google.apiUrl,
    front,
    clickhouse,
    sql: async <Row extends object>(text: string, values: unknown[] = []) => (await pool.query<Row>(text, values)).rows,
    async start(name, env = {}) {
      const server = await startServerProcess({
        DATABASE_URL: databaseUrl,
        CLICKHOUSE_URL: front.url,
        SECRET_KEY: 'the-same-secret-key-for-all-processes',
        DATA_DIR: path.join(directory, name),
        DEMO: '0',
        ...googleEnv(google),
        ...env,
      })
      started.push(server)
      return server
    },
    async lookForDue() {
      const queue = await openQueue({ url: databaseUrl, log: silentLog, worker: false })
      await queue.send('sync-due', {})
      await queue.close()
    },
    close: noteOpen(async () => {
      await Promise.all(started.map((server) => server.kill()))
      await Promise.all([clickhouse.close(), pool.end(), google.close()])
      await Promise.all([front.close(), remove(), rm(directory, { recursive: true, force: true })])
    }),
  }
}
