import { CalendarX2 } from 'lucide-react'
import { useId } from 'react'
import type { AnalyticsDays } from '../../../../contract/analytics.ts'
import type { RowFigures } from '../../../../contract/figures.ts'
import type { HistoryGrain } from '../../../../contract/range.ts'
import { propertyName } from '../../../../core/accounts/property-name.ts'
import { daysBetween } from '../../../../core/analytics/days.ts'
import { firstStored } from '../../../../core/analytics/gaps.ts'
import { formatPeriod } from '../../../lib/dates.ts'
import { formatMetric } from '../../../lib/format.ts'
import { type MetricName, metricLabels, metricNames } from '../../../lib/metric.ts'
import { useNow } from '../../../lib/hooks/use-now.ts'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { LoadProblem } from '../../LoadProblem.tsx'
import { AnnotatedChart } from '../../annotations/AnnotatedChart.tsx'
import { FigureChange } from '../ComparedFigure.tsx'
import { capped, notStored } from '../coverage/list-coverage.ts'
import { daysShown, yearsNeeded } from '../coverage/years-of-periods.ts'
import { nouns } from './copy.ts'
import { detailChart } from './detail-chart.ts'
import type { Detail } from './detail-link.ts'
import type { DetailDaysState } from './use-detail-days.ts'

type DetailDaysProps = {
  property: string
  detail: Detail
  days: DetailDaysState
  grain: HistoryGrain
  metric: MetricName
  onMetric: (metric: MetricName) => void
}

/** The period's figures, and the selected one by day, week or month. */
export function DetailDays({ property, detail, days, grain, metric, onMetric }: DetailDaysProps) {
  const { answer, error, isOutdated, figures, previous, isCompared } = days
  const { one } = nouns[detail.kind]
  const now = useNow()
  if (error !== null) return <LoadProblem what={`daily data for this ${one}`} property={property} error={error} onRetry={days.retry} />
  if (answer === undefined) return <Loading />
  if (answer === null || (figures === null && previous === null)) {
    return (
      <Dimmed when={isOutdated}>
        <EmptyState icon={<CalendarX2 aria-hidden />} title={`No data for this ${one}`}>
          <p className="wrap-anywhere">
            {answer === null
              ? `There’s no complete day of data for ${propertyName(property)} yet. Data appears here once Google finalizes a day.`
              : [...nothingIn(answer), ...leftOut(answer, one), 'Try a longer time range.'].join(' ')}
          </p>
        </EmptyState>
      </Dimmed>
    )
  }
  return (
    <Dimmed when={isOutdated}>
      <p className="mt-3 text-sm text-muted tabular-nums">
        {[daysShown(answer, now), ...notStored(answer), ...leftOut(answer, one)].join(' ')}
      </p>
      <MetricTiles figures={figures} previous={isCompared ? previous : undefined} metric={metric} onChange={onMetric} />
      <div className="mt-6">
        <AnnotatedChart property={property} metric={metric} {...detailChart(metric, answer, grain)} />
      </div>
    </Dimmed>
  )
}

/** A day with nothing listed may be one on which Google truncated the list. */
const leftOut = ({ current, days, cutOffDays }: AnalyticsDays, one: string): string[] =>
  days.length === daysBetween(current.start, current.end) ? [] : capped(cutOffDays, `${one}s`, `this ${one} may be`)

/** Only stored days can be said to have no impressions. */
const nothingIn = (answer: AnalyticsDays): string[] => {
  const { current, previous, gaps, previousGaps } = answer
  const isKnown = [current, previous].some((days, at) => days && firstStored(days, at === 0 ? gaps : previousGaps) !== null)
  return [...(isKnown ? [`Google reports no impressions for ${shownOn(answer)}.`] : []), ...notStored(answer)]
}

const shownOn = (answer: AnalyticsDays): string => {
  const { years } = yearsNeeded(answer)
  return [answer.current, answer.previous].flatMap((days) => (days === null ? [] : formatPeriod(days, years))).join(' and ')
}

/** The size of the content. */
function Loading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading metrics</output>
      <Skeleton className="mt-3 h-5 w-56" />
      <Skeleton className="mt-3 h-46 w-full sm:h-23" />
      <Skeleton className="mt-6 h-95 w-full sm:h-84" />
    </div>
  )
}

type MetricTilesProps = {
  /** Null without any in the period. */
  figures: RowFigures | null
  /** Null if there were none before, undefined if nothing is compared. */
  previous: RowFigures | null | undefined
  metric: MetricName
  onChange: (metric: MetricName) => void
}

/** The four figures; selecting one shows its days in the chart. */
function MetricTiles({ figures, previous, metric, onChange }: MetricTilesProps) {
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
  // Something no longer shown has no CTR or position that could have changed.
  if (now === null && (metric === 'ctr' || metric === 'position')) {
    return <span className="text-xs text-muted">previously {before === null ? '–' : formatMetric(metric, before[metric])}</span>
  }
  return <FigureChange metric={metric} now={now?.[metric] ?? 0} before={before} />
}
