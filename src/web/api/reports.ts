import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { periodicReportEndpoints as endpoints, type ReportKind } from '../../contract/periodic-reports.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { call } from './client.ts'

/** The weeks or months that can be reported on, the latest first. */
export function reportPeriodsQuery(property: string, kind: ReportKind) {
  return queryOptions({
    queryKey: [endpoints.periods.path, property, kind],
    queryFn: ({ signal }) => call(endpoints.periods, { query: { property, kind }, signal }),
  })
}

type ReportParams = { kind: ReportKind; start: string | undefined; plan: HeldPlan }

/** One report, the latest where no start is given; null while there is none. What it holds depends on the plan. */
export function periodicReportQuery(property: string, { kind, start, plan }: ReportParams) {
  return queryOptions({
    queryKey: [endpoints.read.path, property, { kind, start }, plan],
    queryFn: ({ signal }) => call(endpoints.read, { query: { property, kind, start }, signal }),
    placeholderData: keepPreviousData,
  })
}
