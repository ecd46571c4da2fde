import type { AnalyticsSummary, Grain } from '../../../contract/analytics.ts'
import { historyRange } from '../../../contract/range.ts'
import { CompareSelect } from '../../widgets/analytics/CompareSelect.tsx'
import { isCompared } from '../../widgets/analytics/is-compared.ts'
import { comparedDays } from './copy.ts'
import type { ComparedTabProps } from './insights-tab.ts'

type ComparedBarProps = ComparedTabProps & {
  /** Undefined while unknown, null if there is nothing to sum up. */
  summary: AnalyticsSummary | null | undefined
  /** The grains shown below. */
  of: readonly Grain[]
}

/** The period's comparison, and the days of both. */
export function ComparedBar({ property, period, onCompare, summary, of }: ComparedBarProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="w-70 max-sm:w-full">
        <CompareSelect hideLabel property={property} range={historyRange.parse(period.range)} value={period.compare} onChange={onCompare} />
      </div>
      <p className="min-h-10 min-w-0 flex-1 basis-60 content-center text-sm text-muted tabular-nums">
        {summary === null
          ? 'Google has no complete days for this property yet.'
          : summary && comparedDays({ ...summary, isCompared: of.some((grain) => isCompared(summary, grain)) })}
      </p>
    </div>
  )
}
