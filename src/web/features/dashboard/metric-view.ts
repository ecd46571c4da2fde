import type { IsoDate } from '../../../contract/common.ts'
import type { MetricsRead } from '../../../contract/metrics.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import type { MetricName } from '../../lib/metric.ts'

/** One of the four metrics of the answer, in the words of a card. */
export type MetricView = {
  /** As the card shows it. */
  value: string
  /** Percent; null when there is nothing to compare with, or only a zero. */
  change: number | null
  /** Why there is no change, where the days were counted otherwise. */
  incomparable: string | null
  /** What the change is counted from: `1,204 → 983` in `3–9 Nov vs 27 Oct–2 Nov`; null when that is nothing, or was not told. */
  base: { values: string; periods: string } | null
  /** Days without a figure are left out. */
  points: readonly { date: IsoDate; value: number }[]
  /** Whether it was told which days the points are of. */
  dated: boolean
}

export function metricView(metrics: MetricsRead, name: MetricName): MetricView {
  const value = metrics[name]
  const before = metrics[`${name}Previous`]
  const data = metrics[`${name}Data`]
  const { current, previous, dates } = metrics
  const incomparable = current && previous ? whyIncomparable(name, current, previous) : null
  return {
    // Where our server says 0, no position is known; whoever leaves it out means 0 (SPEC §3).
    value: dates === undefined && name === 'position' ? value.toFixed(1) : formatMetric(name, value),
    incomparable,
    change: incomparable !== null || before === null || (before === 0 && value !== 0) ? null : metrics[`${name}Change`],
    base:
      before === null || before === undefined || current === undefined || previous === undefined
        ? null
        : {
            values: `${formatMetric(name, before)} → ${formatMetric(name, value)}`,
            periods: `${formatPeriod(current)} vs ${formatPeriod(previous)}`,
          },
    points: data.flatMap((day, index) => {
      const date = dates === undefined ? addDays(someDay, index) : dates[index]
      // Position 0 is none: drawn as a figure it would be the best there is.
      return date === undefined || (name === 'position' && day === 0) ? [] : [{ date, value: day }]
    }),
    dated: dates !== undefined,
  }
}

/** Where days are counted from that nobody is shown. */
const someDay = '2000-01-01'
