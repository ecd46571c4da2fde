import { keepPreviousData, queryOptions, type QueryClient, useQuery } from '@tanstack/react-query'
import {
  type Alert,
  alertEndpoints as endpoints,
  type AlertVerdict,
  type EvaluateAnswer,
  type Severity,
} from '../../contract/alerts/alerts.ts'
import type { IsoDate } from '../../contract/common.ts'
import { addressOf } from '../../contract/endpoint.ts'
import { call } from './client.ts'

const resource = endpoints.list.path
export const alertsKeys = { all: [resource], lists: [resource, 'list'], report: (id: string) => [resource, 'report', id] } as const

/** Which of a property's alerts; by default all. */
export type AlertsFilter = {
  severity?: Severity
  /** The days they were opened; with `from`, ongoing ones of any age count too. */
  from?: IsoDate
  to?: IsoDate
  /** `open`: only those that haven't recovered. */
  state?: 'open' | 'all'
  viewed?: boolean
}
/** The number of alerts, counted from the latest. */
export type AlertsPart = { limit?: number; offset?: number }

/** The server's maximum per answer. */
export const mostAlerts = 500
/** In an answer unless asked for another number. */
const usualAlerts = 200

/** The alerts of a property, or of `all`, latest first. */
export function alertsQuery(property: string, filter: AlertsFilter & AlertsPart = {}) {
  return queryOptions({
    queryKey: [...alertsKeys.lists, property, filter],
    queryFn: ({ signal }) => call(endpoints.list, { query: { property, ...filter }, signal }),
    // The previous ones stay, dimmed, until the new ones arrive.
    placeholderData: keepPreviousData,
  })
}

/** The number of alerts, however long the list. */
export function alertsCountQuery(property: string, filter: AlertsFilter = {}) {
  return queryOptions({
    queryKey: [resource, 'count', property, filter],
    queryFn: async ({ signal }) => (await call(endpoints.count, { query: { property, ...filter }, signal })).count,
    placeholderData: keepPreviousData,
  })
}

/** How many alerts of a property are open, given the first of them: only if there are more than one answer holds does it ask. */
export function useOpenCount(property: string, first: readonly Alert[] | undefined): number | undefined {
  const isMore = first?.length === usualAlerts
  const { data } = useQuery({ ...alertsCountQuery(property, { state: 'open' }), enabled: isMore })
  return isMore ? data : first?.length
}

/** One alert's full report. */
export function alertReportQuery(id: string) {
  return queryOptions({
    queryKey: alertsKeys.report(id),
    queryFn: ({ signal }) => call(endpoints.report, { params: { id }, signal }),
  })
}

/** The URL of a file with all of these alerts. */
export const exportAddress = (property: string, filter: AlertsFilter = {}): string =>
  addressOf(endpoints.file, { query: { property, ...filter } })

export async function reloadAlerts(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: alertsKeys.all })
}

export const acknowledge = (ids: readonly string[]): Promise<Alert[]> => call(endpoints.acknowledge, { body: { ids: [...ids] } })

export const markViewed = (ids: readonly string[]): Promise<Alert[]> => call(endpoints.view, { body: { ids: [...ids] } })

/** All new ones, of a property or of `all`. */
export async function markAllViewed(property: string): Promise<void> {
  await call(endpoints.viewAll, { query: { property } })
}

export const snooze = (id: string, until: Date): Promise<Alert> =>
  call(endpoints.snooze, { params: { id }, body: { until: until.toISOString() } })

export const unsnooze = (id: string): Promise<Alert> => call(endpoints.unsnooze, { params: { id } })

/** Null removes a verdict. */
export const rate = (id: string, verdict: AlertVerdict | null): Promise<Alert> =>
  call(endpoints.rate, { params: { id }, body: { verdict } })

/** Evaluates a property's rules now; returns how many alerts are new, and how many findings were left out. */
export const evaluateAlerts = (property: string): Promise<EvaluateAnswer> => call(endpoints.evaluate, { query: { property } })
