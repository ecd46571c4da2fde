import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { AnalyticsDays, AnalyticsSummary } from '../../../contract/analytics.ts'
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

/** The property by day, with the previous days below and events. */
export function TrendsTab({ property, period, onCompare }: ComparedTabProps) {
  const summary = useQuery(summaryQuery(property, period))
  const days = useQuery(daysQuery(property, period))
  const all = [summary, days]
  const [totals, figures] = [summary.data, days.data]
  const error = summary.error ?? days.error
  return (
    <>
      <ComparedBar property={property} period={period} onCompare={onCompare} summary={totals} of={['total']} />
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
            <Trend key={metric} property={property} metric={metric} days={figures} stored={totals} />
          ))}
        </Dimmed>
      )}
    </>
  )
}

type TrendProps = { property: string; metric: MetricName; days: AnalyticsDays; stored: AnalyticsSummary }

function Trend({ property, metric, days, stored }: TrendProps) {
  const chart = useMemo(() => detailChart(metric, days, stored), [metric, days, stored])
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
        <Skeleton key={metric} className="h-105.5 rounded-card! md:h-96.5 xl:h-102.5" />
      ))}
    </div>
  )
}
