import { useQuery } from '@tanstack/react-query'
import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { BrandSplit } from '../../../contract/brand.ts'
import { brandSplitQuery } from '../../api/brand.ts'
import { heightOf } from '../../charts/time-series-layout.ts'
import type { View } from '../../lib/address-view.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AnnotatedChart } from '../../widgets/annotations/AnnotatedChart.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { brandChart } from './brand-chart.ts'
import { brandRows } from './brand-rows.ts'
import { BrandTable } from './BrandTable.tsx'
import { UnderList } from './Coverage.tsx'
import { periodParams } from './keyword-params.ts'
import type { brandView } from './keyword-views.ts'
import { NoKeywords } from './NoKeywords.tsx'
import { useKeywordSummary } from './use-keyword-summary.ts'

type Brand = View<typeof brandView>
type BrandOverviewProps = { property: string; view: Brand; onMetric: (metric: Brand['metric']) => void }

/** Brand, other and hidden keywords beside each other, and day by day. */
export function BrandOverview({ property, view, onMetric }: BrandOverviewProps) {
  const split = useQuery(brandSplitQuery(property, periodParams(view)))
  const { summary, error, retry } = useKeywordSummary(property, view)
  const problem = split.error ?? error
  if (problem !== null) {
    const again = () => {
      if (split.error !== null) void split.refetch()
      if (error !== null) retry()
    }
    return (
      <Card>
        <LoadProblem what="brand data" property={property} error={problem} onRetry={again} />
      </Card>
    )
  }
  if (split.data === null || summary === null) {
    return (
      <Card>
        <NoKeywords />
      </Card>
    )
  }
  if (split.data === undefined) return <Loading />
  return (
    // Dimmed also while the list is being saved and the same figures are asked for again.
    <Dimmed when={split.isFetching || summary === undefined} className="flex flex-col gap-4">
      <section aria-label="Brand and non-brand keywords" className="rounded-card border border-line bg-surface p-4 sm:p-6">
        <BrandTable rows={brandRows(split.data, summary)} />
        <UnderList>
          <p className="min-h-10 max-w-[90ch] tabular-nums">
            {summary && `${formatPeriod(summary.current)}, complete through ${formatDay(summary.completeThrough)}. `}
            Google doesn’t name anonymized queries, so they can’t be classified.
          </p>
        </UnderList>
      </section>
      <Card>
        {summary ? <Days property={property} split={split.data} summary={summary} view={view} onMetric={onMetric} /> : <ChartLoading />}
      </Card>
    </Dimmed>
  )
}

const metrics = [
  { value: 'clicks', label: 'Clicks' },
  { value: 'impressions', label: 'Impressions' },
] as const

function Days({ property, split, summary, view, onMetric }: BrandOverviewProps & { split: BrandSplit; summary: AnalyticsSummary }) {
  return (
    <>
      <div className="mb-4">
        <Segments label="Chart metric" choices={metrics} value={view.metric} onChange={onMetric} />
      </div>
      <AnnotatedChart property={property} metric={view.metric} {...brandChart(view.metric, split, summary)} />
    </>
  )
}

function ChartLoading() {
  return (
    <>
      <Skeleton className="mb-4 h-10 w-48" />
      <Skeleton className="mb-2 h-7 w-80 max-w-full" />
      <div style={{ height: heightOf(0, true) }}>
        <Skeleton className="h-full" />
      </div>
    </>
  )
}

function Loading() {
  return (
    <div aria-busy className="flex flex-col gap-4">
      <output className="sr-only">Loading brand data</output>
      <Card>
        <Skeleton className="h-120 lg:h-62" />
      </Card>
      <Card>
        <ChartLoading />
      </Card>
    </div>
  )
}
