import { createLog } from '../../src/server/platform/log.ts'
import { openQueue } from '../../src/server/platform/queue.ts'
import { databaseUrlOf, type Sql, type StoresView } from './stores.ts'
import { until } from './until.ts'

/** A server under test, as far as its jobs go. */
type WithJobs = { stores(): Promise<StoresView>; send(name: string): Promise<void> }

/** Adds a job to a queue of a server in another process that works on `dataDir`; in this process use `app.send`. */
export async function sendJob(dataDir: string, name: string, content: object = {}): Promise<void> {
  const queue = await openQueue({ url: await databaseUrlOf(dataDir), log: createLog('silent'), worker: false })
  await queue.send(name, content)
  await queue.close()
}

/**
 * Runs the server's every-minute check of a queue (`alerts-due`, `delivery-due`) now; waits until it is done. A check that is still running may
 * have begun before the test set its scene, and the queue takes no second one meanwhile.
 */
export async function runJob(app: WithJobs, name: string): Promise<void> {
  await noJobsLeft(app, name)
  await app.send(name)
  await noJobsLeft(app, name)
}

/** Waits until no job of a queue is running or about to. */
export async function noJobsLeft(app: WithJobs, name: string): Promise<void> {
  const { sql } = await app.stores()
  await until(
    async () => (await sql(`SELECT 1 FROM jobs.job WHERE name = $1 AND state IN ('created', 'retry', 'active')`, [name])).length,
    (left) => left === 0,
    60_000,
  )
}

/** Runs a queue's delayed jobs and retries now. */
export async function hasten(sql: Sql, name: string): Promise<void> {
  await sql(`UPDATE jobs.job SET start_after = now() WHERE name = $1 AND state IN ('created', 'retry')`, [name])
  // Like the queue itself for a new job: its worker checks immediately.
  await sql(`SELECT pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), $1)`, [name])
}
