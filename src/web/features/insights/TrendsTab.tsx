import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnalyticsDays, AnalyticsSummary } from '../../../contract/analytics.ts'
import type { HistoryGrain } from '../../../contract/range.ts'
import { daysQuery, summaryQuery } from '../../api/analytics.ts'
import { type MetricName, metricNames } from '../../lib/metric.ts'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { detailChart } from '../../widgets/analytics/detail/detail-chart.ts'
import { AnnotatedChart } from '../../widgets/annotations/AnnotatedChart.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { ComparedBar } from './ComparedBar.tsx'
import type { ComparedTabProps } from './insights-tab.ts'

const gridClass = 'grid gap-4 xl:grid-cols-2 xl:gap-5'

/** The property by day, week or month, with the previous days below and events. */
export function TrendsTab({ property, period, grain }: ComparedTabProps & { grain: HistoryGrain }) {
  const summary = useQuery(summaryQuery(property, period))
  const days = useQuery(daysQuery(property, period))
  const all = [summary, days]
  const [totals, figures] = [summary.data, days.data]
  const error = summary.error ?? days.error
  return (
    <>
      <ComparedBar summary={totals} of={['total']} />
      {error !== null ? (
        <Card>
          <LoadProblem
            what="trends"
            property={property}
            error={error}
            onRetry={() => {
              for (const query of all) if (query.error !== null) void query.refetch()
            }}
          />
        </Card>
      ) : totals === undefined || figures === undefined ? (
        <Loading />
      ) : totals === null || figures === null ? null : (
        <Dimmed when={all.some(({ isPlaceholderData }) => isPlaceholderData)} className={gridClass}>
          {metricNames.map((metric) => (
            <Trend key={metric} property={property} metric={metric} days={figures} stored={totals} grain={grain} />
          ))}
        </Dimmed>
      )}
    </>
  )
}

type TrendProps = { property: string; metric: MetricName; days: AnalyticsDays; stored: AnalyticsSummary; grain: HistoryGrain }

function Trend({ property, metric, days, stored, grain }: TrendProps) {
  const chart = useMemo(() => detailChart(metric, days, stored, grain), [metric, days, stored, grain])
  return (
    <Card>
      <AnnotatedChart property={property} metric={metric} {...chart} />
    </Card>
  )
}

function Loading() {
  return (
    <div aria-busy className={gridClass}>
      <output className="sr-only">Loading trends</output>
      {metricNames.map((metric) => (
        <Skeleton key={metric} className="h-98 rounded-card!" />
      ))}
    </div>
  )
}
