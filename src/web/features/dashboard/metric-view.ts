import type { IsoDate } from '../../../contract/common.ts'
import type { Metrics } from '../../../contract/metrics.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import type { MetricName } from '../../lib/metric.ts'

/** One of the four metrics of the answer, in the words of a card. */
export type MetricView = {
  value: number
  /** Percent; null when there is nothing to compare with, or only a zero. */
  change: number | null
  /** What the change is counted from: `1,204 → 983` in `3–9 Nov vs 27 Oct–2 Nov`. */
  base: { values: string; periods: string } | null
  points: readonly { date: IsoDate; value: number }[]
}

export function metricView(metrics: Metrics, name: MetricName): MetricView {
  const value = metrics[name]
  const previous = metrics[`${name}Previous`]
  const data = metrics[`${name}Data`]
  return {
    value,
    change: previous === null || (previous === 0 && value !== 0) ? null : metrics[`${name}Change`],
    base:
      previous === null
        ? null
        : {
            values: `${formatMetric(name, previous)} → ${formatMetric(name, value)}`,
            periods: `${formatPeriod(metrics.current)} vs ${formatPeriod(metrics.previous)}`,
          },
    points: metrics.dates.flatMap((date, index) => {
      const day = data[index]
      // Position 0 is none: drawn as a figure it would be the best there is.
      return day === undefined || (name === 'position' && day === 0) ? [] : [{ date, value: day }]
    }),
  }
}
