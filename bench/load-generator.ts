import { createHistogram, performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { alerts } from '../src/contract/alerts/alerts.ts'
import { metrics } from '../src/contract/metrics.ts'
import { session } from '../src/contract/user.ts'
import { connectTo, type HttpConnection } from './http-connection.ts'

/** A user who reads dashboards, and what the responses must contain. */
export type Reader = {
  cookie: string
  username: string
  /** Where a proxy would say they come from. */
  address: string
  properties: { name: string; expected?: Expected }[]
}

type Expected = { clicks: number; impressions: number; alerts: number }

export type LoadOrder = {
  url: string
  readers: Reader[]
  seconds: number
  /** Total requests per second; null: each user repeats as soon as they have their answer. */
  perSecond: number | null
  /** Maximum number of requests. */
  most: number
  /** One in this many answers is read and compared with the expected content; null: none. */
  checkEvery: number | null
}

export type LoadAnswer = {
  requests: number
  perSecond: number
  /** Broken connections, answers other than 200, and wrong content. */
  errors: number
  firstErrors: string[]
  checked: number
  /** Milliseconds; with a pace, from the scheduled time of the request. */
  p50: number
  p95: number
  p99: number
  max: number
  /** This process's own CPU time, in seconds. */
  cpu: number
}

const askFor = [
  { path: () => '/api/auth/session', check: checkSession },
  { path: (name: string) => `/api/metrics?property=${encodeURIComponent(name)}`, check: checkMetrics },
  { path: (name: string) => `/api/alerts?property=${encodeURIComponent(name)}`, check: checkAlerts },
] as const

/** Each reader requests session, metrics and alerts of their properties over their own connection, until the time is up. */
export async function runLoad(order: LoadOrder): Promise<LoadAnswer> {
  const { readers, seconds, perSecond, most, checkEvery } = order
  const taken = createHistogram()
  const errors: string[] = []
  let [requests, checked, failed] = [0, 0, 0]
  const begun = performance.now()
  const end = begun + seconds * 1_000
  const cpuBefore = process.cpuUsage()
  const gap = perSecond === null ? 0 : (readers.length / perSecond) * 1_000

  function note(problem: string): void {
    failed += 1
    if (errors.length < 5) errors.push(problem)
  }

  async function read(reader: Reader, at: number): Promise<void> {
    let connection: HttpConnection | undefined
    // Not all at once: people don't come in step.
    const first = begun + (gap === 0 ? 1_000 : gap) * (at / readers.length)
    for (let turn = 0; requests < most; turn += 1) {
      const due = gap === 0 && turn > 0 ? performance.now() : first + turn * gap
      if (due >= end) break
      if (due > performance.now()) await sleep(due - performance.now())
      if (performance.now() >= end) break
      const property = reader.properties[Math.floor(turn / askFor.length) % reader.properties.length]
      const question = askFor[turn % askFor.length]
      if (!property || !question) throw new Error('A reader needs a property')
      requests += 1
      try {
        connection ??= await connectTo(order.url)
        const headers = { cookie: reader.cookie, 'x-forwarded-for': reader.address }
        const { status, body } = await connection.get(question.path(property.name), headers)
        taken.record(Math.max(1, Math.round((performance.now() - due) * 1_000)))
        if (status !== 200) note(`${question.path(property.name)}: ${status} ${body.toString('utf8', 0, 200)}`)
        else if (checkEvery !== null && (turn + at) % checkEvery === 0) {
          checked += 1
          const wrong = question.check(JSON.parse(body.toString('utf8')), reader, property)
          if (wrong !== null) note(`${question.path(property.name)} for ${reader.username}: ${wrong}`)
        }
      } catch (error) {
        note(`${question.path(property.name)}: ${error instanceof Error ? error.message : String(error)}`)
        connection?.close()
        connection = undefined
      }
    }
    connection?.close()
  }

  await Promise.all(readers.map(read))
  const wall = (performance.now() - begun) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    requests,
    perSecond: requests / wall,
    errors: failed,
    firstErrors: errors,
    checked,
    p50: taken.percentile(50) / 1_000,
    p95: taken.percentile(95) / 1_000,
    p99: taken.percentile(99) / 1_000,
    max: taken.max / 1_000,
    cpu: (user + system) / 1e6,
  }
}

type Property = Reader['properties'][number]

function checkSession(body: unknown, { username }: Reader): string | null {
  const answer = session.parse(body)
  return answer.user?.username === username ? null : `the session of ${String(answer.user?.username)}`
}

function checkMetrics(body: unknown, _reader: Reader, { name, expected }: Property): string | null {
  const answer = metrics.parse(body)
  const found = [answer.property, answer.clicks, answer.impressions]
  const wanted = [name, expected?.clicks, expected?.impressions]
  return JSON.stringify(found) === JSON.stringify(wanted) ? null : `${found.join(', ')} instead of ${wanted.join(', ')}`
}

function checkAlerts(body: unknown, _reader: Reader, { name, expected }: Property): string | null {
  const list = alerts.parse(body)
  const foreign = list.find((alert) => alert.target !== name)
  if (foreign) return `an alert of ${foreign.target}`
  return list.length === expected?.alerts ? null : `${list.length} alerts instead of ${expected?.alerts}`
}

// As a separate process it takes one order and sends its result.
if (import.meta.main) {
  process.once('message', (order: LoadOrder) => {
    void runLoad(order).then((answer) => process.send?.(answer, () => process.exit(0)))
  })
  // The parent is gone.
  process.on('disconnect', () => process.exit(1))
}
