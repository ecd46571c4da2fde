import { createContext, type ReactNode, useContext } from 'react'
import type { SearchType } from '../../../contract/common.ts'
import type { RowFigures } from '../../../contract/figures.ts'
import type { Period } from '../../../contract/metrics.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import type { ColorBy } from '../../../core/analytics/change-color.ts'
import { changeOf, describeChange } from '../../lib/alert/describe-change.ts'
import { useColorBy } from '../../lib/color-by.ts'
import { formatFigure, formatMetric } from '../../lib/format.ts'
import type { MetricName } from '../../lib/metric.ts'
import { ChangeMark } from '../../ui/ChangeMark.tsx'

/** The figures then. Null: there were none; undefined: nothing is compared. */
type Before = RowFigures | null | undefined

type ComparedFigureProps = {
  metric: MetricName
  /** Null if unknown. */
  now: number | null
  before: Before
  /** What colors the change; by default the person's choice. */
  colorBy?: ColorBy | undefined
  /** The search appearance it is a figure of. */
  appearance?: string | undefined
}

/**
 * A figure, with its previous value and change below: right-aligned in a table, left-aligned under its name in a card. Without room, only
 * its change is shown with it.
 */
export function ComparedFigure({ metric, now, before, ...more }: ComparedFigureProps) {
  return (
    <span className="inline-flex flex-col items-end gap-0.5 tabular-nums in-data-compact:flex-row in-data-compact:items-baseline in-data-compact:gap-1.5 in-[dd]:items-start">
      <span>{now === null ? '–' : formatMetric(metric, now)}</span>
      {before !== undefined && <FigureChange metric={metric} now={now} before={before} {...more} />}
    </span>
  )
}

/** A figure's previous value and its change since; `before` is null if there was none. */
export function FigureChange({
  metric,
  now,
  before,
  colorBy,
  appearance,
}: Omit<ComparedFigureProps, 'before'> & { before: RowFigures | null }) {
  const chosen = useColorBy()
  const incomparable = useIncomparable(metric, appearance)
  if (before === null) return <span className="text-xs text-muted">new</span>
  const change = now === null ? null : changeOf(metric, now, before[metric])
  return (
    <span className="relative inline-flex flex-wrap items-center justify-end gap-x-1.5 text-xs text-muted in-[dd]:justify-start">
      <span className="left-0 in-data-compact:sr-only @max-[60rem]/table:sr-only">
        <span className="sr-only">previously </span>
        {formatFigure(metric, before)}
      </span>
      {incomparable !== null && (
        <span title={incomparable}>
          not comparable<span className="sr-only">: {incomparable}</span>
        </span>
      )}
      {change !== null && incomparable === null && <ChangeMark change={describeChange(metric, change, colorBy ?? chosen, false)} />}
    </span>
  )
}

type Days = {
  current: Period
  previous: Period | null
  /** Web search unless another type is given. */
  type?: SearchType
  /** If all figures are those of one search appearance. */
  appearance?: string | undefined
}

const ComparedContext = createContext<Days | null>(null)

/** The days of the figures below, and the compared days; nothing while unknown. */
export function ComparedDays({ of, children }: { of: Days | null | undefined; children: ReactNode }) {
  return <ComparedContext value={of ?? null}>{children}</ComparedContext>
}

/** Why a figure isn't comparable over these days: Google counted it differently; null if it is, or the days are unknown. */
function useIncomparable(metric: MetricName, appearance: string | undefined): string | null {
  const days = useContext(ComparedContext)
  return days?.previous ? whyIncomparable(metric, days.current, days.previous, days.type, appearance ?? days.appearance) : null
}
