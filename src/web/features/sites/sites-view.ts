import type { Site } from '../../../contract/portfolio.ts'
import { severityRank } from '../../../contract/alerts/alerts.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import { addDays, dayNumber, later } from '../../../core/analytics/days.ts'
import { changeOf } from '../../../core/analytics/shown-change.ts'
import { together } from '../../../core/reports/together.ts'
import type { View } from '../../lib/address-view.ts'
import { holds } from '../../lib/matching.ts'
import { statusOf } from './site-status.ts'

export const comparedMetrics = ['clicks', 'impressions', 'position'] as const
export type ComparedMetric = (typeof comparedMetrics)[number]

/** This screen's URL parameters. */
export const sitesView = {
  view: ['table', 'grid'],
  sort: ['clicks', 'clicksChange', 'impressions', 'impressionsChange', 'position', 'positionChange', 'alerts', 'data', 'name'],
  order: ['desc', 'asc'],
  search: 'text',
  tag: 'text',
} as const
export type SitesView = View<typeof sitesView>
export type SortBy = SitesView['sort']
export type ShowSites = (change: Partial<SitesView>, options?: { replace?: boolean }) => void

export const sortLabels: Record<SortBy, string> = {
  clicks: 'Clicks',
  clicksChange: 'Change in clicks',
  impressions: 'Impressions',
  impressionsChange: 'Change in impressions',
  position: 'Position',
  positionChange: 'Change in position',
  alerts: 'Open alerts',
  data: 'Complete through',
  name: 'Name',
}

/** A column's initial order: best position, problems, or names from A first; otherwise largest first. */
export const firstOrder = (by: SortBy): SitesView['order'] => (by === 'position' || by === 'data' || by === 'name' ? 'asc' : 'desc')

/** Figures of one or more sites, with the previous days'. */
export type Compared = Pick<NonNullable<Site['metrics']>, ComparedMetric | `${ComparedMetric}Previous` | 'current' | 'previous'>

/** A figure's change, in percent or places; null without a base. */
export function changeIn(metrics: Compared | null, metric: ComparedMetric): number | null {
  const before = metrics?.[`${metric}Previous`] ?? null
  if (metrics === null || before === null || whyIncomparable(metric, metrics.current, metrics.previous) !== null) return null
  return changeOf(metric, metrics[metric], before)
}

/** Those that match the search and have the tag. */
export function matching(sites: readonly Site[], { search, tag }: Pick<SitesView, 'search' | 'tag'>): Site[] {
  const wanted = tag.toLowerCase()
  return sites.filter(
    ({ name, tags }) =>
      (wanted === '' || tags.some((each) => each.toLowerCase() === wanted)) &&
      (search.trim() === '' || holds(name, search) || tags.some((each) => holds(each, search))),
  )
}

/** All existing tags, each once regardless of case. */
export function tagsOf(sites: readonly Site[]): string[] {
  const found = new Map(sites.flatMap(({ tags }) => tags).map((tag) => [tag.toLowerCase(), tag]))
  return [...found.values()].toSorted((a, b) => a.localeCompare(b, 'en'))
}

/** A site's sort value; null, which always comes last, if it has none. */
function valueOf(site: Site, by: Exclude<SortBy, 'name'>): number | null {
  const { metrics, alerts } = site
  switch (by) {
    case 'clicks':
    case 'impressions':
      return metrics?.[by] ?? null
    case 'position':
      // No real position is 0.
      return metrics?.position || null
    case 'clicksChange':
      return changeIn(metrics, 'clicks')
    case 'impressionsChange':
      return changeIn(metrics, 'impressions')
    case 'positionChange': {
      const change = changeIn(metrics, 'position')
      return change === null ? null : -change
    }
    case 'alerts':
      // Any critical one outranks any number of warnings.
      return alerts === null ? null : -severityRank(alerts.worst) * 1e6 + alerts.open
    case 'data':
      return (site.sync.completeThrough === null ? 0 : dayNumber(site.sync.completeThrough)) - (statusOf(site).needsOwner ? 1e6 : 0)
  }
}

/** In the requested order; ties, and sites without a value, by name. */
export function sorted(sites: readonly Site[], { sort, order }: Pick<SitesView, 'sort' | 'order'>): Site[] {
  const byName = (a: Site, b: Site): number => spoken(a.name).localeCompare(spoken(b.name), 'en')
  const sign = order === 'asc' ? 1 : -1
  if (sort === 'name') return sites.toSorted((a, b) => sign * byName(a, b))
  const values = new Map(sites.map((site) => [site, valueOf(site, sort)]))
  return sites.toSorted((a, b) => {
    const [x = null, y = null] = [values.get(a), values.get(b)]
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byName(a, b)
    return sign * (x - y) || byName(a, b)
  })
}

/** A name as sorted in a list: without the prefix common to its kind. */
const spoken = (name: string): string =>
  propertyName(name)
    .replace(/^https?:\/\/(www\.)?/i, '')
    .toLowerCase()

/** The sum of monitored sites, counting each click once. */
export type AllSites = {
  /** How many sites it includes. */
  counted: number
  /** As for one site; previous values are null if one of them has no base. */
  metrics: Compared
  /** Left out because they are part of another one. */
  within: string[]
  /** Left out because the sites within them, which are counted instead, have data for more of the days. */
  partial: string[]
  /** Left out because their last days are older than the others'. */
  older: readonly string[]
}

const comparedDays = 7

/** The sum of these sites; null if none of them is monitored and has figures. */
export function allSites(sites: readonly Site[]): AllSites | null {
  const known = sites.flatMap(({ name, monitored, metrics }) => (monitored && metrics !== null ? [{ property: name, metrics }] : []))
  const [first] = known
  if (first === undefined) return null
  const end = known.reduce((last, { metrics }) => later(last, metrics.current.end), first.metrics.current.end)
  const isOlder = ({ metrics }: (typeof known)[number]): boolean => metrics.current.end <= addDays(end, -comparedDays)
  const recent = known.filter((site) => !isOlder(site))
  const newest = recent.find(({ metrics }) => metrics.current.end === end)?.metrics ?? first.metrics
  const { totals, previousTotals, counted, within, partial } = together(recent.map(reportedOf))
  return {
    counted: counted.length,
    metrics: {
      ...totals,
      clicksPrevious: previousTotals?.clicks ?? null,
      impressionsPrevious: previousTotals?.impressions ?? null,
      positionPrevious: previousTotals?.position || null,
      current: newest.current,
      previous: newest.previous,
    },
    within,
    partial,
    older: known.filter(isOlder).map(({ property }) => property),
  }
}

function reportedOf({ property, metrics }: { property: string; metrics: NonNullable<Site['metrics']> }) {
  const { clicks, impressions, ctr, position, clicksPrevious, impressionsPrevious, ctrPrevious, positionPrevious, dates, current } = metrics
  const isCompared = clicksPrevious !== null && impressionsPrevious !== null
  return {
    property,
    days: dates.filter((date) => date >= current.start && date <= current.end),
    totals: { clicks, impressions, ctr, position },
    previousTotals: isCompared
      ? { clicks: clicksPrevious, impressions: impressionsPrevious, ctr: ctrPrevious ?? 0, position: positionPrevious ?? 0 }
      : null,
  }
}
