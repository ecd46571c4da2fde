import { formatDay } from '../dates.ts'
import type { ProfileName } from './profiles.ts'

/**
 * The sample properties' incidents. This is the only place that defines them: the data follows it, the control API (`GET
 * /_control/incidents`) reports it with real dates, and tests compare what the product found with it.
 *
 * Days count back from the `anchor`, the stand-in's first day: 9 is nine days before it, -12 twelve after. Quiet weeks are intentional.
 */
export type IncidentKind =
  | 'clicks-drop'
  | 'traffic-spike'
  | 'ctr-collapse'
  | 'page-lost'
  | 'page-new'
  | 'query-new'
  | 'query-lost'
  | 'position-slide'

/** `page: 3` is the property's fourth most important page, `query: 3` the query of its fourth most important pair. */
type Entity = 'site' | { readonly page: number } | { readonly query: number }

export interface Incident {
  readonly id: string
  readonly property: ProfileName
  readonly kind: IncidentKind
  readonly entity: Entity
  /** First and last day, in days before the anchor. */
  readonly from: number
  readonly to: number
  /** Days until it has full strength; 0 or absent is immediately. */
  readonly ramp?: number
  /** At full strength: factor on impressions and on click-through rate, and places added to the position. */
  readonly impressions?: number
  readonly ctr?: number
  readonly position?: number
  readonly story: string
}

const FOR_GOOD = -3650

export const incidents: readonly Incident[] = [
  {
    id: 'shop-page-lost',
    property: 'shop',
    kind: 'page-lost',
    entity: { page: 2 },
    from: 11,
    to: FOR_GOOD,
    ramp: 1,
    position: 34,
    story: 'A leading page loses its rankings after a template change and does not come back.',
  },
  {
    id: 'shop-ctr-collapse',
    property: 'shop',
    kind: 'ctr-collapse',
    entity: { page: 4 },
    from: 9,
    to: -30,
    ctr: 0.3,
    story: 'A new title nobody clicks: the position stays, the clicks go.',
  },
  {
    id: 'shop-clicks-drop',
    property: 'shop',
    kind: 'clicks-drop',
    entity: 'site',
    from: 96,
    to: 91,
    impressions: 0.5,
    ctr: 0.85,
    story: 'The site returns errors for six days; everything drops and recovers.',
  },
  {
    id: 'shop-spike',
    property: 'shop',
    kind: 'traffic-spike',
    entity: { page: 1 },
    from: 58,
    to: 56,
    impressions: 6,
    story: 'A TV show features one of the lamps.',
  },
  {
    id: 'shop-position-slide',
    property: 'shop',
    kind: 'position-slide',
    entity: { page: 5 },
    from: 40,
    to: FOR_GOOD,
    ramp: 30,
    position: 8,
    story: 'A competitor overtakes one page, a little every day.',
  },
  {
    id: 'shop-page-new',
    property: 'shop',
    kind: 'page-new',
    entity: { page: 7 },
    from: 33,
    to: FOR_GOOD,
    ramp: 6,
    story: 'A page is published and found within a week.',
  },
  {
    id: 'shop-query-new',
    property: 'shop',
    kind: 'query-new',
    entity: { query: 9 },
    from: 12,
    to: FOR_GOOD,
    ramp: 2,
    impressions: 3,
    story: 'People begin to search for something new.',
  },
  {
    id: 'shop-query-lost',
    property: 'shop',
    kind: 'query-lost',
    entity: { query: 14 },
    from: 10,
    to: FOR_GOOD,
    impressions: 0,
    story: 'The site is no longer shown for a query at all.',
  },
  {
    id: 'shop-drop-last-year',
    property: 'shop',
    kind: 'clicks-drop',
    entity: 'site',
    from: 300,
    to: 279,
    ramp: 3,
    impressions: 0.72,
    position: 1.5,
    story: 'A core update costs the site a quarter of its visibility for three weeks.',
  },
  {
    id: 'shop-later-drop',
    property: 'shop',
    kind: 'clicks-drop',
    entity: 'site',
    from: -21,
    to: -26,
    impressions: 0.55,
    story: 'Another outage, three weeks after the demo was set up.',
  },

  {
    id: 'blog-spike',
    property: 'blog',
    kind: 'traffic-spike',
    entity: 'site',
    from: 8,
    to: 6,
    impressions: 2.4,
    story: 'A recipe goes around on social media and people search for the blog.',
  },
  {
    id: 'blog-query-lost',
    property: 'blog',
    kind: 'query-lost',
    entity: { query: 5 },
    from: 75,
    to: FOR_GOOD,
    impressions: 0,
    story: 'A query is taken over by another site.',
  },
  {
    id: 'blog-query-new',
    property: 'blog',
    kind: 'query-new',
    entity: { query: 11 },
    from: 47,
    to: FOR_GOOD,
    ramp: 4,
    impressions: 2,
    story: 'A baking trend begins.',
  },
  {
    id: 'blog-page-new',
    property: 'blog',
    kind: 'page-new',
    entity: { page: 6 },
    from: 120,
    to: FOR_GOOD,
    ramp: 10,
    story: 'A recipe is published.',
  },
  {
    id: 'blog-ctr-collapse',
    property: 'blog',
    kind: 'ctr-collapse',
    entity: { page: 1 },
    from: 190,
    to: 150,
    ctr: 0.35,
    story: 'An answer shown above the results takes the clicks for six weeks.',
  },
  {
    id: 'blog-later-slide',
    property: 'blog',
    kind: 'position-slide',
    entity: { page: 3 },
    from: -10,
    to: -60,
    ramp: 20,
    position: 9,
    story: 'A slide that begins ten days after the demo was set up.',
  },

  {
    id: 'local-clicks-drop',
    property: 'local',
    kind: 'clicks-drop',
    entity: 'site',
    from: 10,
    to: -14,
    ramp: 1,
    impressions: 0.55,
    position: 1,
    story: 'The practice moved and its listing lags behind: all clicks fall by more than half.',
  },
  {
    id: 'local-page-lost',
    property: 'local',
    kind: 'page-lost',
    entity: { page: 3 },
    from: 130,
    to: 100,
    ramp: 2,
    position: 40,
    story: 'A page is set to noindex by mistake for a month.',
  },
  {
    id: 'local-spike',
    property: 'local',
    kind: 'traffic-spike',
    entity: 'site',
    from: 205,
    to: 203,
    impressions: 3.2,
    story: 'The town’s half marathon weekend.',
  },
]

