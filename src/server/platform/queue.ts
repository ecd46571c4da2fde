import pg from 'pg'
import { fromKysely, type Job as BossJob, PgBoss } from 'pg-boss'
import type { Log } from './log.ts'

/** Anything that can run a statement in the caller's transaction: a Kysely transaction. */
type Transaction = Parameters<typeof fromKysely>[0]

type QueueDefinition = {
  /** How often a failed job is tried again (2 by default). */
  retryLimit?: number
  /** Seconds before the first retry; with `retryBackoff` they double, jittered, up to `retryDelayMax`. */
  retryDelay?: number
  retryBackoff?: boolean
  retryDelayMax?: number
  /** Seconds one run may take before it counts as failed (900 by default). */
  expireInSeconds?: number
  /** `exclusive`: one job at a time, queued or active, per singletonKey; `short`: one queued; `singleton`: one active. */
  policy?: 'standard' | 'short' | 'singleton' | 'stately' | 'exclusive' | 'key_strict_fifo'
}

type SendOptions = {
  /** With the queue's policy: at most one job of this key. */
  singletonKey?: string
  startAfter?: Date
  /** Higher goes first; 0 by default. */
  priority?: number
  /** Sends with the caller's transaction: the job exists only if that commits. */
  transaction?: Transaction
}

type Job<T> = {
  readonly id: string
  readonly data: T
  /** Aborted when the job's time is up or the worker stops: return soon, what is unfinished is run again. */
  readonly signal: AbortSignal
}

export type Queue = {
  /** Creates the queue or brings its options up to date. Needed before `send` and `work`. */
  defineQueue(name: string, options?: QueueDefinition): Promise<void>
  /** @returns the job's id; null when the queue's policy already holds one of that key */
  send(name: string, data: object, options?: SendOptions): Promise<string | null>
  /** Runs jobs of a queue, `concurrency` at a time (1 by default). A handler that throws fails its job, which is then retried. */
  work<T extends object>(name: string, options: { concurrency?: number }, handler: (job: Job<T>) => Promise<void>): Promise<void>
  /** Sends an empty job to `name` whenever `cron` is due in the time zone `tz`; a repeated call changes the schedule. */
  schedule(name: string, cron: string, tz: string): Promise<void>
  unschedule(name: string): Promise<void>
  /** Takes no more jobs, gives running ones `graceMs` to end (their signal is aborted), then hands them back. */
  close(graceMs?: number): Promise<void>
}

export type QueueOptions = {
  url: string
  log: Log
  /** Whether this process runs jobs and schedules, or only sends. */
  worker: boolean
  /** No other process can be working on this database: jobs found active belong to a process that died, and run again at once. */
  alone?: boolean
}

const SCHEMA = 'jobs'
const POLL_SECONDS = 0.5
/** Backstop while PostgreSQL's notifications wake the workers. */
const NOTIFIED_POLL_SECONDS = 5
/** The shortest pg-boss allows: a job of a process that died is run again within about this time. */
const HEARTBEAT_SECONDS = 10
const DEFAULT_GRACE = 10_000

/** Opens the job queue on the database at `url`, with its own few connections. */
export async function openQueue({ url, log, worker, alone = false }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    schema: SCHEMA,
    application_name: 'ranklark-jobs',
    max: worker ? 4 : 2,
    supervise: worker,
    schedule: worker,
    useListenNotify: worker,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    clockMonitorIntervalSeconds: 600,
    persistWarnings: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue met an error'))
  boss.on('warning', (warning) => log.debug({ warning }, 'the job queue warns'))
  await boss.start()
  if (worker && alone) await takeBackAbandoned(url, log)
  const stopping = new AbortController()

  return {
    async defineQueue(name, options = {}) {
      const definition = { heartbeatSeconds: HEARTBEAT_SECONDS, notify: true, ...options }
      await boss.createQueue(name, definition)
      // `createQueue` leaves an existing one as it is; its policy cannot change.
      const { policy: _policy, ...changeable } = definition
      await boss.updateQueue(name, changeable)
    },
    send(name, data, { transaction, ...options } = {}) {
      return boss.send(name, data, { ...options, ...(transaction && { db: fromKysely(transaction) }) })
    },
    async work<T extends object>(name: string, { concurrency = 1 }: { concurrency?: number }, handler: (job: Job<T>) => Promise<void>) {
      const polling = { pollingIntervalSeconds: POLL_SECONDS, notifyPollingIntervalSeconds: NOTIFIED_POLL_SECONDS }
      await boss.work<T>(name, { ...polling, localConcurrency: concurrency, heartbeatRefreshSeconds: 3 }, async (jobs: BossJob<T>[]) => {
        for (const job of jobs) {
          await handler({ id: job.id, data: job.data, signal: AbortSignal.any([job.signal, stopping.signal]) })
        }
      })
    },
    schedule: (name, cron, tz) => boss.schedule(name, cron, {}, { tz }),
    unschedule: (name) => boss.unschedule(name),
    async close(graceMs = DEFAULT_GRACE) {
      stopping.abort(new Error('The server is stopping'))
      await boss.stop({ graceful: true, timeout: graceMs })
    },
  }
}

async function takeBackAbandoned(url: string, log: Log): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `UPDATE ${SCHEMA}.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL WHERE state = 'active'`,
    )
    if (rowCount) log.info({ jobs: rowCount }, 'jobs of an earlier server run again')
  } finally {
    await client.end()
  }
}
