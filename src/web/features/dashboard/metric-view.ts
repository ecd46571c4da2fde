import type { IsoDate, SearchType } from '../../../contract/common.ts'
import type { MetricsRead } from '../../../contract/metrics.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import { addDays } from '../../../core/analytics/days.ts'
import { changeOf } from '../../../core/analytics/shown-change.ts'
import { formatMetric } from '../../lib/format.ts'
import { knownFigure, type MetricName } from '../../lib/metric.ts'
import { formatPeriods } from '../../widgets/analytics/coverage/years-of-periods.ts'

/** One of the answer's four metrics, in a card's words. */
export type MetricView = {
  /** As displayed in the card. */
  value: string
  /** Percent, or places for a position with a base; null if the previous period had nothing, or a base of zero. */
  change: number | null
  /** Why there is no change, if the days were counted differently. */
  incomparable: string | null
  /** What the change is based on: `1,204 → 983` in `3–9 Nov vs 27 Oct–2 Nov`; null if there is none, or it is unknown. */
  base: { values: string; periods: string } | null
  /** Omits days without a figure. */
  points: readonly { date: IsoDate; value: number }[]
  /** Whether the points' days are known. */
  dated: boolean
}

export function metricView(metrics: MetricsRead, name: MetricName, type?: SearchType): MetricView {
  const value = metrics[name]
  // A server with just the fields of SPEC §3 sends 0 for what is missing.
  const isUnknown = !metrics.isStored || (metrics.dates !== undefined && knownFigure(name, metrics) === null)
  const written = isUnknown ? '–' : metrics.dates === undefined && name === 'position' ? value.toFixed(1) : formatMetric(name, value)
  const before = metrics[`${name}Previous`]
  const data = metrics[`${name}Data`]
  const { current, previous, dates } = metrics
  const incomparable = current && previous ? whyIncomparable(name, current, previous, type) : null
  const base =
    before === null || before === undefined || !current || !previous
      ? null
      : {
          values: `${formatMetric(name, before)} → ${written}`,
          periods: formatPeriods(current, previous),
        }
  const change = name === 'position' && base !== null ? changeOf(name, value, before ?? 0) : metrics[`${name}Change`]
  return {
    value: written,
    incomparable,
    change: isUnknown || incomparable !== null || before === null || (before === 0 && value !== 0) ? null : change,
    base,
    points: data.flatMap((day, index) => {
      const date = dates === undefined ? addDays(someDay, index) : dates[index]
      // Position 0 means none: drawn as a figure it would be the best possible.
      return date === undefined || (name === 'position' && day === 0) ? [] : [{ date, value: day }]
    }),
    dated: dates !== undefined,
  }
}

/** An arbitrary start for days that aren't shown. */
const someDay = '2000-01-01'
