import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { addDays, pacificDay } from '../src/core/analytics/days.ts'
import { parseConfig } from '../src/server/config.ts'
import { createLog } from '../src/server/platform/log.ts'
import { openStores } from '../src/server/stores/stores.ts'
import { fillFacts } from './fill.ts'
import { startServerProcess } from './server-process.ts'
import { type Figure, percentile, scratchDir, timeEach } from './support.ts'

/** Each user's first request finds nothing in memory. */
const people = 4
const sitesEach = 200
const historyDays = 480
const again = 20

/** The list of all properties of a user with many, requested over HTTP from a server in its own process. */
export async function benchSites(): Promise<Figure[]> {
  const scratch = await scratchDir()
  const dataDir = path.join(scratch.dir, 'data')
  await mkdir(dataDir)
  const env = { DATA_DIR: dataDir, DEMO: '0', GOOGLE_STATUS_URL: 'off' }
  const names = Array.from({ length: people }, (_, index) => `agency${index}`)
  try {
    const before = await startServerProcess(env)
    for (const name of names) await signIn(before.url, 'register', name)
    await before.stop()
    console.error('  filling the stores …')
    await fill(dataDir)
    const server = await startServerProcess(env)
    try {
      const first: number[] = []
      const later: number[] = []
      for (const name of names) {
        const cookie = await signIn(server.url, 'login', name)
        const ask = async () => {
          const answer = await fetch(`${server.url}/api/sites`, { headers: { cookie } })
          const sites = (await answer.json()) as unknown[]
          if (sites.length !== sitesEach) throw new Error(`${sites.length} sites: ${JSON.stringify(sites).slice(0, 200)}`)
        }
        first.push(...(await timeEach(1, ask)))
        later.push(...(await timeEach(again, ask)))
      }
      const slowest = percentile(first, 1)
      return [
        {
          what: `GET /api/sites with ${sitesEach} properties of ${historyDays} days and ${sitesEach} open alerts, first request of each of ${people} people: slowest (p50 ${percentile(first, 0.5).toFixed(0)} ms; repeated p95 ${percentile(later, 0.95).toFixed(0)} ms)`,
          value: `${slowest.toFixed(0)} ms`,
          bar: '≤ 300 ms',
          met: slowest <= 300,
        },
      ]
    } finally {
      await server.stop()
    }
  } finally {
    await scratch.remove()
  }
}

/** Registers a user, or logs them in. Returns their cookies. */
async function signIn(url: string, how: 'register' | 'login', username: string): Promise<string> {
  const form = { username, password: 'a-good-password', ...(how === 'register' && { email: `${username}@ranklark.example` }) }
  const answer = await fetch(`${url}/api/auth/${how}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
}

/** Everybody's synced properties, with one open alert each. */
async function fill(dataDir: string): Promise<void> {
  const stores = await openStores(parseConfig({ DATA_DIR: dataDir }), createLog('warn', true), (error) => {
    throw error
  })
  const { db, clickhouse } = stores
  const through = addDays(pacificDay(new Date()), -3)
  const first = addDays(through, 1 - historyDays)
  try {
    await sql`INSERT INTO properties (user_id, name, kind, permission_level, monitored)
      SELECT user_id, 'https://site-' || n || '.example/', 'google', 'siteOwner', true FROM people, generate_series(1, ${sitesEach}::int) AS n`.execute(
      db,
    )
    await sql`INSERT INTO property_syncs (property_id, state, last_synced_at, facts_version, complete_through)
      SELECT id, 'ok', now(), 1, ${through} FROM properties`.execute(db)
    await sql`INSERT INTO search_type_syncs (property_id, search_type, backfill_to, backfilled_from, final_through, fetched_through)
      SELECT id, 'web', ${first}::date, ${first}::date, ${through}::date, ${through}::date FROM properties`.execute(db)
    await sql`INSERT INTO alerts (property_id, kind, type, comparison, entity_kind, entity_name, severity, state, figures, opening, series, opened_at, judged_at)
      SELECT id, 'change', 'clicks', 'previous_7_days', 'site', name, 'warning', 'firing', 'null', 'null', '[]', now(), now() FROM properties`.execute(
      db,
    )
    const { rows } = await sql<{ first: number }>`SELECT min(id)::int AS first FROM properties`.execute(db)
    // In batches: all pointers at once are too much for one insert.
    for (let at = 0; at < people; at += 1) {
      const from = (rows[0]?.first ?? 1) + at * sitesEach
      await fillFacts(clickhouse, { from, count: sitesEach, first, days: historyDays, names: { total: 1, page: 5 } })
    }
  } finally {
    await stores.close()
  }
}
