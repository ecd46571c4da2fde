import type { AlertCondition } from '../../../src/contract/alerts/conditions.ts'
import type { Alert } from '../../../src/contract/alerts/alerts.ts'
import type { Subscription } from '../../../src/contract/billing.ts'
import type { DeliverySettings } from '../../../src/contract/delivery/delivery.ts'
import type { DeliveryChannels } from '../../../src/contract/delivery/channels.ts'
import type { Metrics } from '../../../src/contract/metrics.ts'
import type { SyncStatus } from '../../../src/contract/sync.ts'
import type { Property, Session, User } from '../../../src/contract/user.ts'
import { catalog } from '../../../src/core/billing/plans.ts'
import { addDays, eachDay } from '../../../src/core/analytics/days.ts'
import type { Desk } from './desk.ts'
import { historyFrom } from './history.ts'
import type { AnswerOf, AskedRoute } from './schemas.ts'

/** The screens' current day; far from new year and from any clock change, so that periods appear in their short form. */
export const today = '2026-03-18'
/** Noon in California on that day. */
export const now = new Date(`${today}T19:00:00.000Z`)
/** Google has completed all days but the last two. */
export const completeThrough = addDays(today, -2)

export const shop = 'sc-domain:lumenandloom.example'
/** Same as on screen. */
export const shopName = 'lumenandloom.example'

export const propertyOf = (change: Partial<Property> = {}): Property => ({
  id: '1',
  name: shop,
  kind: 'google',
  monitored: true,
  paused: false,
  permissionLevel: 'siteOwner',
  ...change,
})

/** A user on Pro who monitors one property. */
export const userOf = (change: Partial<User> = {}): User => ({
  id: 'ann',
  username: 'ann',
  email: 'ann@example.test',
  emailVerified: true,
  pendingEmail: null,
  hasPassword: true,
  twoFactorEnabled: false,
  googleSignIns: [],
  plan: 'pro',
  planChosen: true,
  siteLimit: 5,
  sitesMonitored: 1,
  sitesPaused: 0,
  selectedProperty: shop,
  accessToken: 'redacted',
  refreshToken: 'redacted',
  gscProperties: [propertyOf()],
  demo: false,
  ...change,
})

export const sessionOf = (user: User | null): Session => ({
  authenticated: user !== null,
  user,
  demo: user?.demo ?? false,
  mail: true,
  billing: user?.plan === null ? 'off' : 'stripe',
})

export const syncOf = (change: Partial<SyncStatus> = {}): SyncStatus => ({
  property: shop,
  state: 'ok',
  message: null,
  action: null,
  running: false,
  daysLeft: 0,
  daysTotal: 0,
  secondsLeft: null,
  lastSyncedAt: new Date(now.getTime() - 3_600_000).toISOString(),
  retryAt: null,
  completeThrough,
  firstDate: addDays(today, -487),
  lastDate: today,
  ...change,
})

export const subscriptionOf = (change: Partial<Subscription> = {}): Subscription => ({
  plan: 'pro',
  status: 'active',
  begunPlan: null,
  currentPeriodEnd: '2026-04-10T12:00:00.000Z',
  nextPlan: null,
  card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 },
  checkout: { publishableKey: 'pk_test_screens', scriptUrl: null },
  ...change,
})

const nowhere = { locked: null, to: null, problem: null, lastSentAt: null }

export const channelsOf = (change: Partial<DeliveryChannels> = {}): DeliveryChannels => ({
  email: { ...nowhere, to: 'ann@example.test', waitingFor: null, unconfirmed: null },
  slack: { ...nowhere, channel: null, example: null },
  sms: { ...nowhere, waitingFor: null },
  webhook: { ...nowhere, example: null },
  ...change,
})

export const settingsOf = (change: Partial<DeliverySettings> = {}): DeliverySettings => ({
  id: '1',
  emailEnabled: true,
  criticalAlerts: true,
  warningAlerts: true,
  positiveAlerts: false,
  slackEnabled: false,
  smsEnabled: false,
  webhookEnabled: false,
  frequency: 'daily',
  timeZone: 'UTC',
  digestHour: 8,
  digestWeekday: 1,
  digestWhenQuiet: true,
  quietHours: null,
  ...change,
})

