import { addDays, pacificDay } from '../src/core/analytics/days.ts'
import { parseConfig } from '../src/server/config.ts'
import { createLog } from '../src/server/platform/log.ts'
import { openStores, type Stores } from '../src/server/stores/stores.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { fillFacts } from './fill.ts'
import type { Reader } from './load-generator.ts'
import { startServerProcess, withGoogle } from './server-process.ts'
import type { StandIn } from './support.ts'
import { arrive } from './synced-people.ts'
import { openSql, type Sql } from '../test/support/stores.ts'
import { sendJob } from '../test/support/jobs.ts'
import { until } from '../test/support/until.ts'

/** A small site: the daily rows of the stand-in's smallest sample, and enough days to compare two months. */
export const smallSite = { names: { total: 1, page: 12, query: 40, query_page: 60, device: 3, country: 8 }, days: 60 } as const

type Crowd = { people: number; propertiesEach: number }

/**
 * Users with properties whose days are stored. They sign in through Google's real consent page, which takes a running server; what their
 * syncs would leave is then written into both stores while it is stopped, because fetching it all would take many minutes. Returns their
 * readers, with `alerts` 0 until they are evaluated.
 */
export async function makeCrowd(dataDir: string, standIn: StandIn, crowd: Crowd): Promise<Reader[]> {
  const server = await startServerProcess({ ...withGoogle(standIn), DATA_DIR: dataDir })
  const store = await openSql(dataDir)
  const readers: Reader[] = []
  try {
    for (let number = 0; number < crowd.people; number += 1) {
      const { visitor, cookie, properties } = await arrive(
        { url: server.url, sql: store.sql, control: standIn.control },
        { propertiesEach: crowd.propertiesEach, plan: 'pro' },
        number,
      )
      const { user } = signedIn.parse((await visitor.get('/api/auth/session')).body)
      readers.push({
        cookie,
        username: user.username,
        address: `10.${Math.floor(number / 250)}.${number % 250}.1`,
        properties: properties.map((name) => ({ name })),
      })
    }
  } finally {
    await store.close()
    await server.stop()
  }
  await storeDays(dataDir, readers)
  return readers
}

const signedIn = z.object({ user: z.object({ username: z.string() }) })

/** Waits until the server has evaluated the rules of all properties, and records how many alerts each has. */
export async function awaitAlerts(dataDir: string, store: Sql, readers: readonly Reader[], ms: number): Promise<void> {
  await evaluateAll(dataDir, store, ms)
  const rows = await store<{ name: string; count: string }>(
    'SELECT name, count(*) AS count FROM alerts JOIN properties p ON p.id = property_id WHERE part_of IS NULL GROUP BY name',
  )
  const counts = new Map(rows.map(({ name, count }) => [name, Number(count)]))
  for (const { properties } of readers) for (const { name, expected } of properties) if (expected) expected.alerts = counts.get(name) ?? 0
}

/** Makes the server evaluate every property again, and waits until it has. */
export async function evaluateAll(dataDir: string, store: Sql, ms: number): Promise<void> {
  await store('UPDATE alert_watches SET judged_version = NULL WHERE property_id IN (SELECT id FROM properties WHERE monitored)')
  await sendJob(dataDir, 'alerts-due')
  await until(
    async () => Number((await store<{ left: string }>(unevaluated))[0]?.left),
    (left) => left === 0,
    ms,
  )
}

const unevaluated = `SELECT count(*) AS left FROM properties p JOIN property_syncs s ON s.property_id = p.id
  LEFT JOIN alert_watches w ON w.property_id = p.id
  WHERE p.monitored AND s.complete_through IS NOT NULL AND w.judged_version IS NULL`

async function storeDays(dataDir: string, readers: readonly Reader[]): Promise<void> {
  const stores = await openStores(parseConfig({ DATA_DIR: dataDir }), createLog('warn', true), (error) => {
    throw error
  })
  try {
    const through = addDays(pacificDay(new Date()), -3)
    await noteSynced(stores, { through, days: smallSite.days })
    const { first, last } = (
      await sql<{ first: number; last: number }>`SELECT min(id) AS first, max(id) AS last FROM properties`.execute(stores.db)
    ).rows[0] ?? { first: 1, last: 0 }
    await fillFacts(stores.clickhouse, {
      from: first,
      count: last - first + 1,
      first: addDays(through, 1 - smallSite.days),
      days: smallSite.days,
      names: smallSite.names,
      // So that a quarter of the dashboards has a list of alerts.
      weak: { every: 4, from: addDays(through, -6) },
    })
    await noteTotals(stores, readers, through)
  } finally {
    await stores.close()
  }
}

/** What a completed sync leaves in PostgreSQL, for every property; all are monitored. */
export async function noteSynced({ db }: Pick<Stores, 'db'>, { through, days }: { through: string; days: number }): Promise<void> {
  await sql`UPDATE properties SET monitored = true, monitored_at = now()`.execute(db)
  await sql`UPDATE people SET selected_property_id = (SELECT min(id) FROM properties p WHERE p.user_id = people.user_id)`.execute(db)
  await sql`INSERT INTO property_syncs (property_id, state, last_synced_at, complete_through, facts_version, types_probed_at)
    SELECT id, 'ok', now(), ${through}, 1, now() FROM properties`.execute(db)
  await sql`INSERT INTO search_type_syncs (property_id, search_type, backfill_to, backfilled_from, final_through, fetched_through)
    SELECT id, 'web', ${through}::date - ${days - 1}::int, ${through}::date - ${days - 1}::int, ${through}, ${through} FROM properties`.execute(
    db,
  )
  await sql`SELECT setval('fact_load', 100)`.execute(db)
}

/** The sums of the last seven days directly from ClickHouse, without the reports' code. */
async function noteTotals({ clickhouse, db }: Stores, readers: readonly Reader[], through: string): Promise<void> {
  const ids = (await sql<{ id: number; name: string }>`SELECT id, name FROM properties`.execute(db)).rows
  const answer = await clickhouse.query({
    query: `SELECT property, toUInt64(sum(clicks)) AS clicks, toUInt64(sum(impressions)) AS impressions FROM facts_total
      WHERE date BETWEEN '${addDays(through, -6)}' AND '${through}' GROUP BY property`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  const sums = new Map((await answer.json<{ property: number; clicks: number; impressions: number }>()).map((row) => [row.property, row]))
  const idOf = new Map(ids.map(({ id, name }) => [name, id]))
  for (const property of readers.flatMap((reader) => reader.properties)) {
    const sum = sums.get(Number(idOf.get(property.name)))
    if (!sum) throw new Error(`${property.name} has no days`)
    property.expected = { clicks: sum.clicks, impressions: sum.impressions, alerts: 0 }
  }
}
