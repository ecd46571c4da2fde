import { gainOf } from './figures.ts'
import type { AlertMetric, Entity } from './rule.ts'

/** What grouping by cause needs to know about a finding, be it new or that of an open alert. */
export type Trace = {
  key: string
  entity: Entity
  metric: AlertMetric
  previous: number | null
  current: number | null
  change: number | null
  /** Whether it is compared with last year. */
  isOverAYear: boolean
  /** For a query, the page with most of its change; null if unknown. */
  page: string | null
  /** Set for an open alert. */
  alert: { isRecent: boolean } | null
}

/** How many days after its opening an alert takes in further findings. */
export const recentDays = 14

/** Metrics, from the most telling one to those that merely follow from the others. */
const metrics: readonly AlertMetric[] = ['clicks', 'impressions', 'position', 'ctr']

/**
 * Groups findings that share a cause, so that one alert covers them. Maps the key of each part to the key of its lead. A site-wide change
 * leads every change in the same direction; each entity is reported once, by its most telling metric; a query joins the page with most of
 * its change, or another query of that page. An alert that was already sent leads, and only follows something wider and new. One about
 * last year leads nothing recent: a site that is below last year for months may still crash.
 */
export function groupByCause(traces: readonly Trace[]): Map<string, string> {
  const leads = new Map<string, string>()
  // Indexed by what they may lead, since there can be thousands, each list in overall order.
  const before = new Map<string, { at: number; trace: Trace; way: string }[]>()
  for (const [at, trace] of traces.toSorted((a, b) => rankOf(a) - rankOf(b)).entries()) {
    const found = placesAbove(trace).flatMap((place) => before.get(place)?.find(({ trace: lead }) => leadsTo(lead, trace)) ?? [])
    const lead = found.toSorted((a, b) => a.at - b.at)[0]
    if (lead) leads.set(trace.key, lead.trace.key)
    const way = wayOf(trace)
    for (const place of placesOf(trace)) {
      const others = before.get(place) ?? []
      // A later one that would lead the same parts is never chosen: a few are kept instead of thousands of queries.
      if (!others.some((other) => other.way === way)) others.push({ at, trace, way })
      before.set(place, others)
    }
  }
  // A part of a part belongs to the topmost lead.
  for (const [key, lead] of leads) leads.set(key, rootOf(leads, lead))
  return leads
}

function rootOf(leads: ReadonlyMap<string, string>, key: string): string {
  const lead = leads.get(key)
  return lead === undefined ? key : rootOf(leads, lead)
}

const kinds: readonly Entity['kind'][] = ['site', 'segment', 'page', 'query']

/** Wider entities before their parts; for one entity, open alerts before new findings, recent changes first, then the most telling metric. */
const rankOf = ({ entity, metric, alert, isOverAYear }: Trace): number =>
  kinds.indexOf(entity.kind) * 100 + (alert === null ? 20 : 0) + (isOverAYear ? 10 : 0) + metrics.indexOf(metric)

/** The keys a trace is indexed under. */
const placesOf = ({ entity: { kind, name }, page }: Trace): string[] => [
  kind === 'site' ? kind : `${kind} ${name}`,
  ...(page === null ? [] : [`queries of ${page}`]),
]

/** The keys under which its lead may be found. */
const placesAbove = ({ entity: { kind, name }, page }: Trace): string[] => [
  'site',
  `${kind} ${name}`,
  ...(page === null ? [] : [`page ${page}`, `queries of ${page}`]),
]

/** What decides which parts a trace may lead: of traces indexed under one key, those with the same value would lead the same parts. */
const wayOf = (trace: Trace): string =>
  [trace.entity.kind, trace.metric, directionOf(trace), trace.isOverAYear, trace.alert === null ? 'new' : trace.alert.isRecent].join(' ')

function leadsTo(lead: Trace, part: Trace): boolean {
  const isOld = lead.alert !== null && !lead.alert.isRecent
  if (isOld || directionOf(lead) !== directionOf(part)) return false
  if (lead.alert !== null && lead.isOverAYear && !part.isOverAYear) return false
  // Two alerts that were both sent stay separate unless something wider turns up.
  if (part.alert !== null && (lead.alert !== null || lead.entity.kind === part.entity.kind)) return false
  if (lead.entity.kind === 'site') return part.entity.kind !== 'site' ? lead.metric === 'clicks' || lead.metric === 'impressions' : true
  if (lead.entity.kind === part.entity.kind && lead.entity.name === part.entity.name) return true
  if (part.entity.kind !== 'query' || part.page === null) return false
  return lead.entity.kind === 'page' ? lead.entity.name === part.page : lead.page === part.page
}

/** 1 for better, -1 for worse. New entities and rises from zero count as better, lost entities as worse. */
function directionOf({ metric, current, change }: Trace): number {
  if (change !== null) return Math.sign(gainOf(metric, change))
  return current === null ? -1 : 1
}
