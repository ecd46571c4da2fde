import type { ReactNode } from 'react'
import { formatCount } from '../../lib/format.ts'
import { ListCoverage } from '../../widgets/analytics/ListCoverage.tsx'
import type { KeywordSummary } from './use-keyword-summary.ts'

type CoverageProps = {
  about: KeywordSummary
  /** The rows on screen, of those that were answered. */
  shown: readonly { clicks: number }[]
  answered: number
}

/** Below a list: that there are more rows, and how much of the total those on screen explain. */
export function Coverage({ about, shown, answered }: CoverageProps) {
  const clicks = shown.reduce((sum, row) => sum + row.clicks, 0)
  return (
    <UnderList>
      {answered > shown.length && <MoreRows shown={shown.length} />}
      {about.error === null ? (
        <ListCoverage summary={about.summary} what="keywords" shown={{ rows: shown.length, clicks }} />
      ) : (
        <CoverageProblem onRetry={about.retry} />
      )}
    </UnderList>
  )
}

export function UnderList({ children }: { children: ReactNode }) {
  return <div className="mt-4 flex flex-col gap-1 border-t border-line pt-4 text-sm text-muted">{children}</div>
}

export function MoreRows({ shown }: { shown: number }) {
  return <p>Only the first {formatCount(shown)} matches are listed. Export includes all of them.</p>
}

export function CoverageProblem({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert">
      Unable to load these keywords’ share of clicks.{' '}
      <button type="button" className="font-medium text-brand hover:underline" onClick={onRetry}>
        Try again
      </button>
    </p>
  )
}
