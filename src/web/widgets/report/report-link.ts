import type { HistoryRange } from '../../../contract/history.ts'
import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { type Detail, detailLink } from '../analytics/detail/detail-link.ts'

const rangeOf = { week: '7d', month: '28d' } as const satisfies Record<PeriodicReport['kind'], HistoryRange>

/** Opens a page's or query's panel over the report, with about as many days as the report has. */
export function reportDetailLink(kind: PeriodicReport['kind'], detail: Detail, search: URLSearchParams): string {
  const params = new URLSearchParams(search)
  params.delete('days')
  params.set('range', rangeOf[kind])
  return detailLink(detail, params)
}
