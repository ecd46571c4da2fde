import type { Site } from '../../../src/contract/portfolio.ts'
import { addDays, eachDay } from '../../../src/core/analytics/days.ts'
import type { Desk } from './desk.ts'
import { answerEveryScreen, blog, clinic } from './shell.ts'
import { completeThrough, metricsOf, propertyOf, shop, signIn, syncOf, userOf } from './usual.ts'

let ids = 0

/** A site whose clicks rose from 1,000 to 1,204 a week, with no open alerts and all days stored. */
export function siteOf({ metrics = {}, sync = {}, ...change }: SiteChange = {}): Site {
  const days = eachDay(addDays(completeThrough, -27), completeThrough)
  ids += 1
  return {
    ...propertyOf({ id: `site-${ids}` }),
    tags: [],
    alerts: null,
    ...change,
    metrics:
      metrics === null
        ? null
        : { ...metricsOf(), dates: days, clicksData: days.map((_day, index) => 140 + index + 30 * Math.sin(index)), ...metrics },
    sync: syncOf(sync),
  }
}
type SiteChange = Partial<Omit<Site, 'metrics' | 'sync'>> & {
  metrics?: Partial<NonNullable<Site['metrics']>> | null
  sync?: Partial<Site['sync']>
}

const reconnect = { label: 'Reconnect Google', href: '/api/auth/google?redirect=/dashboard' }

/** An agency's sites, one in each state. */
export const agencySites: readonly Site[] = [
  siteOf({ name: shop, tags: ['Retail', 'EU'], alerts: { open: 3, worst: 'critical' } }),
  // Part of the first one.
  siteOf({
    name: 'https://lumenandloom.example/journal/',
    metrics: { clicks: 300, clicksPrevious: 400, impressions: 9_000, impressionsPrevious: 8_000, position: 6.4, positionPrevious: 5.1 },
  }),
  siteOf({
    name: blog,
    tags: ['Retail'],
    alerts: { open: 1, worst: 'warning' },
    metrics: {
      clicks: 640,
      clicksPrevious: 655,
      impressions: 120_430,
      impressionsPrevious: 118_000,
      position: 11.4,
      positionPrevious: 11.4,
    },
  }),
  siteOf({
    name: clinic,
    alerts: { open: 12, worst: 'positive' },
    metrics: { clicks: 82, clicksPrevious: null, impressions: 900, impressionsPrevious: null, position: 24, positionPrevious: null },
  }),
  siteOf({
    name: 'sc-domain:importing.example',
    metrics: null,
    sync: { daysLeft: 294, daysTotal: 490, running: true, completeThrough: null },
  }),
  siteOf({
    name: 'https://cut-off.example/',
    sync: { state: 'token_revoked', message: 'Google access expired or was revoked.', action: reconnect, completeThrough: '2026-01-20' },
    metrics: { current: { start: '2026-01-14', end: '2026-01-20' }, previous: { start: '2026-01-07', end: '2026-01-13' } },
  }),
  siteOf({ name: 'https://paused.example/', monitored: false, paused: true, metrics: { clicks: 5, clicksPrevious: 4 } }),
  siteOf({
    name: 'https://a-very-long-name-of-a-property.example/with/a/path/that/goes/on/and/on/',
    monitored: false,
    metrics: null,
    sync: { completeThrough: null },
  }),
  siteOf({
    name: 'https://not-verified.example/',
    monitored: false,
    permissionLevel: 'siteUnverifiedUser',
    metrics: null,
    sync: { completeThrough: null },
  }),
]

/** A user on Agency with many sites. */
export function agency(desk: Desk): void {
  answerEveryScreen(desk)
  signIn(
    desk,
    userOf({
      plan: 'agency',
      siteLimit: 25,
      sitesMonitored: 6,
      gscProperties: agencySites.map(({ tags: _tags, metrics: _metrics, alerts: _alerts, sync: _sync, ...property }) => property),
    }),
  )
  desk.answer('GET /api/sites', [...agencySites])
}
