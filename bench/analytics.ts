import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addDays, pacificDay } from '../src/core/analytics/days.ts'
import { parseConfig } from '../src/server/config.ts'
import { createLog } from '../src/server/platform/log.ts'
import { openStores } from '../src/server/stores/stores.ts'
import { residentOf } from './processes.ts'
import { startServerProcess } from './server-process.ts'
import { type Figure, percentile, scratchDir, startStandIn } from './support.ts'
import { benchSync, largeProperty } from './sync.ts'

/** Enough for the longest period and its comparison. */
const storedDays = Number(process.env['BENCH_DAYS'] ?? 180)
const readers = 8
const questionsEach = 40

/** The reports of the analytics screens on the large property, requested over HTTP from a server in its own process. */
export async function benchAnalytics(): Promise<Figure[]> {
  const { get, pid, close } = await startLargeProperty(storedDays)
  try {
    return [...(await benchLists(get)), await benchFile(get, pid)]
  } finally {
    await close()
  }
}

type Get = (path: string) => Promise<Response>

/** A server in its own process, and a user who owns the large property with this many days. */
export async function startLargeProperty(days: number) {
  const scratch = await scratchDir()
  const dataDir = path.join(scratch.dir, 'data')
  await mkdir(dataDir)
  const lastDay = addDays(pacificDay(new Date()), -4)
  console.error('  filling the stores …')
  await fill(dataDir, lastDay, days)
  const server = await startServerProcess({ DATA_DIR: dataDir, DEMO: '0', GOOGLE_STATUS_URL: 'off' })
  return {
    url: server.url,
    pid: server.pid,
    ...(await ownerOf(server.url, lastDay)),
    async close(): Promise<void> {
      await server.stop()
      await scratch.remove()
    },
  }
}

/** Stores days under the number that the first property created afterwards will get. */
async function fill(dataDir: string, lastDay: string, days: number): Promise<void> {
  const standIn = await startStandIn()
  const stores = await openStores(parseConfig({ DATA_DIR: dataDir }), createLog('warn', true), (error) => {
    throw error
  })
  try {
    await benchSync({ facts: stores.facts, url: standIn.url, control: standIn.control, lastDay, days })
  } finally {
    await stores.close()
    standIn.stop()
  }
}

