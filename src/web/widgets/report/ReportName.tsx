import { Link, useSearchParams } from 'react-router'
import type { HistoryRange } from '../../../contract/history.ts'
import type { PeriodicReport, ReportKind } from '../../../contract/reports/periodic.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { type Detail, detailLink } from '../analytics/detail/detail-link.ts'

type ReportNameProps = Detail & {
  reportKind: ReportKind
  /** A visitor can't open panels. */
  isOwn: boolean
}

/** A page, by its path, or a query; for its owner a link to its panel. */
export function ReportName({ kind, name, reportKind, isOwn }: ReportNameProps) {
  const [params] = useSearchParams()
  const text = (
    <bdi className="line-clamp-2 wrap-anywhere in-data-compact:line-clamp-1 print:line-clamp-none">
      {kind === 'page' ? pagePath(name) : name}
    </bdi>
  )
  if (!isOwn) return <span title={name}>{text}</span>
  return (
    <Link
      to={reportDetailLink(reportKind, { kind, name }, params)}
      preventScrollReset
      aria-label={name}
      title={name}
      className="relative -my-2.75 flex min-w-10 py-2.75 font-medium text-brand hover:underline lg:pointer-fine:-my-px lg:pointer-fine:py-px print:text-text"
    >
      {text}
    </Link>
  )
}

const rangeOf = { week: '7d', month: '28d' } as const satisfies Record<PeriodicReport['kind'], HistoryRange>

/** Opens a page's or query's panel over the report, with about as many days as the report has. */
function reportDetailLink(kind: PeriodicReport['kind'], detail: Detail, search: URLSearchParams): string {
  const params = new URLSearchParams(search)
  params.delete('days')
  params.set('range', rangeOf[kind])
  return detailLink(detail, params)
}
