import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createVisitor } from '../test/support/visitor.ts'
import { throughConsent } from '../test/support/consent.ts'
import { openSql, type Sql } from '../test/support/stores.ts'
import { until } from '../test/support/until.ts'
import { askedOf } from './google-calls.ts'
import { growthOfLastHalf, sampleMemory } from './load-memory.ts'
import type { LoadAnswer, LoadOrder, Reader } from './load-generator.ts'
import { awaitAlerts, evaluateAll, makeCrowd } from './load-people.ts'
import { cpuBetween, usageOf } from './processes.ts'
import { type BenchServer, startServerProcess, withGoogle } from './server-process.ts'
import { type Figure, root, scratchDir, type StandIn, startStandIn } from './support.ts'
import { largeProperty } from './sync.ts'

const people = Number(process.env['BENCH_PEOPLE'] ?? 200)
const propertiesEach = 3
const warmSeconds = 15
const readSeconds = 60
/** Requests per second, whether answered or not: more than the target demands. */
const askedPerSecond = 850
/** An hour of users who each look at a dashboard every ten seconds, within five minutes: 200 × 360 × 3 requests. */
const soakSeconds = Number(process.env['BENCH_SOAK_SECONDS'] ?? 300)
const dashboardsAnHour = 360
const requestsOfDashboard = 3
const mostAtOnce = 500_000
const patienceMs = 300_000
/** Pause between two evaluations of everything. */
const evaluateEveryMs = 5_000

/** Many users reading their dashboards, with the generator and the Google stand-in in processes beside the server. */
export async function benchLoad(): Promise<Figure[]> {
  const standIn = await startStandIn()
  const scratch = await scratchDir()
  let server: BenchServer | undefined
  let store: Awaited<ReturnType<typeof openSql>> | undefined
  try {
    console.error(`  ${people} people arrive, and their ${people * propertiesEach} properties are filled …`)
    const readers = await makeCrowd(scratch.dir, standIn, { people, propertiesEach })
    server = await startServerProcess({ ...withGoogle(standIn), DATA_DIR: scratch.dir })
    store = await openSql(scratch.dir)
    await awaitAlerts(scratch.dir, store.sql, readers, patienceMs)
    const at = { server, readers }
    await measure(at, { seconds: warmSeconds, perSecond: null })

    console.error('  reading as fast as responses arrive …')
    const most = await measure(at, { seconds: readSeconds / 2, perSecond: null })
    console.error(`  reading, ${askedPerSecond} requests a second …`)
    const quiet = await measure(at, { seconds: readSeconds, perSecond: askedPerSecond })
    console.error('  reading while a backfill and evaluations run …')
    const busy = await whileWorking({ ...at, standIn, dataDir: scratch.dir, store: store.sql }, () =>
      measure(at, { seconds: readSeconds, perSecond: null }),
    )
    console.error('  an hour of it in five minutes …')
    const memory = sampleMemory(server.pid)
    const soak = await measure(at, {
      seconds: soakSeconds,
      perSecond: (people * dashboardsAnHour * requestsOfDashboard) / 300,
    })
    return [readFigure(quiet, most), busyFigure(busy), lagFigure([quiet, busy.load, soak]), memoryFigure(soak, memory.stop())]
  } finally {
    await store?.close()
    await server?.stop()
    standIn.stop()
    await scratch.remove()
  }
}

type Loaded = LoadAnswer & { lagP99: number }
type At = { server: BenchServer; readers: Reader[] }

/** One load from its own process, with the server's own metrics and resource usage during it. */
async function measure({ server, readers }: At, { seconds, perSecond }: { seconds: number; perSecond: number | null }): Promise<Loaded> {
  const before = await usageOf(server.pid)
  // prom-client's histogram of event loop delay resets with every read.
  await eventLoopDelay(server.url)
  const generator = fork(path.join(root, 'bench/load-generator.ts'))
  const order: LoadOrder = { url: server.url, readers, seconds, perSecond, most: mostAtOnce, checkEvery: 10 }
  generator.send(order)
  const [answer] = (await Promise.race([
    once(generator, 'message'),
    once(generator, 'exit').then(([code]) => {
      throw new Error(`The load generator ended with ${String(code)}`)
    }),
  ])) as [LoadAnswer]
  const lagP99 = await eventLoopDelay(server.url)
  const { server: serverCpu, postgres: postgresCpu } = cpuBetween(before, await usageOf(server.pid))
  for (const error of answer.firstErrors) console.error(`    ${error}`)
  const ms = (cpu: number): string => ((cpu * 1_000) / answer.requests).toFixed(2)
  console.error(
    `    ${answer.requests} requests, ${answer.perSecond.toFixed(0)}/s, p50 ${answer.p50.toFixed(0)} ms, p99 ${answer.p99.toFixed(0)} ms, ${answer.errors} errors; CPU time of each: server ${ms(serverCpu)} ms, PostgreSQL ${ms(postgresCpu)} ms, generator ${ms(answer.cpu)} ms`,
  )
  return { ...answer, lagP99 }
}

/** Milliseconds, p99 since the last read; Node's measure, which includes the 10 ms between two of its own ticks. */
async function eventLoopDelay(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]
  if (seconds === undefined) throw new Error('The server does not report its event loop delay')
  return Number(seconds) * 1_000
}

