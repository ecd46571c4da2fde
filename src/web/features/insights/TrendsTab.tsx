import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readFilters } from '../../../contract/explore/explore.ts'
import { comparison, type HistoryGrain, historyRange } from '../../../contract/range.ts'
import { boundProblem } from '../../../core/analytics/exploration.ts'
import { daysQuery, historyQuery, summaryQuery } from '../../api/analytics.ts'
import { savedQuery } from '../../api/explore.ts'
import { type MetricName, metricNames } from '../../lib/metric.ts'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { detailChart } from '../../widgets/analytics/detail/detail-chart.ts'
import { AnnotatedChart } from '../../widgets/annotations/AnnotatedChart.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { ComparedBar } from './ComparedBar.tsx'
import type { ComparedTabProps } from './insights-tab.ts'
import { type TrendDays, trendDaysOf } from './trend-days.ts'
import { WholeSiteNote } from './WholeSiteNote.tsx'

const gridClass = 'grid gap-4 xl:grid-cols-2 xl:gap-5'

/** The property, or a segment of it, by day, week or month, with the previous days below and events. */
export function TrendsTab({ property, period, segment, grain }: ComparedTabProps & { segment: string | undefined; grain: HistoryGrain }) {
  const { summary, trends, error, isOutdated, isOfSite, retry } = useTrends(property, period, segment)
  return (
    <>
      {isOfSite && segment !== undefined && <WholeSiteNote />}
      <ComparedBar summary={summary} of={['total']} />
      {error !== null ? (
        <Card>
          <LoadProblem what="trends" property={property} error={error} onRetry={retry} />
        </Card>
      ) : trends === undefined ? (
        <Loading />
      ) : trends === null ? null : (
        <Dimmed when={isOutdated} className={gridClass}>
          {metricNames.map((metric) => (
            <Trend key={metric} property={property} metric={metric} trends={trends} grain={grain} />
          ))}
        </Dimmed>
      )}
    </>
  )
}

/** The days of the segment, or those of the whole site if its filters leave out rows by their figures: those have no daily sums. */
function useTrends(property: string, period: ComparedTabProps['period'], segment: string | undefined) {
  const saved = useQuery({ ...savedQuery, enabled: segment !== undefined })
  const filters = saved.data?.find(({ id, kind }) => id === segment && kind === 'segment')?.content
  const isKnown = segment === undefined || !saved.isPending
  const isOfSite = isKnown && (filters === undefined || boundProblem('Trends', readFilters(filters).filters) !== null)
  const summary = useQuery(summaryQuery(property, period))
  const days = useQuery({ ...daysQuery(property, period), enabled: isOfSite })
  const asked = { range: historyRange.parse(period.range), compare: comparison.parse(period.compare), grain: 'day' } as const
  const history = useQuery({ ...historyQuery(property, { ...asked, segment: segment ?? '' }), enabled: isKnown && !isOfSite })
  const all = isOfSite ? [summary, days] : [history, summary]
  const [ofSite, ofSegment] = [days.data, history.data]
  const trends = useMemo(() => (isOfSite ? ofSite : ofSegment && trendDaysOf(ofSegment)), [isOfSite, ofSite, ofSegment])
  return {
    summary: summary.data,
    trends,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    isOutdated: all.some(({ isPlaceholderData }) => isPlaceholderData),
    isOfSite,
    retry: () => {
      for (const query of all) if (query.error !== null) void query.refetch()
    },
  }
}

type TrendProps = { property: string; metric: MetricName; trends: TrendDays; grain: HistoryGrain }

function Trend({ property, metric, trends, grain }: TrendProps) {
  const chart = useMemo(() => detailChart(metric, trends, grain), [metric, trends, grain])
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
