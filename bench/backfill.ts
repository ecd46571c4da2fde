import path from 'node:path'
import { z } from 'zod'
import { addDays, pacificDay } from '../src/core/analytics/days.ts'
import { parseConfig } from '../src/server/config.ts'
import { createEventBus } from '../src/server/common/events.ts'
import type { FactsStore } from '../src/server/facts/store.ts'
import { createGoogleQuota } from '../src/server/google/quota.ts'
import { createSearchConsole } from '../src/server/google/search-console.ts'
import { createLog } from '../src/server/platform/log.ts'
import { openStores } from '../src/server/stores/stores.ts'
import { createBackfillLoads } from '../src/server/sync/backfill-load.ts'
import { createPageFetcher } from '../src/server/sync/page-fetcher.ts'
import { createSyncService } from '../src/server/sync/service.ts'
import { createStatusStore } from '../src/server/sync/status-store.ts'
import { createSyncStore } from '../src/server/sync/store.ts'
import { askedOf } from './google-calls.ts'
import { type Figure, scratchDir, type StandIn } from './support.ts'
import { createVirtualTime } from './virtual-time.ts'

/** One user's small sites, each with all of Google's sixteen months. */
const sites = Number(process.env['BENCH_SITES'] ?? 25)
const historyDays = 489
/** Properties synced concurrently in one process, and each one's turn (sync/jobs.ts, sync/service.ts). */
const lanes = 3
const sliceMs = 15_000
/** Google's response time. */
const answerMs = 400

const bars = { calls: 560, minutes: 16, aMinute: 1_200 }

const account = 'many-sites@ranklark.example'
type LoadOf = Parameters<FactsStore['beginLoad']>
const grant = z.object({ access_token: z.string() })

/**
 * A backfill's requests to Google, and how long it takes within Google's quotas: the real sync on real stores, against the stand-in, on a
 * clock that jumps to the next event anybody waits for. Our own work takes no time on that clock.
 */
export async function benchBackfill(standIn: StandIn): Promise<Figure[]> {
  const scratch = await scratchDir()
  const log = createLog('warn', true)
  const stores = await openStores(parseConfig({ DATA_DIR: path.join(scratch.dir, 'backfill') }), log, (error) => log.error(error))
  const pages = createPageFetcher(standIn.url)
  try {
    const { db, pool } = stores
    const { control } = standIn
    const names = Array.from({ length: sites }, (_, at) => `https://small-${at + 1}.example/`)
    await control('POST', 'accounts', { email: account })
    for (const site of names) await control('POST', 'sites', { account, site, profile: 'local' })
    const { access_token: token } = grant.parse(await control('POST', 'grant', { account }))
    const time = createVirtualTime(new Date())
    const today = pacificDay(time.clock.now())
    await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'Ann', $1)`, [account])
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO properties (user_id, name, kind, monitored) SELECT 'ann', unnest($1::text[]), 'google', true RETURNING id`,
      [names],
    )
    await pool.query(`INSERT INTO search_type_syncs (property_id, search_type, backfill_to) SELECT id, 'web', $1 FROM properties`, [
      addDays(today, 1 - historyDays),
    ])

    const calls: number[] = []
    const quota = createGoogleQuota({ pool: time.tracked(pool), now: time.clock.now, wait: time.sleep })
    const searchConsole = createSearchConsole(standIn.url, time.clock)
    const { facts } = stores
    const trackedFacts = time.tracked({ ...facts, beginLoad: async (...of: LoadOf) => time.tracked(await facts.beginLoad(...of)) })
    const done = async (): Promise<void> => {}
    const sync = createSyncService({
      store: time.tracked(createSyncStore(db)),
      status: time.tracked(createStatusStore(db)),
      facts: trackedFacts,
      backfills: createBackfillLoads(trackedFacts, () => time.clock.now().getTime()),
      quota: {
        async wait(...of) {
          await quota.wait(...of)
          calls.push(time.clock.now().getTime())
          await time.sleep(answerMs)
        },
        holdBack: quota.holdBack,
      },
      searchConsole: time.tracked(searchConsole),
      pages: time.tracked(pages),
      events: createEventBus(),
      clock: time.clock,
      log,
      retry: { attempts: 1, baseMs: 0, random: () => 0 },
      // The order of a user's sites doesn't affect the number of calls.
      priorities: { take: done, leave: () => {} },
      connections: {
        accessToken: async () => ({ ok: true, value: token }),
        forgetAccessToken: done,
        noteProblem: done,
        noteWorks: done,
        listSites: () => searchConsole.sites(token),
        site: (_userId, name) => searchConsole.site(token, name),
        otherForm: async () => null,
      },
      noteProblem: async ({ name }, { kind, detail }) => {
        throw new Error(`${name}: ${kind}, ${detail}`)
      },
      hours: { refresh: done },
      propertyQueue: { send: done, admit: done, hasRoom: async () => true, othersWait: async () => false },
    })

    await control('DELETE', 'requests')
    const began = time.clock.now().getTime()
    const waiting = rows.map(({ id }) => id)
    const signal = new AbortController().signal
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const end = time.clock.now().getTime() + sliceMs
        const left = await sync.runSlice(id, { signal, isToYield: async () => time.clock.now().getTime() > end })
        if (left === 'more') waiting.push(id)
      }
    }
    await time.run(Array.from({ length: lanes }, work))
    const minutes = (time.clock.now().getTime() - began) / 60_000
    const each = (await askedOf(standIn)).search / sites
    const most = mostInAMinute(calls)
    return [
      {
        what: `calls to fetch ${historyDays} days of a small property`,
        value: each.toFixed(0),
        bar: `≤ ${bars.calls}`,
        met: each <= bars.calls,
      },
      {
        what: `${sites} such properties of one person at once, with ${answerMs} ms per response, on a simulated clock (${calls.length.toLocaleString('en')} calls)`,
        value: `${minutes.toFixed(1)} min`,
        bar: `≤ ${bars.minutes} min`,
        met: minutes <= bars.minutes,
      },
      {
        what: 'maximum of these calls in any minute',
        value: most.toLocaleString('en'),
        bar: `≤ ${bars.aMinute.toLocaleString('en')}`,
        met: most <= bars.aMinute,
      },
    ]
  } finally {
    await pages.close()
    await stores.close()
    await scratch.remove()
  }
}

/** The maximum number of calls within any sixty seconds; the times are in order. */
function mostInAMinute(times: readonly number[]): number {
  let most = 0
  for (let first = 0, last = 0; last < times.length; last += 1) {
    while ((times[first] ?? 0) <= (times[last] ?? 0) - 60_000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}
