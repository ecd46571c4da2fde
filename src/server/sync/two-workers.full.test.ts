import { afterAll, beforeAll, expect, test } from 'vitest'
import { throughConsent } from '../../../test/support/consent.ts'
import type { Control } from '../../../test/support/google-control.ts'
import { type Asked, type GoogleRelay, startGoogleRelay } from '../../../test/support/google-relay.ts'
import { sumsAtGoogle, sumsStored } from '../../../test/support/grain-sums.ts'
import { backfillFrom } from '../../../test/support/people.ts'
import type { ServerProcess } from '../../../test/support/server-process.ts'
import { openSharedServers, type SharedServers } from '../../../test/support/shared-servers.ts'
import type { Sql } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import { createVisitor, type Visitor } from '../../../test/support/visitor.ts'
import { addDays, daysBetween, eachDay, pacificDay } from '../../core/analytics/days.ts'
import { slotsPerPerson } from './property-queue.ts'
import { chunkDays } from './sync-plan.ts'

const sitesOf = (name: string, count: number) => Array.from({ length: count }, (_, i) => `https://${name}-${i + 1}.example/`)
/** One more than a person's places, which equal the lanes of both servers. */
const anns = sitesOf('ann', slotsPerPerson + 1)
/** More than one server's lanes. */
const bens = sitesOf('ben', 4)
const cys = sitesOf('cy', 2)
const people = { ann: anns, ben: bens, cy: cys }
const all = Object.values(people).flat()
/** More than any test fetches here. */
const wholeHistory = 50 * chunkDays

type Holding = { property: string; owner: string; site: string; person: string; until: Date }

let shared: SharedServers
let control: Control
let sql: Sql
const servers: { process: ServerProcess; relay: GoogleRelay }[] = []
const visitors = new Map<string, Visitor>()

async function start(name: string): Promise<void> {
  const relay = await startGoogleRelay(shared.googleApi)
  servers.push({ relay, process: await shared.start(name, { GOOGLE_API_URL: relay.url }) })
}

beforeAll(async () => {
  shared = await openSharedServers()
  control = shared.google
  sql = shared.sql
  await Promise.all([start('one'), start('two')])
  for (const [name, sites] of Object.entries(people)) {
    const account = `${name}@example.test`
    await control.account(account, Object.fromEntries(sites.map((site) => [site, 'local' as const])))
    const visitor = createVisitor(() => servers[0]?.process.url ?? '')
    visitors.set(name, visitor)
    expect(await throughConsent(visitor, { account })).toBe('/onboarding/plan?connected=true')
    await sql(
      `INSERT INTO properties (user_id, name, kind) SELECT id, unnest($2::text[]), 'google' FROM users WHERE email = $1
       ON CONFLICT (user_id, name) DO NOTHING`,
      [account, sites],
    )
  }
  await sql(`UPDATE people SET plan = 'agency', plan_chosen_at = now()`)
}, 180_000)

afterAll(async () => {
  await shared.close()
  for (const { relay } of servers) await relay.close()
})

/** Marks properties for syncing that many days back; the check for due properties finds them. */
async function monitor(sites: readonly string[], days: number): Promise<void> {
  for (const site of sites) await backfillFrom(sql, site, addDays(pacificDay(new Date()), 1 - days))
  await sql('UPDATE properties SET monitored = true WHERE name = ANY ($1)', [sites])
  await shared.lookForDue()
}

/** Who holds which property, according to the table. */
const holdings = () =>
  sql<Holding>(
    `SELECT property_id AS property, owner, properties.name AS site, split_part(email, '@', 1) AS person, until FROM sync_leases
     JOIN properties ON properties.id = property_id JOIN users ON users.id = properties.user_id WHERE sync_leases.kind = 'days'`,
  )
const byServer = (held: readonly Holding[]): Holding[][] => [...Map.groupBy(held, ({ owner }) => owner).values()]

