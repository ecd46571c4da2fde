import type { Range } from '../../../contract/analytics.ts'
import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { type Detail, detailLink } from '../analytics/detail/detail-link.ts'

const daysOf: Record<PeriodicReport['kind'], Range> = { week: 7, month: 28 }

/** Opens the panel of a page or query over the report, with about as many days as the report has. */
export function reportDetailLink(kind: PeriodicReport['kind'], detail: Detail, search: URLSearchParams): string {
  const params = new URLSearchParams(search)
  params.set('days', String(daysOf[kind]))
  return detailLink(detail, params)
}
