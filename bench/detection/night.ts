import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { addDays, pacificDay } from '../../src/core/analytics/days.ts'
import { createAnnotationsService } from '../../src/server/annotations/service.ts'
import { parseConfig } from '../../src/server/config.ts'
import { createEventBus } from '../../src/server/common/events.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { createAnalyticsService } from '../../src/server/analytics/service.ts'
import { createAlertsService } from '../../src/server/alerts/service.ts'
import { openStores, type Stores } from '../../src/server/stores/stores.ts'
import { fillFacts } from '../fill.ts'
import { type Figure, percentile, scratchDir } from '../support.ts'

/** Measured properties, out of the ten thousand of a night. */
const sites = 200
const siteDays = 500
/** A property where every page is monitored, and its days: the evaluation looks back fourteen weeks. */
const large = sites + 1
const pages = 2_000
const pageDays = 120
/** How many times a property is evaluated alone; the median counts. */
const looksAlone = 7
const night = 10_000

/** A night's work of the smart rule, with facts read from the real stores: on whole sites, and on all pages of a large one. */
export async function measureNight(): Promise<Figure[]> {
  const scratch = await scratchDir()
  await mkdir(path.join(scratch.dir, 'data'))
  const log = createLog('warn', true)
  const config = parseConfig({ DATA_DIR: path.join(scratch.dir, 'data') })
  const stores = await openStores(config, log, (error) => {
    throw error
  })
  try {
    const through = addDays(pacificDay(new Date()), -3)
    await fill(stores, through)
    const clock = { now: () => new Date() }
    const analytics = createAnalyticsService({ ...stores, events: createEventBus(), clock })
    const alerts = createAlertsService({
      ...stores,
      analytics,
      annotations: createAnnotationsService({ ...stores, sites: { reportOn: async () => null }, statusUrl: null, clock, log }),
      offer: config.offer,
      events: createEventBus(),
      clock,
      log,
      deliveries: async () => [],
    })
    // The first evaluation gives them their rules; only the smart one stays, on the large property for all pages.
    await alerts.runDue()
    await sql`UPDATE alert_conditions SET is_enabled = kind = 'unusual', monitor = CASE WHEN kind = 'unusual' AND property_id = ${large} THEN 'all_pages' ELSE monitor END`.execute(
      stores.db,
    )
    const look = async (from: number, to: number, day: string) => {
      await sql`UPDATE property_syncs SET complete_through = ${day}, facts_version = facts_version + 1 WHERE property_id BETWEEN ${from} AND ${to}`.execute(
        stores.db,
      )
      const [start, cpu] = [performance.now(), process.cpuUsage()]
      await alerts.runDue()
      const { user, system } = process.cpuUsage(cpu)
      const ms = performance.now() - start
      const left = await sql<{ id: number }>`SELECT property_id AS id FROM alert_watches
        WHERE property_id BETWEEN ${from} AND ${to} AND judged_through <> ${day}`.execute(stores.db)
      if (left.rows.length > 0) throw new Error(`${left.rows.length} properties were not evaluated through ${day}`)
      return { ms, cpu: (user + system) / 1000 }
    }
    await look(1, large, addDays(through, -1))
    const ofSites = await look(1, sites, through)
    // As on any night after the first: the code is compiled, what can be stored is, and each night adds a day.
    const alone = async (property: number) => {
      const looks: Awaited<ReturnType<typeof look>>[] = []
      for (let i = 1; i <= looksAlone; i++) looks.push(await look(property, property, addDays(through, i - looksAlone)))
      const middle = (of: (each: Awaited<ReturnType<typeof look>>) => number): number => percentile(looks.map(of), 0.5)
      return { ms: middle(({ ms }) => ms), cpu: middle(({ cpu }) => cpu) }
    }
    const ofOne = await alone(1)
    const ofPages = await alone(large)
    const minutes = ((ofSites.cpu / sites) * night) / 60_000
    const minutesOfPages = (ofPages.cpu * night) / 60_000
    return [
      {
        what: `evaluating ${night.toLocaleString('en')} properties with ${siteDays} days each, including reads: CPU time, from ${sites} of them`,
        value: `${minutes.toFixed(1)} min`,
        bar: '≤ 20 min',
        met: minutes <= 20,
      },
      {
        what: `daily evaluation of one of them alone (elapsed time; together with the others: ${(ofSites.ms / sites).toFixed(0)} ms)`,
        value: `${ofOne.ms.toFixed(0)} ms`,
        bar: '≤ 100 ms',
        met: ofOne.ms <= 100,
      },
      {
        what: `daily evaluation of all ${pages.toLocaleString('en')} pages of a property, including reads (${night.toLocaleString('en')} such properties: ${minutesOfPages.toFixed(0)} min of CPU time)`,
        value: `${ofPages.ms.toFixed(0)} ms`,
        bar: '≤ 100 ms',
        met: ofPages.ms <= 100,
      },
    ]
  } finally {
    await stores.close()
    await scratch.remove()
  }
}

async function fill({ clickhouse, db }: Stores, through: string): Promise<void> {
  // Each of another account: one whose rules took long would rest.
  await sql`INSERT INTO users (id, name, email) SELECT 'bench' || n, 'bench', 'bench' || n || '@ranklark.example' FROM generate_series(1, ${large}) AS n`.execute(
    db,
  )
  await sql`INSERT INTO people (user_id, plan) SELECT 'bench' || n, 'agency' FROM generate_series(1, ${large}) AS n`.execute(db)
  await sql`INSERT INTO properties (id, user_id, name, kind, monitored) OVERRIDING SYSTEM VALUE
    SELECT n, 'bench' || n, 'property ' || n, 'google', true FROM generate_series(1, ${large}) AS n`.execute(db)
  await sql`INSERT INTO property_syncs (property_id, state, complete_through, facts_version) SELECT id, 'ok', ${addDays(through, -2)}::date, 1 FROM properties`.execute(
    db,
  )
  const first = addDays(through, 1 - siteDays)
  await sql`INSERT INTO search_type_syncs (property_id, search_type, backfill_to, backfilled_from)
    SELECT id, 'web', ${first}::date, ${first}::date FROM properties`.execute(db)
  await fillFacts(clickhouse, { from: 1, count: sites, first, days: siteDays, names: { total: 1, page: 5, query: 5 } })
  await fillFacts(clickhouse, {
    from: large,
    count: 1,
    first: addDays(through, 1 - pageDays),
    days: pageDays,
    names: { total: 1, page: pages, query: 20 },
    impressions: 400_000,
  })
}
