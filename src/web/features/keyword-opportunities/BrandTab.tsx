import { useQuery } from '@tanstack/react-query'
import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { BrandSplit } from '../../../contract/brand.ts'
import { eachDay } from '../../../core/analytics/days.ts'
import { brandSplitQuery } from '../../api/brand.ts'
import type { ChartSeries } from '../../charts/time-series/chart-series.ts'
import { heightOf } from '../../charts/time-series/layout.ts'
import type { View } from '../../lib/address-view.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { metricLabels } from '../../lib/metric.ts'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { AnnotatedChart } from '../../widgets/annotations/AnnotatedChart.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { brandRows } from './brand.ts'
import { BrandTable } from './BrandTable.tsx'
import { BrandTerms } from './BrandTerms.tsx'
import { FilterBar, PeriodFilters } from './Filters.tsx'
import { periodParams } from './keyword-params.ts'
import { brandView } from './keyword-views.ts'
import { NoKeywords, UnderList } from './ListFrame.tsx'
import { useKeywordSummary } from './use-keyword-summary.ts'

/** How much comes by the brand, and what counts as the brand. */
export function BrandTab({ property }: { property: string }) {
  const [view, show] = useView(brandView)
  return (
    <>
      <FilterBar>
        <PeriodFilters property={property} view={view} show={show} />
      </FilterBar>
      <div className="flex flex-col gap-4">
        <BrandOverview property={property} view={view} onMetric={(metric) => show({ metric })} />
        <BrandTerms key={property} property={property} />
      </div>
    </>
  )
}

type Brand = View<typeof brandView>
type BrandOverviewProps = { property: string; view: Brand; onMetric: (metric: Brand['metric']) => void }

/** Brand, other and hidden keywords beside each other, and day by day. */
function BrandOverview({ property, view, onMetric }: BrandOverviewProps) {
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

type BrandMetric = 'clicks' | 'impressions'

const questions: Record<BrandMetric, string> = {
  clicks: 'Brand vs. non-brand clicks',
  impressions: 'Brand vs. non-brand impressions',
}

/** What the chart of brand and other keywords shows. */
function brandChart(metric: BrandMetric, split: BrandSplit, { current, completeThrough }: AnalyticsSummary) {
  const { brandDays, nonBrandDays } = split
  const days = eachDay(current.start, current.end)
  // On a day with any keyword, the side that has none had nothing; on a day without any, nothing is known.
  const known = new Set([...brandDays, ...nonBrandDays].map(({ date }) => date))
  const series = (label: string, of: BrandSplit['brandDays'], muted: boolean): ChartSeries => {
    const values = new Map(of.map((day) => [day.date, day[metric]]))
    const points = days.map((date) => ({
      date,
      value: known.has(date) ? (values.get(date) ?? 0) : null,
      complete: date <= completeThrough,
    }))
    return { label, points, muted }
  }
  return {
    title: questions[metric],
    summary: `${metricLabels[metric]} by day, ${formatPeriod(current, true)}: ${formatMetric(metric, split.brand[metric])} from brand keywords, ${formatMetric(metric, split.nonBrand[metric])} from non-brand.`,
    series: [series('Brand', brandDays, false), series('Non-brand', nonBrandDays, true)],
  }
}
