import { Link, useSearchParams } from 'react-router'
import type { Period } from '../../../contract/metrics.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { type Detail, detailLinkOn } from '../analytics/detail/detail-link.ts'

type ReportNameProps = Detail & {
  /** The report's days. */
  period: Period
  /** A visitor can't open panels. */
  isOwn: boolean
}

/** A page, by its path, or a query; for its owner a link to its panel. */
export function ReportName({ kind, name, period, isOwn }: ReportNameProps) {
  const [params] = useSearchParams()
  const text = (
    <bdi className="line-clamp-2 wrap-anywhere in-data-compact:line-clamp-1 print:line-clamp-none">
      {kind === 'page' ? pagePath(name) : name}
    </bdi>
  )
  if (!isOwn) return <span title={name}>{text}</span>
  return (
    <Link
      to={detailLinkOn(period, { kind, name }, params)}
      preventScrollReset
      aria-label={name}
      title={name}
      className="relative -my-2.75 flex min-w-10 py-2.75 font-medium text-brand hover:underline lg:pointer-fine:-my-px lg:pointer-fine:py-px print:text-text"
    >
      {text}
    </Link>
  )
}