/** Strength of an incident on a day, 0 (not there) to 1. */
export function strengthOn(incident: Incident, day: number, anchor: number): number {
  const since = day - (anchor - incident.from)
  if (since < 0 || day > anchor - incident.to) return 0
  return incident.ramp ? Math.min(1, (since + 1) / (incident.ramp + 1)) : 1
}

/** How one incident changes a row on a day. */
export interface Effect {
  readonly impressions: number
  readonly ctr: number
  readonly position: number
}

/** The effect on a day, or undefined if there is none. New pages and queries don't exist before they begin. */
export function effectOn(incident: Incident, day: number, anchor: number): Effect | undefined {
  const strength = strengthOn(incident, day, anchor)
  if (incident.kind === 'page-new' || incident.kind === 'query-new') {
    return { impressions: strength * (incident.impressions ?? 1), ctr: 1, position: 0 }
  }
  if (strength === 0) return undefined
  return {
    impressions: 1 + ((incident.impressions ?? 1) - 1) * strength,
    ctr: 1 + ((incident.ctr ?? 1) - 1) * strength,
    position: (incident.position ?? 0) * strength,
  }
}

export interface ResolvedIncident extends Incident {
  readonly start: string
  readonly end: string
  readonly siteUrl: string
  readonly page: string | null
  readonly query: string | null
}

/** An incident with its real dates and names. */
export function resolveIncident(
  incident: Incident,
  anchor: number,
  siteUrl: string,
  names: { readonly page: (index: number) => string | undefined; readonly query: (index: number) => string | undefined },
): ResolvedIncident {
  const { entity } = incident
  return {
    ...incident,
    siteUrl,
    start: formatDay(anchor - incident.from),
    end: formatDay(anchor - incident.to),
    page: entity !== 'site' && 'page' in entity ? (names.page(entity.page) ?? null) : null,
    query: entity !== 'site' && 'query' in entity ? (names.query(entity.query) ?? null) : null,
  }
}
