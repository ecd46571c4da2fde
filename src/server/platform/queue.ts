import { setTimeout as sleep } from 'node:timers/promises'
import { fromKysely, type Job as BossJob, PgBoss } from 'pg-boss'
import type { Log } from './log.ts'
import { lockNumber } from './postgres.ts'
import { createQueueOrder, type Execute, queueOrderIndex } from './queue-order.ts'

/** Anything that can run a statement in the caller's transaction, such as a Kysely transaction. */
type Transaction = Parameters<typeof fromKysely>[0]

type QueueDefinition = {
  /** How often a failed job is retried (2 by default). */
  retryLimit?: number
  /** Seconds before the first retry; with `retryBackoff` they double, jittered, up to `retryDelayMax`. */
  retryDelay?: number
  retryBackoff?: boolean
  retryDelayMax?: number
  /** Seconds a run may take before it counts as failed (900 by default). */
  expireInSeconds?: number
  /** `exclusive`: one job at a time, queued or active, per singletonKey; `short`: one queued; `singleton`: one active. */
  policy?: 'standard' | 'short' | 'singleton' | 'stately' | 'exclusive' | 'key_strict_fifo'
}

type SendOptions = {
  /** With the queue's policy: at most one job per key. */
  singletonKey?: string
  startAfter?: Date
  /** The job's owner: groups take turns (queue-order.ts). Either all jobs of a queue have one or none. */
  group?: string
  /** Goes before the group's other waiting jobs, but not before the group's turn. Speeds up a waiting job with the same key. */
  urgent?: boolean
  /** Sends within the caller's transaction: the job exists only if that commits. */
  transaction?: Transaction
}

type WorkOptions = {
  /** How many jobs this process runs at a time (1 by default). */
  concurrency?: number
  /** At most one job of a group at a time in this process. For queues where groups have few jobs: each look-up reads past them. */
  onePerGroup?: boolean
}

/** The abort reason of jobs' signals when the server stops; a job's own timeout has another reason. */
export class ServerStops extends Error {
  override name = 'ServerStops'
}

/** A job waiting with others of its group. */
export type GroupJob = { group: string; singletonKey: string; data: object }

export type Job<T> = {
  readonly id: string
  readonly data: T
  /** Aborted on the job's timeout or when the worker stops: return soon; unfinished work is run again. */
  readonly signal: AbortSignal
}

export type Queue = {
  /** Creates the queue or updates its options. Required before `send` and `work`. */
  defineQueue(name: string, options?: QueueDefinition): Promise<void>
  /** @returns the job's id; null if the queue's policy already holds one with that key */
  send(name: string, data: object, options?: SendOptions): Promise<string | null>
  /**
   * Sends jobs of many groups, up to `perGroup` open ones for each; the rest is left for later. A group's first ones are preferred. @param
   * ending a job that is about to end, and no longer counts
   * @returns how many were sent
   */
  sendFairly(name: string, jobs: readonly GroupJob[], perGroup: number, ending?: string): Promise<number>
  /** How many jobs of a group wait or run, without the one about to end. */
  openJobs(name: string, group: string, ending?: string): Promise<number>
  /** Whether another group's job is among the next to run. */
  othersWait(name: string, group: string): Promise<boolean>
  /** Runs a queue's jobs. If the handler throws, the job fails and is retried. */
  work<T extends object>(name: string, options: WorkOptions, handler: (job: Job<T>) => Promise<void>): Promise<void>
  /** Sends an empty job to `name` whenever `cron` is due in time zone `tz`; calling it again changes the schedule. */
  schedule(name: string, cron: string, tz: string): Promise<void>
  unschedule(name: string): Promise<void>
  /** Takes no more jobs, gives running ones `graceMs` to end (aborting their signal), then hands them back. */
  close(graceMs?: number): Promise<void>
}

export type QueueOptions = {
  url: string
  log: Log
  /** Whether this process runs jobs and schedules, or only sends jobs. */
  worker: boolean
  /** False: runs jobs, but sends none by schedule. */
  schedules?: boolean | undefined
  /** No other process can be using this database: active jobs belong to a dead process, and are run again at once. */
  alone?: boolean
}

