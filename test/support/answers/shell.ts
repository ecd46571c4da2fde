import type { Property, User } from '../../../src/contract/user.ts'
import type { Desk } from './desk.ts'
import { propertyOf, shop, userOf } from './usual.ts'

export const blog = 'https://thecrumbjournal.example/'
export const clinic = 'https://harbourlanephysio.example/'

/** What the demo account is connected to. */
export const demoProperties: Property[] = [shop, blog, clinic].map((name, index) => propertyOf({ id: String(index + 1), name }))

/** The demo account: on Pro, with three properties, on an installation that says it is a demo. */
export const demoOf = (change: Partial<User> = {}): User =>
  userOf({
    username: 'demo',
    email: 'demo@ranklark.example',
    sitesMonitored: demoProperties.length,
    gscProperties: demoProperties,
    demo: true,
    ...change,
  })

/** A new user on Free, with a Google account without properties. */
export const newcomerOf = (change: Partial<User> = {}): User =>
  userOf({
    username: 'newcomer',
    email: 'new@example.test',
    hasPassword: false,
    plan: 'free',
    siteLimit: 1,
    sitesMonitored: 0,
    selectedProperty: null,
    gscProperties: [],
    ...change,
  })

/** A user who has registered but not yet chosen a plan or connected Google. */
export const registeredOf = (change: Partial<User> = {}): User =>
  newcomerOf({
    username: 'registered',
    email: 'registered@example.test',
    emailVerified: false,
    hasPassword: true,
    planChosen: false,
    accessToken: null,
    refreshToken: null,
    gscProperties: null,
    ...change,
  })

/** The sidebar screens' requests beyond the usual, with nothing stored yet. */
export function answerEveryScreen(desk: Desk): void {
  desk.answer('GET /api/analytics/summary', null)
  desk.answer('GET /api/analytics/days', null)
  desk.answer('GET /api/analytics/segments', [])
  desk.answer('GET /api/brand', { terms: ['lumen'], suggested: true })
  desk.answer('GET /api/brand/split', null)
  desk.answer('GET /api/keywords', [])
  desk.answer('GET /api/keywords/opportunities', [])
  desk.answer('GET /api/keywords/competing', [])
  desk.answer('GET /api/pages', [])
  desk.answer('GET /api/pages/decay', null)
  desk.answer('GET /api/reports/periods', [])
  desk.answer('GET /api/reports/periodic', null)
  desk.answer('GET /api/keys', { locked: null, writeLocked: null, keys: [] })
  desk.answer('GET /api/webhook-deliveries', { deliveries: [], more: false })
  desk.answer('GET /api/audit-log', { events: [], next: null })
  desk.answer('GET /api/user/sessions', [])
  desk.answer('GET /api/sites', [])
}
