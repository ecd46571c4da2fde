import { CalendarX2 } from 'lucide-react'
import type { AnalyticsDays } from '../../../../contract/analytics.ts'
import { daysBetween } from '../../../../core/analytics/days.ts'
import { formatDay, formatPeriod } from '../../../lib/dates.ts'
import type { MetricName } from '../../../lib/metric.ts'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { AnnotatedChart } from '../../annotations/AnnotatedChart.tsx'
import { capped, storedFrom } from '../list-coverage.ts'
import { LoadProblem } from '../../LoadProblem.tsx'
import { detailChart } from './detail-chart.ts'
import type { Detail } from './detail-link.ts'
import { nouns } from './detail-words.ts'
import { MetricTiles } from './MetricTiles.tsx'
import type { DetailDaysState } from './use-detail-days.ts'

type DetailDaysProps = {
  property: string
  detail: Detail
  days: DetailDaysState
  metric: MetricName
  onMetric: (metric: MetricName) => void
}

/** The figures of the period, and the chosen one day by day. */
export function DetailDays({ property, detail, days, metric, onMetric }: DetailDaysProps) {
  const { answer, error, isOutdated, figures, previous, stored, isCompared } = days
  const { one } = nouns[detail.kind]
  if (error !== null) return <LoadProblem what={`daily data for this ${one}`} property={property} error={error} onRetry={days.retry} />
  if (answer === undefined) return <Loading />
  if (answer === null || (figures === null && previous === null)) {
    return (
      <Dimmed when={isOutdated}>
        <EmptyState icon={<CalendarX2 aria-hidden />} title={`No data for this ${one}`}>
          <p className="wrap-anywhere">
            {answer === null
              ? `No complete day is stored for ${property} yet.`
              : [`Google reports no impressions for ${shownOn(answer)}.`, ...leftOut(answer, one)].join(' ')}{' '}
            Try a longer time range.
          </p>
        </EmptyState>
      </Dimmed>
    )
  }
  return (
    <Dimmed when={isOutdated}>
      <p className="mt-3 text-sm text-muted tabular-nums">
        {formatPeriod(answer.current)}
        {answer.previous !== null && ` vs ${formatPeriod(answer.previous)}`}, complete through {formatDay(answer.completeThrough)}.{' '}
        {[...storedFrom({ ...answer, ...stored, isCompared }), ...leftOut(answer, one)].join(' ')}
      </p>
      <MetricTiles figures={figures} previous={isCompared ? previous : undefined} metric={metric} onChange={onMetric} />
      <div className="mt-6">
        <AnnotatedChart property={property} metric={metric} {...detailChart(metric, answer, stored)} />
      </div>
    </Dimmed>
  )
}

/** A day on which it is in no list may be one on which Google cut its list off. */
const leftOut = ({ current, days, cutOffDays }: AnalyticsDays, one: string): string[] =>
  days.length === daysBetween(current.start, current.end) ? [] : capped(cutOffDays, `${one}s`, `this ${one} may be`)

const shownOn = ({ current, previous }: AnalyticsDays): string =>
  previous === null ? formatPeriod(current) : `${formatPeriod(current)} and ${formatPeriod(previous)}`

/** As large as what comes. */
function Loading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading figures</output>
      <Skeleton className="mt-3 h-5 w-56" />
      <Skeleton className="mt-3 h-44 w-full sm:h-23" />
      <Skeleton className="mt-6 h-79 w-full" />
    </div>
  )
}
