import type { AnalyticsSummary } from '../../../../contract/analytics.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { listCoverage, type Listed } from './list-coverage.ts'

type ListCoverageProps = { summary: AnalyticsSummary | null | undefined; what: Listed; shown: { rows: number; clicks: number } }

/** How much of the total a list explains; reserves its space while that is unknown. */
export function ListCoverage({ summary, what, shown }: ListCoverageProps) {
  const now = useNow()
  if (summary === null) return null
  return (
    <p className="min-h-10 max-w-[90ch] text-sm text-muted tabular-nums">
      {summary !== undefined && listCoverage(summary, what, shown, now).join(' ')}
    </p>
  )
}