/** `calls`: how often Google was asked for the large property meanwhile; `left`: its days still to fetch afterwards. */
type Busy = { load: Loaded; evaluations: number; calls: number; left: number }
type Work = At & { standIn: StandIn; dataDir: string; store: Sql }

/** Fetches a large property's sixteen months, while every property is evaluated over and over. */
async function whileWorking({ server, standIn, dataDir, store }: Work, reading: () => Promise<Loaded>): Promise<Busy> {
  const site = largeProperty.name
  const owner = createVisitor(() => server.url)
  await throughConsent(owner, { account: largeProperty.account })
  await store(`UPDATE people SET plan = 'agency', plan_chosen_at = now() WHERE user_id = (SELECT id FROM users WHERE email = $1)`, [
    largeProperty.account,
  ])
  await owner.send('POST', '/api/gsc-properties/select', { selectedProperty: site })
  const daysLeft = async (): Promise<number> => Number((await store<{ left: string }>(leftOf, [site]))[0]?.left ?? -1)
  await until(daysLeft, (left) => left > 0, patienceMs)
  const before = await askedOf(standIn)
  const enough = new AbortController()
  let evaluations = 0
  async function evaluateRepeatedly(): Promise<void> {
    for (; !enough.signal.aborted; evaluations += 1) {
      await evaluateAll(dataDir, store, patienceMs)
      await sleep(evaluateEveryMs, undefined, { signal: enough.signal }).catch(() => {})
    }
  }
  const [loaded] = await Promise.all([reading().finally(() => enough.abort()), evaluateRepeatedly()])
  const calls = (await askedOf(standIn)).search - before.search
  const left = await daysLeft()
  // Stopped, so that what follows is reading alone.
  await store('UPDATE properties SET monitored = false WHERE name = $1', [site])
  await until(
    async () =>
      (
        await store(
          'SELECT 1 FROM property_syncs s JOIN properties p ON p.id = property_id WHERE name = $1 AND running_until IS NOT NULL',
          [site],
        )
      ).length,
    (running) => running === 0,
    patienceMs,
  )
  return { load: loaded, evaluations, calls, left }
}

const leftOf = `SELECT coalesce(t.backfilled_from - t.backfill_to, 0) AS left FROM search_type_syncs t JOIN properties p ON p.id = t.property_id
  WHERE p.name = $1 AND t.search_type = 'web'`

const clean = ({ errors, checked }: LoadAnswer): boolean => errors === 0 && checked > 0
const summaryOf = ({ requests, checked, errors, p50, p99 }: LoadAnswer): string =>
  `${requests.toLocaleString('en')} requests, ${checked.toLocaleString('en')} answers compared, ${errors} errors, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`

/** Latency under a given load; at full speed, each request waits for those of all others. */
function readFigure(load: Loaded, most: Loaded): Figure {
  return {
    what: `session, metrics and alerts read by ${people} people with ${propertiesEach} properties each, ${askedPerSecond} requests a second, measured from when they are due (${summaryOf(load)}); at full speed: ${most.perSecond.toFixed(0)} requests/s, p99 ${most.p99.toFixed(0)} ms`,
    value: `${load.perSecond.toFixed(0)} requests/s, p99 ${load.p99.toFixed(0)} ms`,
    bar: '≥ 800 requests/s, p99 ≤ 250 ms, no errors',
    met: load.perSecond >= 800 && load.p99 <= 250 && clean(load) && most.errors === 0,
  }
}

function busyFigure({ load, evaluations, calls, left }: Busy): Figure {
  const isBackfilling = calls > 0 && left > 0
  return {
    what: `the same, at full speed, while a large property is backfilled (${calls} Google calls${left > 0 ? '' : ' (already finished)'}) and all properties are evaluated ${evaluations}× (${summaryOf(load)})`,
    value: `${load.perSecond.toFixed(0)} requests/s, p99 ${load.p99.toFixed(0)} ms`,
    bar: 'p99 ≤ 500 ms, no errors',
    met: load.p99 <= 500 && clean(load) && isBackfilling && evaluations > 0,
  }
}

function lagFigure(loads: readonly Loaded[]): Figure {
  const delays = loads.map(({ lagP99 }) => lagP99)
  const worst = Math.max(...delays)
  return {
    what: `event loop delay in the server, p99, meanwhile (${delays.map((delay) => delay.toFixed(0)).join(', ')} ms: reading, with background work, an hour's worth)`,
    value: `${worst.toFixed(0)} ms`,
    bar: '≤ 50 ms',
    met: worst <= 50,
  }
}

function memoryFigure(load: Loaded, samples: readonly number[]): Figure {
  const growth = growthOfLastHalf(samples)
  const [first = Number.NaN] = samples
  return {
    what: `memory of the server over an hour's worth of dashboards, one every ten seconds for each of ${people} people, in ${soakSeconds} s (${summaryOf(load)}; ${first.toFixed(0)} MiB at the start, ${(samples.at(-1) ?? Number.NaN).toFixed(0)} MiB at the end): growth over the last half`,
    value: `${(growth * 100).toFixed(1)} %`,
    bar: '≤ 5 %',
    met: growth <= 0.05 && samples.length >= 10 && clean(load),
  }
}
