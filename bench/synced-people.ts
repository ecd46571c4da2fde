import { addDays, pacificDay } from '../src/core/analytics/days.ts'
import type { PlanId } from '../src/contract/user.ts'
import { throughConsent } from '../test/support/consent.ts'
import type { Sql } from '../test/support/stores.ts'
import { until } from '../test/support/until.ts'
import { createVisitor, type Visitor } from '../test/support/visitor.ts'
import type { Control } from './support.ts'

/** A signed-in user with a Google account and monitored properties. */
type SyncedPerson = { email: string; visitor: Visitor; cookie: string; properties: string[] }

type Population = {
  people: number
  propertiesEach: number
  /** Days of history to fetch, including today; Google's sixteen months would take hours. */
  days: number
  plan: PlanId
  /** The first number in the names, so that one population can be added to another. */
  first?: number
}

type Deps = { url: string; sql: Sql; control: Control }

/** How many go through Google's consent page concurrently. */
const atATime = 8

/**
 * Users who sign in through Google's real consent page, select all of their properties, and get them fetched by the real sync. Only the
 * plan and the first day of the history are written behind the server's back.
 */
export async function makeSyncedPeople(deps: Deps, population: Population): Promise<SyncedPerson[]> {
  const { first = 0 } = population
  const numbers = Array.from({ length: population.people }, (_, at) => first + at)
  const people: SyncedPerson[] = []
  for (let from = 0; from < numbers.length; from += atATime) {
    const some = numbers.slice(from, from + atATime)
    people.push(...(await Promise.all(some.map(async (number) => choose(deps, population, await arrive(deps, population, number))))))
  }
  return people
}

/** Waits until nobody's history has anything left to fetch; at most `ms`. */
export async function allSynced(sql: Sql, ms: number, onProgress: (left: number) => void = () => {}): Promise<void> {
  let reportedAt = performance.now()
  await until(
    async () => {
      const [row] = await sql<{ left: string }>(unsynced)
      const left = Number(row?.left)
      if (performance.now() - reportedAt > 15_000) {
        reportedAt = performance.now()
        onProgress(left)
      }
      return left
    },
    (left) => left === 0,
    ms,
  )
}

/** Unfinished: days missing, other search types not checked yet, or a slice in progress. */
const unsynced = `SELECT count(*) AS left FROM properties p LEFT JOIN property_syncs s ON s.property_id = p.id
  WHERE p.monitored AND (s.complete_through IS NULL OR s.types_probed_at IS NULL OR s.running_until IS NOT NULL OR s.state <> 'ok'
    OR EXISTS (SELECT 1 FROM search_type_syncs t WHERE t.property_id = p.id AND (t.backfilled_from IS NULL OR t.backfilled_from > t.backfill_to)))`

export const emailOf = (person: number): string => `person-${person}@ranklark.example`
/** @param sites how many there are at Google in all; if fewer than users have, several share a site */
export const propertiesOf = (person: number, count: number, sites = Infinity): string[] =>
  Array.from({ length: count }, (_, at) => `https://site-${((person * count + at) % sites) + 1}.example/`)

/** Goes through the consent page with a new Google account and gets a plan; selects nothing yet. */
export async function arrive(
  { url, sql, control }: Deps,
  { propertiesEach, plan }: Pick<Population, 'propertiesEach' | 'plan'>,
  number: number,
): Promise<SyncedPerson> {
  const email = emailOf(number)
  const properties = propertiesOf(number, propertiesEach)
  await control('POST', 'accounts', { email })
  for (const site of properties) await control('POST', 'sites', { account: email, site, profile: 'local' })
  const visitor = createVisitor(() => url)
  await throughConsent(visitor, { account: email })
  const [person] = await sql(
    `UPDATE people SET plan = $2, plan_chosen_at = now() WHERE user_id = (SELECT id FROM users WHERE email = $1) RETURNING user_id`,
    [email, plan],
  )
  if (!person) throw new Error(`${email} did not come back from Google`)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return { email, visitor, cookie, properties }
}

/** Monitors all of a user's properties, which starts fetching them. */
async function choose({ sql }: Deps, { days }: Population, person: SyncedPerson): Promise<SyncedPerson> {
  await sql(
    `INSERT INTO search_type_syncs (property_id, search_type, backfill_to)
     SELECT id, 'web', $2 FROM properties WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    [person.email, addDays(pacificDay(new Date()), 1 - days)],
  )
  const chosen = await person.visitor.send('POST', '/api/gsc-properties/monitor', { sites: person.properties })
  if (chosen.status !== 200) throw new Error(`${person.email} could not choose: ${JSON.stringify(chosen.body)}`)
  return person
}
