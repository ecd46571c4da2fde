import type { AnalyticsSummary, Grain } from '../../../contract/analytics.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { isCompared } from '../../widgets/analytics/coverage/is-compared.ts'
import { comparedDays } from './copy.ts'

type ComparedBarProps = {
  /** Undefined while unknown, null if there is nothing to sum up. */
  summary: AnalyticsSummary | null | undefined
  /** The grains shown below. */
  of: readonly Grain[]
}

/** The days of the period and its comparison. */
export function ComparedBar({ summary, of }: ComparedBarProps) {
  const now = useNow()
  return (
    <p className="mb-3 min-h-10 content-center text-sm text-muted tabular-nums sm:min-h-5">
      {summary === null
        ? 'Google has no complete days for this property yet.'
        : summary && comparedDays({ ...summary, isCompared: of.some((grain) => isCompared(summary, grain)) }, now)}
    </p>
  )
}