const SCHEMA = 'jobs'
const POLL_SECONDS = 0.5
/** Fallback for PostgreSQL's notifications, which wake the workers. */
const NOTIFIED_POLL_SECONDS = 5
/** The shortest pg-boss allows: a dead process's job is run again after about this time. */
const HEARTBEAT_SECONDS = 10
/** pg-boss's own queue for scheduled jobs. It has no heartbeat: an interrupted one is run again after its timeout. */
const SENDING_QUEUE = '__pgboss__send-it'
const SENDING_SECONDS = 30
const DEFAULT_GRACE = 10_000
const working = {
  pollingIntervalSeconds: POLL_SECONDS,
  notifyPollingIntervalSeconds: NOTIFIED_POLL_SECONDS,
  localConcurrency: 1,
  heartbeatRefreshSeconds: 3,
}

/** Opens the job queue on the database at `url`, with a few connections of its own. */
export async function openQueue({ url, log, worker, schedules: sends = worker, alone = false }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    schema: SCHEMA,
    application_name: 'ranklark-jobs',
    max: worker ? 4 : 2,
    supervise: worker,
    schedule: worker && sends,
    useListenNotify: worker,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    clockMonitorIntervalSeconds: 600,
    persistWarnings: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'job queue error'))
  boss.on('warning', (warning) => log.debug({ warning }, 'job queue warning'))
  await boss.start()
  if (worker) await boss.updateQueue(SENDING_QUEUE, { expireInSeconds: SENDING_SECONDS })
  await prepare(boss, log, worker && alone)
  const stopping = new AbortController()
  const worked = new Set<string>()
  const executeWith =
    (db: { executeSql: Execute }): Execute =>
    (sql, values) =>
      db.executeSql(sql, values)
  const order = createQueueOrder(executeWith(boss.getDb()), SCHEMA)

  let stored: ReturnType<typeof storedQueues> | undefined
  let planned: ReturnType<typeof storedSchedules> | undefined
  const storedSchedules = async () =>
    new Map((await boss.getSchedules()).map(({ name, cron, timezone }) => [name, { cron, timezone }] as const))
  const storedQueues = async () =>
    new Map<string, Record<string, unknown>>((await boss.getQueues()).map((queue) => [queue.name, { ...queue }]))

  /** The jobs that their group has places for, each with its turn. */
  async function placed(name: string, jobs: ReadonlyMap<string, readonly GroupJob[]>, perGroup: number, ending = null as string | null) {
    const groups = [...jobs.keys()]
    const found = await order.jobsOf(name, groups, { ending })
    const known = await order.keys(name, groups, { ending })
    return found.flatMap(({ group, turn, jobs: count }) =>
      (jobs.get(group) ?? [])
        .filter(({ singletonKey }) => !known.has(singletonKey))
        .slice(0, Math.max(0, perGroup - count))
        .map(({ data, singletonKey }, at) => ({ data, singletonKey, priority: -(turn + at), group: { id: group } })),
    )
  }

  return {
    async defineQueue(name, options = {}) {
      const definition = { heartbeatSeconds: HEARTBEAT_SECONDS, notify: true, ...options }
      // At a start nearly all of them are up to date: one query instead of three statements for each.
      const queues = await (stored ??= storedQueues())
      const known = queues.get(name)
      // An existing queue's policy can't change.
      const { policy: _policy, ...changeable } = definition
      if (known && Object.entries(changeable).every(([option, value]) => known[option] === value)) return
      if (!known) await boss.createQueue(name, definition)
      await boss.updateQueue(name, changeable)
      queues.set(name, { ...known, ...changeable })
    },
    async send(name, data, { transaction, group, urgent = false, ...options } = {}) {
      const db = transaction && fromKysely(transaction)
      const through = db ? { db } : {}
      if (group === undefined) return boss.send(name, data, { ...options, ...through })
      const own = db ? createQueueOrder(executeWith(db), SCHEMA) : order
      const [found] = await own.jobsOf(name, [group], { urgent })
      const turn = found?.turn ?? 0
      const place = { priority: -turn, group: { id: group, ...(urgent && { tier: 'urgent' }) } }
      const id = await boss.send(name, data, { ...options, ...place, ...through })
      if (id === null && urgent && options.singletonKey !== undefined) await own.hasten(name, options.singletonKey, turn)
      return id
    },
    async sendFairly(name, jobs, perGroup, ending) {
      let sent = 0
      for (const some of groupsOf(jobs)) {
        const fitting = await placed(name, some, perGroup, ending)
        if (fitting.length > 0) sent += (await boss.insert(name, fitting, { returnId: true }))?.length ?? 0
      }
      return sent
    },
    async openJobs(name, group, ending) {
      const [found] = await order.jobsOf(name, [group], { ending: ending ?? null })
      return found?.jobs ?? 0
    },
    othersWait: (name, group) => order.othersWait(name, group),
    async work<T extends object>(
      name: string,
      { concurrency = 1, onePerGroup = false }: WorkOptions,
      handler: (job: Job<T>) => Promise<void>,
    ) {
      worked.add(name)
      // pg-boss counts a group's jobs in all lanes of a queue.
      const options = { ...working, ...(onePerGroup && { localGroupConcurrency: 1 }) }
      for (let place = 0; place < concurrency; place += 1) {
        let lane: string | undefined
        lane = await boss.work<T>(name, options, async (jobs: BossJob<T>[]) => {
          try {
            for (const job of jobs) {
              await handler({ id: job.id, data: job.data, signal: AbortSignal.any([job.signal, stopping.signal]) })
            }
          } finally {
            // Others may be waiting that it was notified of earlier: otherwise it would only look at its next poll.
            if (lane !== undefined) boss.notifyWorker(lane)
          }
        })
      }
    },
    async schedule(name, cron, tz) {
      const schedules = await (planned ??= storedSchedules())
      const known = schedules.get(name)
      if (known?.cron === cron && known.timezone === tz) return
      await boss.schedule(name, cron, {}, { tz })
      schedules.set(name, { cron, timezone: tz })
    },
    async unschedule(name) {
      const schedules = await planned
      schedules?.delete(name)
      await boss.unschedule(name)
    },
    async close(graceMs = DEFAULT_GRACE) {
      stopping.abort(new ServerStops('The server is stopping'))
      // pg-boss itself would look every half second whether the last job has ended.
      const ended = Promise.all([...worked].map((name) => boss.offWork(name)))
      const patience = new AbortController()
      await Promise.race([ended, sleep(graceMs, undefined, { signal: patience.signal }).catch(() => {})])
      patience.abort()
      await boss.stop({ graceful: false })
    },
  }
}

