import type { Subscription } from '../../../src/contract/billing.ts'
import { monitorSites } from '../../../src/contract/sites.ts'
import type { Property, User } from '../../../src/contract/user.ts'
import { type Known, knows } from './account.ts'
import type { Desk } from './desk.ts'
import { propertyOf, subscriptionOf, syncOf, usualAnswers } from './usual.ts'

/** A user who pays nothing. */
export const unpaidOf = (change: Partial<Subscription> = {}): Subscription =>
  subscriptionOf({ plan: 'free', status: 'none', currentPeriodEnd: null, card: null, ...change })

/** Properties of a Google account, none of them monitored yet. */
export const unmonitored = (...names: readonly string[]): Property[] =>
  names.map((name, index) => propertyOf({ id: String(index + 1), name, monitored: false }))

/**
 * A user on the way from a plan to the first dashboard, who pays nothing yet: the server's state changes with their choices, and through
 * the returned object elsewhere.
 */
export function setUp(desk: Desk, first: User): Known['change'] {
  const { user, change } = knows(desk, first)
  desk.answer('GET /api/subscription', unpaidOf())
  desk.answer('GET /api/sync', ({ query }) => usualSync(query.get('property') ?? user().selectedProperty))
  desk.answer('POST /api/gsc-properties/monitor', ({ body }) => ({ user: change(watching(user(), body)) }))
  return change
}

const usualSync = (property: string | null) => (property === null ? (usualAnswers['GET /api/sync'] ?? []) : [syncOf({ property })])

/** The same user monitoring the requested sites; one with another name was typed. */
function watching(user: User, body: unknown): Partial<User> {
  const { sites } = monitorSites.parse(body)
  const known = user.gscProperties ?? []
  const typed = sites.filter((site) => known.every(({ name }) => name !== site))
  const properties = [...known, ...typed.map((name) => propertyOf({ id: name, name }))]
  return {
    gscProperties: properties.map((property) => ({ ...property, monitored: sites.includes(property.name) })),
    sitesMonitored: sites.length,
    selectedProperty: sites[0] ?? null,
  }
}