/** A user who owns the property: through an import of one more day, so that nothing syncs during the measurement. */
async function ownerOf(url: string, lastDay: string): Promise<{ get: Get; cookie: string }> {
  const registered = await fetch(`${url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bench', email: 'bench@ranklark.example', password: 'a-good-password' }),
  })
  if (!registered.ok) throw new Error(await registered.text())
  const cookie = registered.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const form = new FormData()
  form.append('property', largeProperty.name)
  form.append(
    'file',
    new Blob([`date,query,page,clicks,impressions,position\n${addDays(lastDay, 1)},lamp,https://grandbazaar.example/,1,10,3\n`]),
    'day.csv',
  )
  const imported = await fetch(`${url}/api/import`, { method: 'POST', headers: { cookie }, body: form })
  if (!imported.ok) throw new Error(await imported.text())
  async function get(what: string): Promise<Response> {
    const answer = await fetch(`${url}${what}${what.includes('?') ? '&' : '?'}property=${encodeURIComponent(largeProperty.name)}`, {
      headers: { cookie },
    })
    if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  return { get, cookie }
}

const days = [7, 28, 90]
const compares = ['previous', 'year', 'none']
const texts = ['', '', 'lamp', 'jacket', 'best', 'shoe', 'ra']
const pick = <T>(from: readonly T[], i: number): T => from[i % from.length] as T

/** Requests of which no two consecutive ones are the same; the strides have no common divisor with the lists' lengths. */
const reports: Record<string, { path: (i: number) => string; bar: number }> = {
  '/api/keywords': {
    bar: 300,
    path: (i) => {
      const least = pick([1, 1, 5, 11], i * 3)
      return `/api/keywords?${new URLSearchParams({
        ...periodOf(i),
        sort: pick(['clicks', 'impressions', 'ctr', 'position', 'query'], i * 3),
        positionMin: String(least),
        positionMax: String(least + 10 + (i % 30)),
        search: pick(texts, i * 5),
        brand: pick(['all', 'all', 'non-brand'], i * 7),
        presence: pick(['current', 'current', 'current', 'new', 'lost'], i * 2),
        limit: '200',
      })}`
    },
  },
  '/api/keywords/opportunities': {
    bar: 300,
    path: (i) => {
      const [least, most] = pick(
        [
          ['5', '15'],
          ['11', '20'],
          ['1', '1000'],
        ] as const,
        i * 2,
      )
      return `/api/keywords/opportunities?${new URLSearchParams({
        ...periodOf(i),
        sort: pick(['opportunityScore', 'impressions', 'position', 'clicks'], i * 3),
        positionMin: least,
        positionMax: most,
        search: pick(texts, i * 5),
        limit: '100',
      })}`
    },
  },
  '/api/pages': {
    bar: 150,
    path: (i) =>
      `/api/pages?${new URLSearchParams({
        ...periodOf(i),
        sort: pick(['clicks', 'impressions', 'ctr', 'position', 'page'], i * 3),
        order: pick(['desc', 'asc'], i * 3),
        search: pick(texts, i * 5),
        limit: '100',
      })}`,
  },
}
const periodOf = (i: number) => ({ days: String(pick(days, i)), compare: pick(compares, Math.floor(i / 3)) })

async function benchLists(get: Get): Promise<Figure[]> {
  const first: number[] = []
  for (const [name, { path: at }] of Object.entries(reports)) {
    for (let i = 0; i < days.length * compares.length; i += 1) first.push(await timed(() => get(at(i))))
    console.error(`  ${name} requested for the first time`)
  }
  const figures: Figure[] = []
  for (const [name, { path: at, bar }] of Object.entries(reports)) {
    const taken = await Promise.all(
      Array.from({ length: readers }, async (_, reader) => {
        const own: number[] = []
        for (let n = 0; n < questionsEach; n += 1) own.push(await timed(() => get(at(reader * 1_009 + n))))
        return own
      }),
    )
    const all = taken.flat()
    const p95 = percentile(all, 0.95)
    figures.push({
      what: `GET ${name} on the large property, ${readers} readers with different requests: p95 (p50 ${percentile(all, 0.5).toFixed(0)} ms, p99 ${percentile(all, 0.99).toFixed(0)} ms; slowest first answer, before its window is prepared, ${Math.max(...first).toFixed(0)} ms)`,
      value: `${p95.toFixed(0)} ms`,
      bar: `≤ ${bar} ms`,
      met: p95 <= bar,
    })
  }
  return figures
}

export async function timed(ask: () => Promise<Response>): Promise<number> {
  const start = performance.now()
  await (await ask()).arrayBuffer()
  return performance.now() - start
}

/** Every query and page row of 90 days as a file, and how much the server's memory grows meanwhile. */
async function benchFile(get: Get, pid: number): Promise<Figure> {
  console.error('  downloading the file …')
  await sleep(2_000)
  const before = await residentOf(pid)
  let most = before
  const taken = new AbortController()
  const watching = (async () => {
    while (!taken.signal.aborted) {
      most = Math.max(most, await residentOf(pid))
      await sleep(50)
    }
  })()
  const start = performance.now()
  let [bytes, lines] = [0, 0]
  const answer = await get('/api/analytics/daily.csv?grain=query_page&days=90')
  for await (const chunk of answer.body as ReadableStream<Uint8Array<ArrayBuffer>>) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) lines += 1
  }
  const seconds = (performance.now() - start) / 1_000
  taken.abort()
  await watching
  return {
    what: `memory while a file of ${lines.toLocaleString('en')} rows is sent (${(bytes / 1024 ** 2).toFixed(0)} MiB in ${seconds.toFixed(0)} s; resident before ${before.toFixed(0)} MiB)`,
    value: `+${(most - before).toFixed(0)} MiB`,
    bar: '≤ 150 MiB of growth',
    met: most - before <= 150,
  }
}
