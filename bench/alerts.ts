import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { addDays, pacificDay } from '../src/core/analytics/days.ts'
import { type Condition, defaultConditions } from '../src/core/alerting/defaults.ts'
import { templates } from '../src/core/alerting/templates.ts'
import { createAnnotationsService } from '../src/server/annotations/service.ts'
import { createAlertsService } from '../src/server/alerts/service.ts'
import { createAnalyticsService } from '../src/server/analytics/service.ts'
import { parseConfig } from '../src/server/config.ts'
import { createEventBus } from '../src/server/common/events.ts'
import { createLog } from '../src/server/platform/log.ts'
import { openStores, type Stores } from '../src/server/stores/stores.ts'
import { fillFacts } from './fill.ts'
import { type Figure, percentile, scratchDir, timeEach } from './support.ts'

const properties = 1_000
/** Rows a day of each property, as a middling site has them, and days of history. */
const pagesADay = 60
const queriesADay = 150
const historyDays = 120
/** A sample property's sixteen months, for the backtest. */
const sample = properties + 1
const sampleDays = 480
const samplePages = 150
const sampleQueries = 900

/** Evaluating many properties at once, and the backtest of a rule, on the real stores. */
export async function benchAlerts(): Promise<Figure[]> {
  const scratch = await scratchDir()
  await mkdir(path.join(scratch.dir, 'data'))
  const log = createLog('warn', true)
  const config = parseConfig({ DATA_DIR: path.join(scratch.dir, 'data') })
  const stores = await openStores(config, log, (error) => {
    throw error
  })
  try {
    const through = addDays(pacificDay(new Date()), -3)
    console.error('  filling the stores …')
    await fill(stores, through)
    const clock = { now: () => new Date() }
    const analytics = createAnalyticsService({ ...stores, clock })
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
    // The first look gives every property its rules; then all of them are switched on, with something chosen to watch.
    await alerts.runDue()
    await sql`UPDATE alert_conditions SET is_enabled = true, targets = CASE WHEN monitor = 'queries' THEN '["query 1", "query 2", "query 3"]'::jsonb ELSE targets END`.execute(
      stores.db,
    )
    await sql`UPDATE alert_watches SET judged_version = NULL`.execute(stores.db)
    const cpu = process.cpuUsage()
    const [ms = Number.NaN] = await timeEach(1, () => alerts.runDue())
    const { user, system } = process.cpuUsage(cpu)
    const { judged, opened } = (
      await sql<{ judged: number; opened: number }>`SELECT
        (SELECT count(*) FROM alert_watches WHERE judged_version IS NOT NULL) AS judged, (SELECT count(*) FROM alerts WHERE part_of IS NULL) AS opened`.execute(
        stores.db,
      )
    ).rows[0] ?? { judged: 0, opened: 0 }

    const property = { id: sample, name: 'sample', completeThrough: through, factsVersion: 1 }
    const backtests: number[] = []
    const tried = ({ type, kind, title, monitor, threshold }: Condition) => {
      const targets = monitor === 'queries' ? ['query 1', 'query 2'] : []
      return () => alerts.backtest('bench', property, { type, kind, title, monitor, threshold, targets })
    }
    for (const rule of [...defaultConditions, ...templates.map(({ condition }) => condition)])
      backtests.push(...(await timeEach(3, tried(rule))))
    const slowest = percentile(backtests, 1)
    const together = percentile(await timeEach(5, () => Promise.all(defaultConditions.map((rule) => tried(rule)()))), 0.5)
    return [
      {
        what: `evaluating ${properties.toLocaleString('en')} properties × ${defaultConditions.length} rules (${judged.toLocaleString('en')} judged, ${opened} alerts, ${((user + system) / 1e6).toFixed(1)} s of processor time)`,
        value: `${(ms / 1000).toFixed(1)} s`,
        bar: '≤ 60 s',
        met: ms <= 60_000 && judged === properties,
      },
      {
        what: `backtest of a rule over ${sampleDays} days of a sample property, slowest of the defaults and all templates (median ${percentile(backtests, 0.5).toFixed(0)} ms)`,
        value: `${slowest.toFixed(0)} ms`,
        bar: '≤ 1,000 ms',
        met: slowest <= 1_000,
      },
      {
        what: `the backtests of the ${defaultConditions.length} defaults over the same days, asked for together as Alert Settings does`,
        value: `${together.toFixed(0)} ms`,
        bar: '≤ 1,000 ms',
        met: together <= 1_000,
      },
    ]
  } finally {
    await stores.close()
    await scratch.remove()
  }
}

/** Figures that vary from day to day, made by the engine itself; every fortieth property loses half of its clicks in the last week. */
async function fill({ clickhouse, db }: Stores, through: string): Promise<void> {
  await sql`INSERT INTO users (id, name, email) VALUES ('bench', 'bench', 'bench@ranklark.example')`.execute(db)
  await sql`INSERT INTO people (user_id, plan) VALUES ('bench', 'agency')`.execute(db)
  await sql`INSERT INTO properties (id, user_id, name, kind, monitored) OVERRIDING SYSTEM VALUE
    SELECT n, 'bench', 'property ' || n, 'google', n <= ${properties} FROM generate_series(1, ${sample}) AS n`.execute(db)
  await sql`INSERT INTO property_syncs (property_id, state, complete_through, facts_version) SELECT id, 'ok', ${through}, 1 FROM properties`.execute(
    db,
  )
  await sql`INSERT INTO search_type_syncs (property_id, search_type, backfill_to, backfilled_from)
    SELECT id, 'web', ${through}::date - 119, ${through}::date - 119 FROM properties`.execute(db)

  const weak = { every: 40, from: addDays(through, -6) }
  const first = addDays(through, 1 - historyDays)
  const names = { total: 1, page: pagesADay, query: queriesADay }
  for (let from = 1; from <= properties; from += 100) {
    await fillFacts(clickhouse, { from, count: 100, first, days: historyDays, names, weak })
  }
  const sampleFirst = addDays(through, 1 - sampleDays)
  const sampleNames = { total: 1, page: samplePages, query: sampleQueries }
  await fillFacts(clickhouse, { from: sample, count: 1, first: sampleFirst, days: sampleDays, names: sampleNames, weak })
}
