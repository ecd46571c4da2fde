import { useId } from 'react'
import type { RowFigures } from '../../../contract/figures.ts'
import type { PeriodicReport } from '../../../contract/reports/periodic.ts'
import { whyIncomparable } from '../../../core/analytics/anomalies.ts'
import { changeOf, describeChange } from '../../lib/alert/describe-change.ts'
import { formatFigure } from '../../lib/format.ts'
import { knownFigure, metricLabels, metricNames, type MetricName } from '../../lib/metric.ts'
import { ChangeMark } from '../../ui/ChangeMark.tsx'
import { comparedWords } from './copy.ts'

type ReportTotalsProps = { report: PeriodicReport; metric: MetricName; onMetric: (metric: MetricName) => void }

/** The four figures next to those of the previous period and of last year; selecting one draws its days. */
export function ReportTotals({ report, metric, onMetric }: ReportTotalsProps) {
  const name = useId()
  const words = comparedWords[report.kind]
  return (
    <fieldset className="grid grid-cols-1 gap-3 xs:grid-cols-2 xl:grid-cols-4 print:grid-cols-4">
      <legend className="sr-only">Chart metric</legend>
      {metricNames.map((each) => (
        <label
          key={each}
          className="cursor-pointer rounded-card border border-line bg-surface p-4 transition-colors duration-150 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand print:break-inside-avoid"
        >
          <input
            type="radio"
            name={name}
            aria-labelledby={`${name}-${each}`}
            aria-describedby={`${name}-${each}-figures`}
            className="sr-only"
            checked={each === metric}
            onChange={() => onMetric(each)}
          />
          <span id={`${name}-${each}`} className="block text-sm text-muted">
            {metricLabels[each]}
          </span>
          <span id={`${name}-${each}-figures`} className="block tabular-nums">
            <span className="block text-figure font-semibold">{formatFigure(each, report.totals)}</span>
            <Compared
              metric={each}
              now={report.totals}
              before={report.previousTotals}
              words={words.previous}
              incomparable={whyIncomparable(each, report.period, report.previous)}
            />
            <Compared
              metric={each}
              now={report.totals}
              before={report.lastYearTotals}
              words={words.lastYear}
              incomparable={whyIncomparable(each, report.period, report.lastYear)}
            />
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type ComparedProps = { metric: MetricName; now: RowFigures; before: RowFigures | null; words: string; incomparable: string | null }

/** A figure's change, and the compared period; says so if that isn't stored. Green is better for every reader, as in the PDF. */
function Compared({ metric, now, before, words, incomparable }: ComparedProps) {
  const known = knownFigure(metric, now)
  const change = before === null || known === null || incomparable !== null ? null : changeOf(metric, known, before[metric])
  return (
    <span className="mt-1 flex min-h-5 flex-wrap items-center gap-x-1.5 text-xs text-muted">
      {change !== null && <ChangeMark change={describeChange(metric, change, 'outcome', false)} />}
      <span>{before === null ? `${words}: no data` : `${change === null ? '' : 'vs '}${formatFigure(metric, before)} (${words})`}</span>
      {before !== null && incomparable !== null && <span className="basis-full">{incomparable}</span>}
    </span>
  )
}