/** Groups looked up in one statement. */
const groupsAtOnce = 500

function groupsOf(jobs: readonly GroupJob[]): Map<string, GroupJob[]>[] {
  const groups = [...Map.groupBy(jobs, ({ group }) => group)]
  return Array.from(
    { length: Math.ceil(groups.length / groupsAtOnce) },
    (_, i) => new Map(groups.slice(i * groupsAtOnce, (i + 1) * groupsAtOnce)),
  )
}

/** In addition to pg-boss's own tables: the index for the order of jobs, created once; and jobs that nobody can be working on anymore. */
async function prepare(boss: PgBoss, log: Log, takeBack: boolean): Promise<void> {
  const db = boss.getDb()
  // PostgreSQL runs statements sent together, without parameters, in one transaction.
  await db.executeSql(`SELECT pg_advisory_xact_lock(${lockNumber("'ranklark job index'")}); ${queueOrderIndex(SCHEMA)}`)
  if (takeBack) await takeBackAbandoned(db, log)
}

async function takeBackAbandoned(db: ReturnType<PgBoss['getDb']>, log: Log): Promise<void> {
  const { rows } = await db.executeSql(
    `UPDATE ${SCHEMA}.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL WHERE state = 'active' RETURNING id`,
  )
  if (rows.length > 0) log.info({ jobs: rows.length }, 'requeued jobs left by an earlier server')
}
