import { expect, test as baseTest } from 'vitest'
import { throughConsent } from '../../../test/support/consent.ts'
import { type GoogleRelay, startGoogleRelay } from '../../../test/support/google-relay.ts'
import { sumsAtGoogle, sumsStored } from '../../../test/support/grain-sums.ts'
import { backfillFrom } from '../../../test/support/people.ts'
import type { ServerProcess } from '../../../test/support/server-process.ts'
import { openSharedServers } from '../../../test/support/shared-servers.ts'
import { until } from '../../../test/support/until.ts'
import { createVisitor } from '../../../test/support/visitor.ts'
import { addDays, daysBetween, pacificDay } from '../../core/analytics/days.ts'
import { chunkDays } from './sync-plan.ts'

/** More than one server's lanes. */
const sites = Array.from({ length: 4 }, (_, i) => `https://ann-${i + 1}.example/`)
const account = 'ann@example.test'

const test = baseTest.extend('shared', async ({}, { onCleanup }) => {
  const shared = await openSharedServers()
  onCleanup(() => shared.close())
  return shared
})

test('kill -9 of one of two servers mid-backfill: the other takes over, and no day is lost or duplicated', async ({
  shared,
  onTestFinished,
}) => {
  const { google, sql } = shared
  const start = async (name: string): Promise<{ relay: GoogleRelay; server: ServerProcess }> => {
    const relay = await startGoogleRelay(shared.googleApi)
    onTestFinished(() => relay.close())
    return { relay, server: await shared.start(name, { GOOGLE_API_URL: relay.url }) }
  }
  const both = await Promise.all([start('one'), start('two')])
  await google.account(account, Object.fromEntries(sites.map((site) => [site, 'local' as const])))
  expect(
    await throughConsent(
      createVisitor(() => both[0].server.url),
      { account },
    ),
  ).toBe('/onboarding/plan?connected=true')
  const from = addDays(pacificDay(new Date()), 1 - chunkDays)
  await sql(`UPDATE people SET plan = 'agency', plan_chosen_at = now()`)
  await sql(
    `INSERT INTO properties (user_id, name, kind, monitored) SELECT id, unnest($1::text[]), 'google', true FROM users
     ON CONFLICT (user_id, name) DO UPDATE SET monitored = true`,
    [sites],
  )
  for (const site of sites) await backfillFrom(sql, site, from)

  // Slow enough to keep everything in mid-chunk until the kill.
  await google.delay(1_500, 'query')
  await shared.lookForDue()
  const held = () =>
    sql<{ owner: string; site: string }>(
      `SELECT owner, name AS site FROM sync_leases JOIN properties ON id = property_id WHERE sync_leases.kind = 'days'`,
    )
  const holdings = await until(held, (all) => all.length === sites.length)
  const victim = both[0]
  await until(
    async () => victim.relay.asked.length,
    (asked) => asked > 0,
  )
  await victim.server.kill()
  const orphan = holdings.find(({ site }) => site === victim.relay.asked[0]?.site)
  expect(new Set(holdings.map(({ owner }) => owner)).size).toBe(2)
  // What others notice in time: nobody renews its leases or works on its jobs anymore.
  const taken = await sql<{ id: string }>('UPDATE sync_leases SET until = clock_timestamp() WHERE owner = $1 RETURNING property_id AS id', [
    orphan?.owner,
  ])
  await sql(
    `UPDATE jobs.job SET state = 'retry', start_after = now(), started_on = NULL, heartbeat_on = NULL
     WHERE state = 'active' AND data->>'propertyId' = ANY ($1)`,
    [taken.map(({ id }) => String(id))],
  )
  await google.delay(0)
  await shared.lookForDue()
  await until(
    () =>
      sql('SELECT 1 FROM search_type_syncs WHERE search_type = $1 AND (backfilled_from IS NULL OR backfilled_from > backfill_to)', ['web']),
    (left) => left.length === 0,
  )

  for (const site of sites) {
    const [early, late] = both.map(({ relay }) => relay.asked.filter((asked) => asked.site === site && !asked.dims.includes('hour')))
    const together = early?.filter((one) =>
      late?.some((other) => other.began < (one.ended ?? Infinity) && one.began < (other.ended ?? Infinity)),
    )
    expect({ site, together }).toEqual({ site, together: [] })
    const [row] = await sql<{ id: number; start: string; end: string }>(
      `SELECT id, backfilled_from::text AS start, complete_through::text AS end FROM properties
       JOIN property_syncs p ON p.property_id = id JOIN search_type_syncs s ON s.property_id = id AND search_type = 'web' WHERE name = $1`,
      [site],
    )
    const span = { start: row?.start ?? '', end: row?.end ?? '', dataState: 'final' } as const
    const atGoogle = await sumsAtGoogle(google, site, span)
    expect(Object.keys(atGoogle.total)).toHaveLength(daysBetween(span.start, span.end))
    expect(await sumsStored(shared.clickhouse, { property: Number(row?.id) }, span)).toEqual(atGoogle)
  }
})
