import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { pacificDay } from '../src/core/analytics/days.ts'
import { openSql, type Sql } from '../test/support/stores.ts'
import { sendJob } from '../test/support/jobs.ts'
import { type Asked, askedOf } from './google-calls.ts'
import { evaluateAll } from './load-people.ts'
import { cpuBetween, usageOf } from './processes.ts'
import { readDashboards, type Reads } from './scale-reads.ts'
import { type Kept, keptIn } from './scale-stores.ts'
import { fillPeople, filledSites } from './scale-people.ts'
import { rowsAtGoogle } from './scale-rows.ts'
import { type BenchServer, startServerProcess, withGoogle } from './server-process.ts'
import { scratchDir, type StandIn, startStandIn } from './support.ts'
import { allSynced, makeSyncedPeople, propertiesOf } from './synced-people.ts'

type StepOptions = {
  properties: number
  /** Days of history. */
  days: number
  /** Whether the real sync fetches the history; otherwise it is filled in. */
  fetched: boolean
  /** Time limit of the daily round; whatever is left then isn't done. */
  roundSeconds: number
  /** How long the server is observed while nothing is due. */
  idleSeconds: number
  /** How long dashboards are read. */
  readSeconds: number
}

/** Seconds of CPU time of the server and of PostgreSQL, and by the clock. */
export type Cost = { server: number; postgres: number; wall: number }

export type Step = StepOptions & {
  people: number
  /** Only if the history was fetched. */
  backfill: (Cost & { asked: Asked }) | null
  /** One check for new days of every property, and what follows from them; `done` of them finished. */
  round: Cost & { asked: Asked; done: number }
  /** Evaluating the rules of all properties. */
  evaluation: Cost
  /** While nothing is due; null if not observed. */
  idle: (Cost & { looks: { name: string; ms: number }[] }) | null
  startMs: number
  /** MiB after the round. */
  memory: { server: number; all: number }
  reads: Reads
  kept: Kept
  /** Google's rows for the same final days, by the stand-in's count; only if everything was fetched. */
  atGoogle: number | null
}

const propertiesEach = 5
const patienceMs = 600_000
const dayMs = 86_400_000

/** All measurements for one number of properties, on fresh stores. */
export async function measureStep(options: StepOptions): Promise<Step> {
  const { properties, days, fetched } = options
  const people = Math.ceil(properties / propertiesEach)
  const population = {
    people,
    propertiesEach: Math.min(properties, propertiesEach),
    days,
    plan: 'pro',
    sites: fetched ? Infinity : filledSites,
  } as const
  const standIn = await startStandIn()
  const scratch = await scratchDir()
  const start = () => startServerProcess({ ...withGoogle(standIn), DATA_DIR: scratch.dir })
  try {
    // Google's figures of yesterday; the current ones come with the daily round.
    await standIn.control('PUT', 'today', { today: new Date(Date.now() - dayMs).toISOString() })
    if (!fetched) await fillPeople(scratch.dir, standIn, population)
    const server = await start()
    const run: Run = { server, standIn, dataDir: scratch.dir, ...(await openSql(scratch.dir)) }
    let measured
    try {
      const backfill = fetched ? await measureBackfill(run, population) : null
      await evaluateAll(run.dataDir, run.sql, patienceMs)
      await atRest(run.sql)
      const idle = options.idleSeconds > 0 ? await measureIdle(run, options.idleSeconds) : null
      const evaluation = await costOf(server, () => evaluateAll(run.dataDir, run.sql, patienceMs))
      const round = await measureRound(run, options.roundSeconds)
      const { serverMemory, memory } = await usageOf(server.pid)
      measured = { backfill, idle, evaluation, round, memory: { server: serverMemory, all: memory } }
    } finally {
      await run.close()
      await server.stop()
    }
    const isWhole = fetched && measured.round.done === properties
    const names = Array.from({ length: people }, (_, number) => propertiesOf(number, population.propertiesEach)).flat()
    const given = isWhole ? await rowsAtGoogle(standIn, names, days) : null
    const kept = await keptIn(scratch.dir, given?.through ?? pacificDay(new Date()))
    const again = await start()
    try {
      const reads = await readDashboards(again.url, population, options.readSeconds)
      return { ...options, people, ...measured, kept, atGoogle: given?.rows ?? null, startMs: again.startMs, reads }
    } finally {
      await again.stop()
    }
  } finally {
    standIn.stop()
    await scratch.remove()
  }
}

type Run = { server: BenchServer; standIn: StandIn; dataDir: string; sql: Sql; close(): Promise<void> }

async function costOf(server: BenchServer, work: () => Promise<unknown>): Promise<Cost> {
  const begun = performance.now()
  const before = await usageOf(server.pid)
  await work()
  return { ...cpuBetween(before, await usageOf(server.pid)), wall: (performance.now() - begun) / 1_000 }
}

async function measureBackfill({ server, standIn, sql }: Run, population: Parameters<typeof makeSyncedPeople>[1]) {
  const cost = await costOf(server, async () => {
    await makeSyncedPeople({ url: server.url, sql, control: standIn.control }, population)
    await allSynced(sql, patienceMs, (left) => console.error(`    ${left} properties are still being fetched …`))
  })
  return { ...cost, asked: await askedOf(standIn) }
}

/** A day has passed at Google, and every property is due. */
async function measureRound({ server, standIn, dataDir, sql }: Run, seconds: number) {
  await standIn.control('PUT', 'today', { today: null })
  await standIn.control('DELETE', 'requests')
  await sql(`UPDATE property_syncs SET last_synced_at = now() - interval '1 day'`)
  const left = async (): Promise<number> => Number((await sql<{ left: string }>(notSynced))[0]?.left)
  const properties = await left()
  const end = performance.now() + seconds * 1_000
  const cost = await costOf(server, async () => {
    await sendJob(dataDir, 'sync-due')
    while ((await left()) > 0 && performance.now() < end) await sleep(500)
  })
  const done = properties - (await left())
  const asked = await askedOf(standIn)
  // What wasn't reached isn't measured: none of it is due anymore.
  await sql(`UPDATE property_syncs SET last_synced_at = now() WHERE last_synced_at < now() - interval '1 hour'`)
  await sql(`DELETE FROM jobs.job WHERE name = 'sync-slice' AND state IN ('created', 'retry')`)
  await atRest(sql)
  return { ...cost, asked, done }
}

const notSynced = `SELECT count(*) AS left FROM property_syncs WHERE last_synced_at < now() - interval '1 hour' OR running_until IS NOT NULL`

/** Waits until no job is running or about to. */
async function atRest(sql: Sql): Promise<void> {
  const end = performance.now() + 120_000
  const busy = `SELECT 1 FROM jobs.job WHERE state = 'active' OR (state IN ('created', 'retry') AND start_after <= now()) LIMIT 1`
  while ((await sql(busy)).length > 0 && performance.now() < end) await sleep(500)
}

const look = z.object({ name: z.string(), ms: z.coerce.number() })

async function measureIdle({ server, sql }: Run, seconds: number) {
  const cost = await costOf(server, () => sleep(seconds * 1_000))
  const looks = await sql(
    `SELECT name, percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM completed_on - started_on)) * 1000 AS ms
     FROM jobs.job WHERE state = 'completed' AND name IN ('sync-due', 'alerts-due', 'delivery-due') AND started_on > now() - make_interval(secs => $1)
     GROUP BY name ORDER BY name`,
    [seconds],
  )
  return { ...cost, looks: z.array(look).parse(looks) }
}
