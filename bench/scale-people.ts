import { sql } from 'kysely'
import { z } from 'zod'
import { addDays } from '../src/core/analytics/days.ts'
import { parseConfig } from '../src/server/config.ts'
import { createLog } from '../src/server/platform/log.ts'
import { createVault, loadSecretKeys } from '../src/server/platform/secrets.ts'
import { createConnectionStore } from '../src/server/sites/connection-store.ts'
import { openStores, type Stores } from '../src/server/stores/stores.ts'
import { fillFacts } from './fill.ts'
import { noteSynced, smallSite } from './load-people.ts'
import type { StandIn } from './support.ts'
import { emailOf, propertiesOf } from './synced-people.ts'

/** The number of sites at Google, each with many owners: their figures have to be requested before they are filled in. */
export const filledSites = 200
/** One for all, so that all have the same last final day. */
const seed = 7
/** Accounts created at the stand-in concurrently. */
const atATime = 16

const grant = z.object({ access_token: z.string(), refresh_token: z.string(), scope: z.string(), sub: z.string() })
const totals = z.object({
  finalDate: z.iso.date(),
  rows: z.array(z.object({ keys: z.array(z.string()), clicks: z.number(), impressions: z.number(), position: z.number().optional() })),
})

type FilledPopulation = { people: number; propertiesEach: number; days: number }

/**
 * More users than could sign up and have their days fetched within hours: their rows are written as sign-in and sync leave them, with
 * tokens that the stand-in knows. The totals are the stand-in's own, so that the next sync finds nothing revised; the finer grains have
 * made-up names. The server must not be running.
 */
export async function fillPeople(dataDir: string, standIn: StandIn, population: FilledPopulation): Promise<void> {
  const stores = await openFor(dataDir)
  try {
    const vault = createVault(...(await loadSecretKeys({ dataDir })))
    const connections = createConnectionStore(stores.db, vault)
    const numbers = Array.from({ length: population.people }, (_, at) => at)
    await writePeople(stores, population)
    for (let from = 0; from < numbers.length; from += atATime) {
      await Promise.all(numbers.slice(from, from + atATime).map((number) => connect(standIn, stores, connections, population, number)))
    }
    await writeDays(stores, standIn, population)
  } finally {
    await stores.close()
  }
}

/** The stores of a server that isn't running. */
export const openFor = (dataDir: string): Promise<Stores> =>
  openStores(parseConfig({ DATA_DIR: dataDir }), createLog('warn', true), (error) => {
    throw error
  })

async function writePeople({ db }: Stores, { people, propertiesEach }: FilledPopulation): Promise<void> {
  const numbers = Array.from({ length: people }, (_, at) => at)
  const ids = numbers.map((number) => `filled-${number}`)
  const emails = numbers.map(emailOf)
  await sql`INSERT INTO users (id, name, email, email_verified) SELECT id, email, email, true
    FROM unnest(${ids}::text[], ${emails}::text[]) AS new (id, email)`.execute(db)
  await sql`INSERT INTO people (user_id, plan, plan_chosen_at) SELECT id, 'pro', now() FROM users`.execute(db)
  const owned = numbers.flatMap((number) =>
    propertiesOf(number, propertiesEach, filledSites).map((name) => ({ owner: `filled-${number}`, name })),
  )
  await sql`INSERT INTO properties (user_id, name, kind, permission_level) SELECT owner, name, 'google', 'siteOwner'
    FROM unnest(${owned.map(({ owner }) => owner)}::text[], ${owned.map(({ name }) => name)}::text[]) AS new (owner, name)`.execute(db)
}

async function connect(
  { control }: StandIn,
  { db }: Stores,
  connections: ReturnType<typeof createConnectionStore>,
  { propertiesEach }: FilledPopulation,
  number: number,
): Promise<void> {
  const email = emailOf(number)
  await control('POST', 'accounts', { email })
  for (const site of propertiesOf(number, propertiesEach, filledSites))
    await control('POST', 'sites', { account: email, site, profile: 'local', seed })
  const given = grant.parse(await control('POST', 'grant', { account: email }))
  await connections.save(
    `filled-${number}`,
    { sub: given.sub, email },
    {
      accessToken: given.access_token,
      accessTokenExpiresAt: new Date(Date.now() + 3_000_000),
      refreshToken: given.refresh_token,
      scope: given.scope,
    },
    new Date(),
    db,
  )
}

async function writeDays(stores: Stores, standIn: StandIn, { people, propertiesEach, days }: FilledPopulation): Promise<void> {
  const properties = people * propertiesEach
  const sites = propertiesOf(0, Math.min(properties, filledSites))
  const { finalDate: through } = await totalsOf(standIn, sites[0] ?? '', days)
  await noteSynced(stores, { through, days })
  const first = addDays(through, 1 - days)
  const { total: _theirs, ...names } = smallSite.names
  for (let from = 1, left = properties; left > 0; from += 500, left -= 500) {
    await fillFacts(stores.clickhouse, { from, count: Math.min(left, 500), first, days, names })
  }
  const values: string[] = []
  for (const [at, site] of sites.entries()) {
    for (const { keys, clicks, impressions, position = 0 } of (await totalsOf(standIn, site, days)).rows) {
      const [day = ''] = keys
      if (day >= first && day <= through) values.push(`(${at}, '${day}', ${clicks}, ${impressions}, ${position * impressions})`)
    }
  }
  // Property n is site n, wrapping around.
  const from = `FROM numbers(${properties}) AS each JOIN (SELECT c1 AS site, toDate(c2) AS day, c3 AS clicks, c4 AS impressions, c5 AS sum
    FROM values('c1 UInt64, c2 String, c3 UInt64, c4 UInt64, c5 Float64', ${values.join(', ')})) AS given ON each.number % ${sites.length} = given.site`
  await stores.clickhouse.command({
    query: `INSERT INTO facts_total SELECT number + 1, 'web', day, 1, clicks, impressions, sum ${from}`,
  })
  await stores.clickhouse.command({
    query: `INSERT INTO facts_current SELECT number + 1, 'web', 'total', day, 1, 1, clicks, impressions ${from}`,
  })
}

async function totalsOf({ control }: StandIn, site: string, days: number) {
  const today = new Date().toISOString().slice(0, 10)
  const question = new URLSearchParams({
    site,
    start: addDays(today, -days - 10),
    end: today,
    dims: 'date',
    type: 'web',
    dataState: 'final',
  })
  return totals.parse(await control('GET', `totals?${question}`))
}
