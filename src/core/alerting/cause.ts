import { gainOf } from './figures.ts'
import type { AlertMetric, Entity } from './rule.ts'

/** A finding, new or of an alert that lasts, as far as its cause can be told from it. */
export type Trace = {
  key: string
  entity: Entity
  metric: AlertMetric
  previous: number | null
  current: number | null
  change: number | null
  /** Of a query: the page on which most of what it lost or gained lies; null where that is not known. */
  page: string | null
  /** Of an alert that lasts. */
  alert: { isRecent: boolean } | null
}

/** Figures from the one that says most to the one that follows from others. */
const metrics: readonly AlertMetric[] = ['clicks', 'impressions', 'position', 'ctr']

/**
 * Which findings have one cause, so that one alert tells them: each that is a part, with the one that leads. A change of the whole site
 * takes in what goes the same way; an entity is told once, by the figure that says most; and a query with the page on which most of its
 * change lies, or with another query of that page. An alert that was told leads; it follows only what is wider and new.
 */
export function groupByCause(traces: readonly Trace[]): Map<string, string> {
  const leads = new Map<string, string>()
  // By what they may lead, as there may be thousands: each in the order of all.
  const before = new Map<string, { at: number; trace: Trace }[]>()
  for (const [at, trace] of traces.toSorted((a, b) => rankOf(a) - rankOf(b)).entries()) {
    const found = placesAbove(trace).flatMap((place) => before.get(place)?.find(({ trace: lead }) => leadsTo(lead, trace)) ?? [])
    const lead = found.toSorted((a, b) => a.at - b.at)[0]
    if (lead) leads.set(trace.key, lead.trace.key)
    for (const place of placesOf(trace)) before.set(place, [...(before.get(place) ?? []), { at, trace }])
  }
  // Who follows a part follows what leads it.
  for (const [key, lead] of leads) leads.set(key, rootOf(leads, lead))
  return leads
}

function rootOf(leads: ReadonlyMap<string, string>, key: string): string {
  const lead = leads.get(key)
  return lead === undefined ? key : rootOf(leads, lead)
}

const kinds: readonly Entity['kind'][] = ['site', 'page', 'query']

/** What is wider before its parts; of the same entity what was told before what is new, then the figure that says most. */
const rankOf = ({ entity, metric, alert }: Trace): number =>
  kinds.indexOf(entity.kind) * 100 + (alert === null ? 10 : 0) + metrics.indexOf(metric)

/** What a trace is found by. */
const placesOf = ({ entity: { kind, name }, page }: Trace): string[] => [
  kind === 'site' ? kind : `${kind} ${name}`,
  ...(page === null ? [] : [`queries of ${page}`]),
]

/** Where what leads it is to be found. */
const placesAbove = ({ entity: { kind, name }, page }: Trace): string[] => [
  'site',
  `${kind} ${name}`,
  ...(page === null ? [] : [`page ${page}`, `queries of ${page}`]),
]

function leadsTo(lead: Trace, part: Trace): boolean {
  const isOld = lead.alert !== null && !lead.alert.isRecent
  if (isOld || directionOf(lead) !== directionOf(part)) return false
  // Two that were told stay two, unless something wider is found.
  if (part.alert !== null && (lead.alert !== null || lead.entity.kind === part.entity.kind)) return false
  if (lead.entity.kind === 'site') return part.entity.kind !== 'site' ? lead.metric === 'clicks' || lead.metric === 'impressions' : true
  if (lead.entity.kind === part.entity.kind && lead.entity.name === part.entity.name) return true
  if (part.entity.kind !== 'query' || part.page === null) return false
  return lead.entity.kind === 'page' ? lead.entity.name === part.page : lead.page === part.page
}

/** Above zero is better; what is new is, what is gone is not. */
function directionOf({ metric, previous, current, change }: Trace): number {
  if (change !== null) return Math.sign(gainOf(metric, change))
  return current === null ? -1 : previous === null ? 1 : 0
}
