import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { periodicReportAnswer, reportPeriods, type ReportKind } from '../../contract/periodic-reports.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { ask, askFor } from './client.ts'
import { searchParams } from './search-params.ts'

const periodsResource = '/api/reports/periods'
const reportResource = '/api/reports/periodic'

/** The weeks or months that can be reported on, the latest first. */
export function reportPeriodsQuery(property: string, kind: ReportKind) {
  return queryOptions({
    queryKey: [periodsResource, property, kind],
    queryFn: ({ signal }) => askFor(reportPeriods, `${periodsResource}?${searchParams({ property, kind })}`, { signal }),
  })
}

type ReportParams = { kind: ReportKind; start: string | undefined; plan: HeldPlan }

/** One report, the latest where no start is given; null while there is none. What it holds depends on the plan. */
export function periodicReportQuery(property: string, { kind, start, plan }: ReportParams) {
  return queryOptions({
    queryKey: [reportResource, property, { kind, start }, plan],
    queryFn: ({ signal }) => ask(periodicReportAnswer, `${reportResource}?${searchParams({ property, kind, start })}`, { signal }),
    placeholderData: keepPreviousData,
  })
}