/** The server waiting for an answer about a property's days. */
const serverAt = (site: string) => servers.find(({ relay }) => relay.asked.some((asked) => isOf([site])(asked) && asked.ended === null))
/** Hours are fetched in parallel to the days, under their own lease. */
const isOfHours = ({ dims }: { dims: readonly string[] | null }) => dims?.includes('hour') ?? false
const isOf = (sites: readonly string[]) => (asked: Asked) => sites.includes(asked.site) && !isOfHours(asked)
/** Requested once for each day of a chunk; everything else may be fetched ahead, and again after a takeover. */
const isOfOneDay = (dims: readonly string[] | null) => dims?.join() === 'date,query,page'
const askedSince = (moment: number, sites: readonly string[]): Asked[] =>
  servers.flatMap(({ relay }) => relay.asked.filter(isOf(sites)).filter(({ began }) => began > moment))

/** Properties with history left to fetch. */
const unfinished = () =>
  sql<{ name: string }>(
    `SELECT name FROM properties JOIN search_type_syncs s ON property_id = properties.id
     WHERE monitored AND search_type = 'web' AND (backfilled_from IS NULL OR backfilled_from > backfill_to)`,
  )

/** What the killed server was working on. */
let orphans: Holding[]
/** The properties among them that it had asked about; it may have acquired one in its last moment. */
let begunByVictim: string[]

test('Refresh while a property is in progress: another worker sees that it is held, and leaves it alone', async () => {
  await control.delay(2_000, 'query')
  await monitor(cys, 2 * chunkDays)
  const held = await until(holdings, ({ length }) => length === cys.length)
  for (const property of [...cys, ...cys]) expect((await visitors.get('cy')?.send('POST', '/api/sync', { property }))?.status).toBe(202)
  const refused = () => sql(`SELECT DISTINCT singleton_key FROM jobs.job WHERE name = 'sync-slice' AND state = 'completed'`)
  await until(refused, (jobs) => jobs.length === cys.length)
  const owners = (those: readonly Holding[]) => those.map(({ site, owner }) => `${site} ${owner}`).toSorted()
  expect(owners(await holdings())).toEqual(owners(held))
  await control.delay(50, 'query')
  await until(unfinished, (sites) => sites.length === 0)
  await until(holdings, (still) => still.length === 0)
})

/** Each server works on properties of both people. */
const isShared = (held: readonly Holding[]) =>
  byServer(held).length === 2 && byServer(held).every((each) => new Set(each.map(({ person }) => person)).size === 2)

test('one user has every place of both servers: each of them gives one to the next user', async () => {
  await control.delay(200, 'query')
  await monitor(anns, wholeHistory)
  await until(holdings, (held) => byServer(held).length === 2 && held.length === slotsPerPerson)
  await monitor(bens, wholeHistory)
  await until(
    () => sql(`SELECT 1 FROM jobs.job WHERE name = 'sync-slice' AND group_id = (SELECT id FROM users WHERE email = 'ben@example.test')`),
    (jobs) => jobs.length > 0,
  )
  const came = Date.now()
  await until(holdings, isShared, 60_000)
  const bensTurn = Math.min(...askedSince(came, bens).map(({ began }) => began))
  const meanwhile = askedSince(came, anns).filter(({ began }) => began < bensTurn)
  // Current chunks end, plus one more for properties whose turn had just begun.
  expect(meanwhile.filter(({ dims }) => isOfOneDay(dims)).length).toBeLessThanOrEqual(2 * slotsPerPerson * chunkDays)
}, 120_000)