/** The cards' figures for the week, compared with the week before. */
export function metricsOf(change: Partial<Metrics> = {}): Metrics {
  const start = addDays(completeThrough, -6)
  return {
    property: shop,
    clicks: 1_204,
    clicksChange: 20.4,
    clicksPrevious: 1_000,
    clicksData: [150, 160, 170, 180, 190, 174, 180],
    impressions: 24_080,
    impressionsChange: 0.333,
    impressionsPrevious: 24_000,
    impressionsData: [3_400, 3_440, 3_400, 3_500, 3_440, 3_400, 3_500],
    ctr: 0.05,
    ctrChange: 20,
    ctrPrevious: 0.041_67,
    ctrData: [0.044, 0.047, 0.05, 0.051, 0.055, 0.051, 0.051],
    position: 8.2,
    positionChange: -8.9,
    positionPrevious: 9,
    positionData: [8.6, 8.4, 8.3, 8.2, 8.1, 8, 8],
    dates: eachDay(start, completeThrough),
    current: { start, end: completeThrough },
    previous: { start: addDays(start, -7), end: addDays(start, -1) },
    isStored: true,
    completeThrough,
    ...change,
  }
}

let ids = 0

/** An alert about a page that lost 60% of its clicks, found an hour ago. */
export function alertOf(change: Partial<Alert> = {}): Alert {
  ids += 1
  const end = completeThrough
  return {
    id: `alert-${ids}`,
    severity: 'critical',
    type: 'clicks',
    title: 'Clicks dropped: https://lumenandloom.example/lamps',
    description: 'Clicks for <code>https://lumenandloom.example/lamps</code> fell by <strong>60.0%</strong>.',
    currentValue: 5_600,
    previousValue: 14_000,
    timestamp: new Date(now.getTime() - 3_600_000).toISOString(),
    target: shop,
    data: Array.from({ length: 28 }, (_, index) => (index < 21 ? 2_000 : 800)),
    viewed: false,
    state: 'firing',
    snoozedUntil: null,
    entity: { kind: 'page', name: 'https://lumenandloom.example/lamps' },
    change: -60,
    current: { start: addDays(end, -6), end },
    previous: { start: addDays(end, -13), end: addDays(end, -7) },
    findings: [],
    conditionId: 'rule-1',
    verdict: null,
    action: null,
    ...change,
  }
}

/** A rule about the clicks of top pages. */
export const conditionOf = (change: Partial<AlertCondition> = {}): AlertCondition => ({
  id: 'rule-1',
  property: shop,
  type: 'clicks',
  kind: 'change',
  title: 'Clicks drop',
  icon: 'mouse-pointer-click',
  isEnabled: true,
  direction: 'falls',
  onlyUnusual: true,
  monitor: 'top_pages',
  searchType: 'web',
  monitorOptions: [
    { value: 'site', label: 'Entire Site' },
    { value: 'top_pages', label: 'Top Pages' },
  ],
  targets: [],
  threshold: 20,
  thresholdUnit: '%',
  comparison: 'previous_7_days',
  comparisonOptions: [
    { value: 'previous_7_days', label: 'Previous 7 days' },
    { value: 'previous_30_days', label: 'Previous 30 days' },
  ],
  problem: null,
  leftOut: 0,
  ...change,
})

/** Answers for a user with one property, its figures and no alerts. */
export const usualAnswers: Partial<{ [R in AskedRoute]: AnswerOf<R> }> = {
  'GET /api/auth/session': sessionOf(userOf()),
  'GET /api/user': userOf(),
  'GET /api/user/sessions': [],
  'GET /api/audit-log': { events: [], next: null },
  'GET /api/gsc-properties': [propertyOf()],
  'GET /api/sync': [syncOf()],
  'GET /api/subscription': subscriptionOf(),
  'GET /api/plans': [...catalog],
  'GET /api/delivery-channels': channelsOf(),
  'GET /api/delivery-settings': settingsOf(),
  'GET /api/metrics': metricsOf(),
  'GET /api/analytics/history': historyFrom(new URLSearchParams(), { property: shop, completeThrough, days: 487 }),
  'GET /api/analytics/search-types': [],
  'GET /api/explore': null,
  'GET /api/explore/changes': null,
  'GET /api/explore/history': { ...historyFrom(new URLSearchParams(), { property: shop, completeThrough, days: 487 }), expectedClicks: [] },
  'GET /api/explore/saved': [],
  'GET /api/today': { locked: null, today: null },
  'GET /api/annotations': { notes: [], incidents: [], anomalies: [] },
  'GET /api/alerts': [],
  'GET /api/alerts/count': { count: 0 },
  'GET /api/alert-conditions': [conditionOf()],
  'GET /api/holiday-country': { chosen: null, guessed: 'usa', countries: ['aut', 'deu', 'gbr', 'usa'] },
  'GET /api/alert-templates': [],
  'POST /api/alert-conditions/backtest': { from: null, through: null, days: [], alertsAYear: null, usual: null, expected: null },
}

/** The user of the screen; null: not signed in. */
export function signIn(desk: Desk, user: User | null): void {
  desk.answer('GET /api/auth/session', sessionOf(user))
  if (user === null) return
  desk.answer('GET /api/user', user)
  desk.answer('GET /api/gsc-properties', user.gscProperties ?? [])
}
