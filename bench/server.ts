import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { z } from 'zod'
import serverProcess from '../scripts/server-process.json' with { type: 'json' }
import { metrics } from '../src/contract/metrics.ts'
import { syncStatuses } from '../src/contract/sync.ts'
import { ended, type Figure, root, scratchDir, startStandIn } from './support.ts'
import { largeProperty } from './sync.ts'

const readySchema = z.object({ type: z.literal('ready'), url: z.string() })
const readers = 50
const loadSeconds = 20

/** The whole server as a process of its own: memory when idle, and reading while a sync runs. */
export async function benchServer(): Promise<Figure[]> {
  const standIn = await startStandIn()
  const scratch = await scratchDir()
  const server = spawn(process.execPath, [...serverProcess.flags, path.join(root, 'src/server/main.ts')], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...serverProcess.env,
      PORT: '0',
      DATA_DIR: scratch.dir,
      EMULATOR_GOOGLE_URL: standIn.url,
      DEMO: '1',
      LOG_LEVEL: 'warn',
    },
  })
  try {
    const url = await readyUrl(server)
    const cookie = await signIn(url)
    const get = async (what: string): Promise<unknown> => (await fetch(url + what, { headers: { cookie } })).json()
    console.error('  waiting for the three sample properties to be synced (Google’s quotas set the pace) …')
    await waitUntil(async () => syncStatuses.parse(await get('/api/sync')).every((status) => status.daysLeft === 0 && !status.running))
    await sleep(30_000)
    const memory = await memoryOf(server.pid ?? 0)

    await standIn.control('POST', 'sites', { account: 'demo@ranklark.example', site: largeProperty.name, permission: 'siteOwner' })
    await get('/api/gsc-properties')
    await post(url, cookie, '/api/gsc-properties/select', { selectedProperty: largeProperty.name })
    await waitUntil(async () => metrics.nullable().parse(await get('/api/metrics')) !== null)
    const cookies = await signInAll(url)
    console.error('  reading while the large property is synced …')
    let next = 0
    const load = await autocannon({
      url: `${url}/api/metrics`,
      connections: readers,
      duration: loadSeconds,
      setupClient: (client) => client.setHeaders({ cookie: cookies[next++ % cookies.length] ?? cookie }),
    })
    const stillSyncing = syncStatuses
      .parse(await get('/api/sync'))
      .some((status) => status.running && status.property === largeProperty.name)
    const clean = stillSyncing && load.non2xx === 0 && load.errors === 0

    return [
      {
        what: `GET /api/metrics on the large property, ${readers} readers while it is synced: p95 (p50 ${load.latency.p50} ms, ${load.requests.average.toFixed(0)} requests/s, ${load.non2xx + load.errors} errors${stillSyncing ? '' : ', but the sync had ended'})`,
        value: `${load.latency.p97_5} ms (p97.5)`,
        bar: 'p95 ≤ 50 ms',
        met: clean && load.latency.p97_5 <= 50,
      },
      {
        what: `memory after syncing the three samples, idle, with PostgreSQL (resident, shared pages counted once; server alone ${memory.server.toFixed(0)} MiB)`,
        value: `${memory.all.toFixed(0)} MiB`,
        bar: '≤ 600 MiB',
        met: memory.all <= 600,
      },
    ]
  } finally {
    server.kill('SIGTERM')
    await ended(server)
    standIn.stop()
    await scratch.remove()
  }
}

/** Fifty people, each signed in on their own. */
async function signInAll(url: string): Promise<string[]> {
  const cookies: string[] = []
  for (let i = 0; i < readers; i++) cookies.push(await signIn(url, `10.0.0.${i}`))
  return cookies
}

async function readyUrl(server: ReturnType<typeof spawn>): Promise<string> {
  for (;;) {
    const [message] = (await Promise.race([
      once(server, 'message'),
      once(server, 'exit').then(() => {
        throw new Error('The server ended')
      }),
    ])) as [unknown]
    const ready = readySchema.safeParse(message)
    if (ready.success) return ready.data.url
  }
}

async function post(url: string, cookie: string, what: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(url + what, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`)
  return answer
}

async function signIn(url: string, address = '10.0.1.1'): Promise<string> {
  const answer = await post(url, '', '/api/auth/login', { username: 'demo', password: 'demo-password' }, { 'x-forwarded-for': address })
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 600_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('Waited ten minutes in vain')
    await sleep(500)
  }
}

/**
 * Resident memory in MiB of a process, and with all its descendants, from Linux's /proc. Pages that
 * PostgreSQL's processes share are counted once (proportional set size).
 */
async function memoryOf(pid: number): Promise<{ server: number; all: number }> {
  const children = new Map<number, number[]>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const mebibytes = async (each: number, what: 'Rss' | 'Pss'): Promise<number> => {
    const rollup = await readFile(`/proc/${each}/smaps_rollup`, 'utf8').catch(() => '')
    return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1] ?? 0) / 1024
  }
  const server = await mebibytes(pid, 'Rss')
  let all = server
  const waiting = [...(children.get(pid) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    all += await mebibytes(next, 'Pss')
    waiting.push(...(children.get(next) ?? []))
  }
  return { server, all }
}
