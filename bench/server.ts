import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { metrics } from '../src/contract/metrics.ts'
import { syncStatuses } from '../src/contract/sync.ts'
import { usageOf } from './processes.ts'
import { startServerProcess } from './server-process.ts'
import { type Figure, scratchDir, startStandIn } from './support.ts'
import { largeProperty } from './sync.ts'

const readers = 50
const loadSeconds = 20

/** The whole server in its own process: idle memory, and reading while a sync runs. */
export async function benchServer(): Promise<Figure[]> {
  const standIn = await startStandIn()
  const scratch = await scratchDir()
  const server = await startServerProcess({ DATA_DIR: scratch.dir, EMULATOR_GOOGLE_URL: standIn.url, DEMO: '1' })
  const { url } = server
  try {
    const cookie = await signIn(url)
    const get = async (what: string): Promise<unknown> => (await fetch(url + what, { headers: { cookie } })).json()
    console.error('  waiting for the three sample properties to be synced (Google’s quotas set the pace) …')
    await waitUntil(async () => syncStatuses.parse(await get('/api/sync')).every((status) => status.daysLeft === 0 && !status.running))
    await sleep(30_000)
    const memory = await usageOf(server.pid)

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
        what: `memory after syncing the three samples, idle, with PostgreSQL (resident, shared pages counted once; server alone ${memory.serverMemory.toFixed(0)} MiB)`,
        value: `${memory.memory.toFixed(0)} MiB`,
        bar: '≤ 600 MiB',
        met: memory.memory <= 600,
      },
    ]
  } finally {
    await server.stop()
    standIn.stop()
    await scratch.remove()
  }
}

/** Fifty users, each with their own session. */
async function signInAll(url: string): Promise<string[]> {
  const cookies: string[] = []
  for (let i = 0; i < readers; i++) cookies.push(await signIn(url, `10.0.0.${i}`))
  return cookies
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
    if (Date.now() > end) throw new Error('Gave up after ten minutes')
    await sleep(500)
  }
}
