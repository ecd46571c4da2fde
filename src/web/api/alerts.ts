import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import {
  alert,
  type Alert,
  alertReport,
  alerts,
  alertsCount,
  type EvaluateAnswer,
  evaluateAnswer,
  type Severity,
} from '../../contract/alerts.ts'
import type { IsoDate } from '../../contract/common.ts'
import { askFor, send } from './client.ts'
import { searchParams } from './search-params.ts'

const resource = '/api/alerts'
export const alertsKeys = { all: [resource], lists: [resource, 'list'], report: (id: string) => [resource, 'report', id] } as const

/** Which alerts of a property; all of them by default. */
export type AlertsFilter = {
  severity?: Severity
  /** Days on which they were opened; with `from`, those that last count as well, however old. */
  from?: IsoDate
  to?: IsoDate
  /** `open`: only those that have not recovered. */
  state?: 'open' | 'all'
  viewed?: boolean
}
/** How many of them, counted from the latest. */
export type AlertsPart = { limit?: number; offset?: number }

/** Most that the server answers at once. */
export const mostAlerts = 500

/** An answer that is no list counts as an empty one (SPEC §7). */
const alertsReply = z.preprocess((answer) => (Array.isArray(answer) ? answer : []), alerts)

/** The alerts of a property, or of `all`: the latest first. */
export function alertsQuery(property: string, filter: AlertsFilter & AlertsPart = {}) {
  return queryOptions({
    queryKey: [...alertsKeys.lists, property, filter],
    queryFn: ({ signal }) => askFor(alertsReply, `${resource}?${paramsOf(property, filter)}`, { signal }),
    // Those before stay, dimmed, until the new ones are there.
    placeholderData: keepPreviousData,
  })
}

/** How many alerts there are, however long the list. */
export function alertsCountQuery(property: string, filter: AlertsFilter = {}) {
  return queryOptions({
    queryKey: [resource, 'count', property, filter],
    queryFn: async ({ signal }) => (await askFor(alertsCount, `${resource}/count?${paramsOf(property, filter)}`, { signal })).count,
    placeholderData: keepPreviousData,
  })
}

/** One alert's full report. */
export function alertReportQuery(id: string) {
  return queryOptions({
    queryKey: alertsKeys.report(id),
    queryFn: ({ signal }) => askFor(alertReport, `${resource}/${encodeURIComponent(id)}`, { signal }),
  })
}

/** Where the same alerts are to be had as a file, all of them. */
export const exportAddress = (property: string, filter: AlertsFilter = {}): string => `${resource}/export.csv?${paramsOf(property, filter)}`

export async function reloadAlerts(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: alertsKeys.all })
}

export const acknowledge = (ids: readonly string[]): Promise<Alert[]> =>
  askFor(alerts, `${resource}/acknowledge`, { method: 'POST', body: { ids } })

export const markViewed = (ids: readonly string[]): Promise<Alert[]> =>
  askFor(alerts, `${resource}/viewed`, { method: 'POST', body: { ids } })

/** All that are new, of a property or of `all`. */
export async function markAllViewed(property: string): Promise<void> {
  await send(`${resource}/view-all?property=${encodeURIComponent(property)}`, { method: 'POST' })
}

export const snooze = (id: string, until: Date): Promise<Alert> =>
  askFor(alert, `${resource}/${encodeURIComponent(id)}/snooze`, { method: 'POST', body: { until: until.toISOString() } })

export const unsnooze = (id: string): Promise<Alert> => askFor(alert, `${resource}/${encodeURIComponent(id)}/unsnooze`, { method: 'POST' })

/** Judges the rules of a property now; answers how many alerts are new, and how many findings became none. */
export const evaluateAlerts = (property: string): Promise<EvaluateAnswer> =>
  askFor(evaluateAnswer, `${resource}/evaluate?property=${encodeURIComponent(property)}`, { method: 'POST' })

const paramsOf = (property: string, filter: AlertsFilter & AlertsPart): URLSearchParams => searchParams({ property, ...filter })
