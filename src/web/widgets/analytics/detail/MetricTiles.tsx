import { useId } from 'react'
import type { RowFigures } from '../../../../contract/analytics.ts'
import { formatMetric } from '../../../lib/format.ts'
import { metricLabels, metricNames, type MetricName } from '../../../lib/metric.ts'
import { FigureChange } from '../ComparedFigure.tsx'

type MetricTilesProps = {
  /** Null where there is none in the period. */
  figures: RowFigures | null
  /** Null where there was none before, undefined where nothing is compared. */
  previous: RowFigures | null | undefined
  metric: MetricName
  onChange: (metric: MetricName) => void
}

/** The four figures; choosing one shows its days in the chart. */
export function MetricTiles({ figures, previous, metric, onChange }: MetricTilesProps) {
  const name = useId()
  return (
    <fieldset className="mt-3 grid grid-cols-2 gap-2 sm:grid-cols-4">
      <legend className="sr-only">Chart metric</legend>
      {metricNames.map((each) => {
        const id = `${name}-${each}`
        return (
          <label
            key={each}
            className="min-h-21 cursor-pointer rounded-control border border-line p-3 transition-colors duration-150 hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand sm:min-h-23"
          >
            <input
              type="radio"
              name={name}
              aria-labelledby={id}
              aria-describedby={`${id}-figures`}
              className="sr-only"
              checked={each === metric}
              onChange={() => onChange(each)}
            />
            <span id={id} className="block text-sm text-muted">
              {metricLabels[each]}
            </span>
            <span id={`${id}-figures`} className="block">
              <span className="block text-lg leading-6 font-semibold tabular-nums">
                {figures === null ? '–' : formatMetric(each, figures[each])}
              </span>
              {previous !== undefined && (figures !== null || previous !== null) && (
                <Before metric={each} now={figures} before={previous} />
              )}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}

type BeforeProps = { metric: MetricName; now: RowFigures | null; before: RowFigures | null }

function Before({ metric, now, before }: BeforeProps) {
  // What is no longer shown has no CTR and no position that could have changed.
  if (now === null && (metric === 'ctr' || metric === 'position')) {
    return <span className="text-xs text-muted">previously {before === null ? '–' : formatMetric(metric, before[metric])}</span>
  }
  return <FigureChange metric={metric} now={now?.[metric] ?? 0} before={before?.[metric] ?? null} />
}