test('kill -9 of one mid-backfill: the other continues for both users, and takes over only expired leases', async () => {
  // Slow enough to keep everything in mid-chunk until the kill.
  await control.delay(3_000, 'query')
  await until(holdings, isShared, 60_000)
  const [bensHeld] = await until(
    async () => (await holdings()).filter(({ person, site }) => person === 'ben' && serverAt(site)),
    ({ length }) => length > 0,
  )
  const victim = serverAt(bensHeld?.site ?? '')
  await victim?.process.kill()
  const killed = Date.now()
  orphans = (await holdings()).filter(({ owner }) => owner === bensHeld?.owner)
  // Two more chunks of each are enough.
  await sql(
    `UPDATE search_type_syncs SET backfill_to = coalesce(backfilled_from, $2::date + 1) - 14
    FROM properties WHERE properties.id = property_id AND name = ANY ($1)`,
    [[...anns, ...bens], pacificDay(new Date())],
  )
  await control.delay(50, 'query')
  expect(new Set(orphans.map(({ person }) => person))).toEqual(new Set(['ann', 'ben']))
  begunByVictim = orphans.map(({ site }) => site).filter((site) => victim?.relay.asked.some(isOf([site])))
  expect(begunByVictim).toContain(bensHeld?.site)
  const orphaned = new Set(orphans.map(({ site }) => site))
  const others = (sites: readonly string[]) => sites.filter((site) => !orphaned.has(site))
  for (const sites of [anns, bens])
    await until(
      async () => askedSince(killed, others(sites)).length,
      (requests) => requests > 0,
    )

  await until(unfinished, (sites) => sites.length === 0, 100_000)
  await until(holdings, (held) => held.length === 0)
  const survivor = servers.find((server) => server !== victim)
  for (const { site, until: end } of orphans) {
    const first = survivor?.relay.asked.filter(isOf([site])).find(({ began }) => began > killed)
    expect(first?.began).toBeGreaterThanOrEqual(end.getTime())
  }
}, 180_000)

test('no property was requested by both at the same time', () => {
  const handedOver = new Set<string>()
  const together: object[] = []
  for (const site of all) {
    const asked = servers.flatMap(({ relay }, server) => relay.asked.filter(isOf([site])).map((each) => ({ ...each, server })))
    asked.sort((a, b) => a.began - b.began)
    for (const { server, began } of asked) {
      const earlier = asked.filter((other) => other.server !== server && other.began <= began)
      if (earlier.length > 0) handedOver.add(site)
      together.push(...earlier.filter(({ ended }) => ended === null || ended > began))
    }
  }
  expect(together).toEqual([])
  expect([...handedOver]).toEqual(expect.arrayContaining(begunByVictim))
})

/** The final days stored for each property. */
const stored = () =>
  sql<{ id: string; name: string; start: string; end: string }>(
    `SELECT id, name, backfilled_from::text AS start, complete_through::text AS end FROM properties
     JOIN property_syncs p ON p.property_id = id JOIN search_type_syncs s ON s.property_id = id AND search_type = 'web' WHERE name = ANY ($1)`,
    [all],
  )

test("final days' queries by page were never requested twice, except for the chunk that each orphan was at", async () => {
  const spans = new Map((await stored()).map((row) => [row.name, row]))
  const times = new Map<string, Map<string, number>>(all.map((site) => [site, new Map()]))
  for (const { kind, siteUrl, dims, startDate, endDate, startRow } of await control.requests()) {
    const counts = times.get(siteUrl ?? '')
    if (kind !== 'query' || !counts || !startDate || !endDate || !isOfOneDay(dims)) continue
    for (const day of eachDay(startDate, endDate)) {
      const key = `${day} ${startRow}`
      if (day <= (spans.get(siteUrl ?? '')?.end ?? '')) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  for (const [site, counts] of times) {
    // Every day was requested.
    const { start: from, end } = spans.get(site) ?? { start: '', end: '' }
    const wanted = daysBetween(from, end)
    const again = [...counts].filter(([, count]) => count > 1)
    const daysAgain = new Set(again.map(([key]) => key.slice(0, 10))).size
    const mayBe = orphans.some((orphan) => orphan.site === site) ? chunkDays : 0
    expect({ site, asked: counts.size, again, isExplained: daysAgain <= mayBe }).toEqual({ site, asked: wanted, again, isExplained: true })
    expect(again.filter(([, count]) => count > 2)).toEqual([])
  }
})

test('every day of every property is stored exactly as Google has it', async () => {
  const rows = await stored()
  expect(rows).toHaveLength(all.length)
  for (const { id, name, ...span } of rows) {
    const expected = await sumsAtGoogle(control, name, { ...span, dataState: 'final' })
    expect(Object.keys(expected.total)).toHaveLength(daysBetween(span.start, span.end))
    expect({ name, stored: await sumsStored(shared.clickhouse, { property: Number(id) }, span) }).toEqual({ name, stored: expected })
  }
})
