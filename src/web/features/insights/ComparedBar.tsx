import type { AnalyticsSummary, Comparison, Grain } from '../../../contract/analytics.ts'
import { isCompared } from '../../widgets/analytics/is-compared.ts'
import { CompareSelect } from '../../widgets/analytics/PeriodSelects.tsx'
import { comparedDays } from './copy.ts'

type ComparedBarProps = {
  compare: Comparison
  onCompare: (compare: Comparison) => void
  /** Undefined while it is not known, null while there is nothing to sum up. */
  summary: AnalyticsSummary | null | undefined
  /** What is shown beneath. */
  of: readonly Grain[]
}

/** What the period is compared with, and which days both are. */
export function ComparedBar({ compare, onCompare, summary, of }: ComparedBarProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="w-60 max-sm:w-full">
        <CompareSelect hideLabel value={compare} onChange={onCompare} />
      </div>
      <p className="min-h-10 min-w-0 flex-1 basis-60 content-center text-sm text-muted tabular-nums">
        {summary === null
          ? 'Google has no complete days for this property yet.'
          : summary && comparedDays({ ...summary, isCompared: of.some((grain) => isCompared(summary, grain)) })}
      </p>
    </div>
  )
}
