import pg from 'pg'
import { fromKysely, type Job as BossJob, PgBoss } from 'pg-boss'
import type { Log } from './log.ts'
import { createTurns, type Execute, turnsIndex } from './queue-turns.ts'

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
  /** Whose it is: groups take turns (queue-turns.ts). Either all jobs of a queue have one or none. */
  group?: string
  /** Goes before what else its group has waiting, but not before its turn. One of its key that waits is hastened. */
  urgent?: boolean
  /** Sends with the caller's transaction: the job exists only if that commits. */
  transaction?: Transaction
}

/** Why the signal of a job is aborted when the server stops; when the job's own time is up, the reason is another. */
export class ServerStops extends Error {
  override name = 'ServerStops'
}

/** A job that waits in its group's line. */
export type LineJob = { group: string; singletonKey: string; data: object }

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
  /**
   * Sends jobs of many groups, as far as none has more than `perGroup` in line; the rest is left out, to be sent later.
   * The first ones of a group are preferred. @param ending a job that is about to end, and no longer counts
   * @returns how many were sent
   */
  sendInLine(name: string, jobs: readonly LineJob[], perGroup: number, ending?: string): Promise<number>
  /** How many jobs of a group wait or run, the one that is about to end left out. */
  inLine(name: string, group: string, ending?: string): Promise<number>
  /** Whether a job of another group is among the next to be taken. */
  othersWait(name: string, group: string): Promise<boolean>
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
  /** False: it runs jobs, but sends none by schedule. */
  schedules?: boolean | undefined
  /** No other process can be working on this database: jobs found active belong to a process that died, and run again at once. */
  alone?: boolean
}

const SCHEMA = 'jobs'
const POLL_SECONDS = 0.5
/** Backstop while PostgreSQL's notifications wake the workers. */
const NOTIFIED_POLL_SECONDS = 5
/** The shortest pg-boss allows: a job of a process that died is run again within about this time. */
const HEARTBEAT_SECONDS = 10
/** pg-boss's own queue of what schedules send. It knows no heartbeat: one that is broken off is run again when its time is up. */
const SENDING_QUEUE = '__pgboss__send-it'
const SENDING_SECONDS = 30
const DEFAULT_GRACE = 10_000
const working = {
  pollingIntervalSeconds: POLL_SECONDS,
  notifyPollingIntervalSeconds: NOTIFIED_POLL_SECONDS,
  localConcurrency: 1,
  heartbeatRefreshSeconds: 3,
}

/** Opens the job queue on the database at `url`, with its own few connections. */
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
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue met an error'))
  boss.on('warning', (warning) => log.debug({ warning }, 'the job queue warns'))
  await boss.start()
  if (worker) await boss.updateQueue(SENDING_QUEUE, { expireInSeconds: SENDING_SECONDS })
  await prepare(url, log, worker && alone)
  const stopping = new AbortController()
  const executeWith =
    (db: { executeSql: Execute }): Execute =>
    (sql, values) =>
      db.executeSql(sql, values)
  const turns = createTurns(executeWith(boss.getDb()), SCHEMA)

  let stored: ReturnType<typeof storedQueues> | undefined
  let planned: ReturnType<typeof storedSchedules> | undefined
  const storedSchedules = async () =>
    new Map((await boss.getSchedules()).map(({ name, cron, timezone }) => [name, { cron, timezone }] as const))
  const storedQueues = async () =>
    new Map<string, Record<string, unknown>>((await boss.getQueues()).map((queue) => [queue.name, { ...queue }]))

  /** Those that find a place in the line of their group, each with its turn. */
  async function placed(name: string, jobs: ReadonlyMap<string, readonly LineJob[]>, perGroup: number, ending = null as string | null) {
    const groups = [...jobs.keys()]
    const lines = await turns.lines(name, groups, { ending })
    const known = await turns.keys(name, groups, { ending })
    return lines.flatMap(({ group, turn, jobs: count }) =>
      (jobs.get(group) ?? [])
        .filter(({ singletonKey }) => !known.has(singletonKey))
        .slice(0, Math.max(0, perGroup - count))
        .map(({ data, singletonKey }, at) => ({ data, singletonKey, priority: -(turn + at), group: { id: group } })),
    )
  }

  return {
    async defineQueue(name, options = {}) {
      const definition = { heartbeatSeconds: HEARTBEAT_SECONDS, notify: true, ...options }
      // A start finds nearly all of them as they are to be: one look instead of three statements for each.
      const queues = await (stored ??= storedQueues())
      const known = queues.get(name)
      // Of an existing one the policy cannot change.
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
      const own = db ? createTurns(executeWith(db), SCHEMA) : turns
      const [line] = await own.lines(name, [group], { urgent })
      const turn = line?.turn ?? 0
      const place = { priority: -turn, group: { id: group, ...(urgent && { tier: 'urgent' }) } }
      const id = await boss.send(name, data, { ...options, ...place, ...through })
      if (id === null && urgent && options.singletonKey !== undefined) await own.hasten(name, options.singletonKey, turn)
      return id
    },
    async sendInLine(name, jobs, perGroup, ending) {
      let sent = 0
      for (const some of groupsOf(jobs)) {
        const fitting = await placed(name, some, perGroup, ending)
        if (fitting.length > 0) sent += (await boss.insert(name, fitting, { returnId: true }))?.length ?? 0
      }
      return sent
    },
    async inLine(name, group, ending) {
      const [line] = await turns.lines(name, [group], { ending: ending ?? null })
      return line?.jobs ?? 0
    },
    othersWait: (name, group) => turns.othersWait(name, group),
    async work<T extends object>(name: string, { concurrency = 1 }: { concurrency?: number }, handler: (job: Job<T>) => Promise<void>) {
      for (let place = 0; place < concurrency; place += 1) {
        let lane: string | undefined
        lane = await boss.work<T>(name, working, async (jobs: BossJob<T>[]) => {
          try {
            for (const job of jobs) {
              await handler({ id: job.id, data: job.data, signal: AbortSignal.any([job.signal, stopping.signal]) })
            }
          } finally {
            // Others may be waiting of which it was told before: without this it would next look at its poll.
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
      await boss.stop({ graceful: true, timeout: graceMs })
    },
  }
}

/** Groups whose lines are looked up in one statement. */
const groupsAtOnce = 500

function groupsOf(jobs: readonly LineJob[]): Map<string, LineJob[]>[] {
  const groups = [...Map.groupBy(jobs, ({ group }) => group)]
  return Array.from(
    { length: Math.ceil(groups.length / groupsAtOnce) },
    (_, i) => new Map(groups.slice(i * groupsAtOnce, (i + 1) * groupsAtOnce)),
  )
}

/** Beside pg-boss's own tables: the index of the turns, made once; and jobs that nobody can be working on any more. */
async function prepare(url: string, log: Log, takeBack: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`SELECT pg_advisory_lock(hashtextextended('ranklark job index', 0))`)
    await client.query(turnsIndex(SCHEMA))
    await client.query(`SELECT pg_advisory_unlock_all()`)
    if (takeBack) await takeBackAbandoned(client, log)
  } finally {
    await client.end()
  }
}

async function takeBackAbandoned(client: pg.Client, log: Log): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE ${SCHEMA}.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL WHERE state = 'active'`,
  )
  if (rowCount) log.info({ jobs: rowCount }, 'jobs of an earlier server run again')
}
