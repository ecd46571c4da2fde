import { createLog } from '../../src/server/platform/log.ts'
import { openQueue } from '../../src/server/platform/queue.ts'
import type { TestApp } from './app.ts'
import { databaseUrlOf, type Sql } from './stores.ts'
import { until } from './until.ts'

/** Puts a job into a queue of a server in another process that works on `dataDir`; in this process `app.send` does. */
export async function sendJob(dataDir: string, name: string, content: object = {}): Promise<void> {
  const queue = await openQueue({ url: await databaseUrlOf(dataDir), log: createLog('silent'), worker: false })
  await queue.send(name, content)
  await queue.close()
}

/** What the server does every minute for a queue (`alerts-due`, `delivery-due`), now; waits until it is done. */
export async function runJob(app: TestApp, name: string): Promise<void> {
  await app.send(name)
  await noJobsLeft(app, name)
}

/** Waits until no job of a queue runs or is to run soon. */
export async function noJobsLeft(app: TestApp, name: string): Promise<void> {
  const { sql } = await app.stores()
  await until(
    async () => (await sql(`SELECT 1 FROM jobs.job WHERE name = $1 AND state IN ('created', 'retry', 'active')`, [name])).length,
    (left) => left === 0,
    60_000,
  )
}

/** What of a queue waits for its time, or to be tried again, is done now. */
export async function hasten(sql: Sql, name: string): Promise<void> {
  await sql(`UPDATE jobs.job SET start_after = now() WHERE name = $1 AND state IN ('created', 'retry')`, [name])
  // As the queue itself does for a new job: whoever works on it looks at once.
  await sql(`SELECT pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), $1)`, [name])
}
