import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import type { BrandSplit } from '../../../contract/brand.ts'
import { eachDay } from '../../../core/analytics/days.ts'
import { isUncut, parts } from '../../../core/analytics/history.ts'
import { brandSplitQuery } from '../../api/brand.ts'
import type { ChartSeries } from '../../charts/time-series/chart-series.ts'
import { heightOf } from '../../charts/time-series/layout.ts'
import type { View } from '../../lib/address-view.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatMetric, formatShare } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { knownFigure, type MetricName, metricLabels } from '../../lib/metric.ts'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { ShareBar } from '../../ui/ShareBar.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { ComparedDays, ComparedFigure } from '../../widgets/analytics/ComparedFigure.tsx'
import { notStored, whyNotListed } from '../../widgets/analytics/coverage/list-coverage.ts'
import { NotListed } from '../../widgets/analytics/coverage/NotListed.tsx'
import { daysShown } from '../../widgets/analytics/coverage/years-of-periods.ts'
import { figureColumn } from '../../widgets/analytics/figure-column.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { AnnotatedChart } from '../../widgets/annotations/AnnotatedChart.tsx'
import type { DataColumn, NameColumn } from '../../widgets/table/columns.ts'
import { PlainTable } from '../../widgets/table/PlainTable.tsx'
import { BrandTerms } from './BrandTerms.tsx'
import { NoKeywords, UnderList } from './ListFrame.tsx'
import { type BrandRow, brandRows } from './brand.ts'
import { periodParams } from './keyword-params.ts'
import { brandView } from './keyword-views.ts'
import { useKeywordSummary } from './use-keyword-summary.ts'

/** How much the brand contributes, and what counts as the brand. */
export function BrandTab({ property }: { property: string }) {
  const [view, show] = useView(brandView)
  return (
    <>
      <div className="flex flex-col gap-4">
        <BrandOverview property={property} view={view} onMetric={(metric) => show({ metric })} />
        <BrandTerms key={property} property={property} />
      </div>
    </>
  )
}

type Brand = View<typeof brandView>
type BrandOverviewProps = { property: string; view: Brand; onMetric: (metric: Brand['metric']) => void }

/** Brand, other and hidden keywords side by side, and by day. */
function BrandOverview({ property, view, onMetric }: BrandOverviewProps) {
  const split = useQuery(brandSplitQuery(property, periodParams(view)))
  const { summary, error, retry } = useKeywordSummary(property, view)
  const now = useNow()
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
  const why = summary ? whyNotListed(summary, 'keywords') : null
  if (why !== null) {
    return (
      <Card>
        <NotListed of="keyword">{why}</NotListed>
      </Card>
    )
  }
  if (split.data === undefined) return <Loading />
  return (
    // Also dimmed while the list is saved and the same figures are refetched.
    <Dimmed when={split.isFetching || summary === undefined} className="flex flex-col gap-4">
      <section aria-label="Brand and non-brand keywords" className="rounded-card border border-line bg-surface p-4 sm:p-6">
        <ComparedDays of={summary}>
          <BrandTable rows={brandRows(split.data, summary)} />
        </ComparedDays>
        <UnderList>
          <p className="min-h-10 max-w-[90ch] tabular-nums">
            {summary && `${[daysShown({ ...summary, previous: null }, now), ...notStored({ ...summary, ...summary.keywords })].join(' ')} `}
            Google doesn’t reveal anonymized queries, so they can’t be classified.
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
      <AnnotatedChart property={property} metric={view.metric} {...brandChart(view, split, summary)} />
    </>
  )
}

function ChartLoading() {
  return (
    <>
      <Skeleton className="mb-4 h-10 w-48" />
      <Skeleton className="mb-2 h-7 w-80 max-w-full" />
      <div className="mb-10 sm:mb-5" style={{ height: heightOf(0, true) }}>
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
        <Skeleton className="h-56 md:h-62" />
      </Card>
      <Card>
        <ChartLoading />
      </Card>
    </div>
  )
}

const questions: Record<Brand['metric'], string> = {
  clicks: 'Brand vs. non-brand clicks',
  impressions: 'Brand vs. non-brand impressions',
}

/** The chart of brand and other keywords. */
function brandChart(
  { metric, grain }: Pick<Brand, 'metric' | 'grain'>,
  split: BrandSplit,
  { current, completeThrough, keywords }: AnalyticsSummary,
) {
  const { brandDays, nonBrandDays } = split
  const shown = parts(current, grain)
  // A stored day without keywords had zero.
  const missing = new Set(keywords.gaps.flatMap(({ start, end }) => eachDay(start, end)))
  const series = (label: string, of: BrandSplit['brandDays'], muted: boolean): ChartSeries => {
    const values = new Map(of.map((day) => [day.date, day[metric]]))
    const points = shown.map((part) => {
      const all = eachDay(part.start, part.end)
      const days = all.filter((date) => !missing.has(date))
      return {
        date: part.start,
        value: days.length === 0 ? null : days.reduce((sum, date) => sum + (values.get(date) ?? 0), 0),
        complete: isUncut(part, grain) && part.end <= completeThrough && days.length === all.length,
        ...(grain !== 'day' && { end: part.end }),
      }
    })
    return { label, points, muted }
  }
  return {
    title: grain === 'day' ? questions[metric] : `${questions[metric]} by ${grain}`,
    summary: `${metricLabels[metric]} by ${grain}, ${formatPeriod(current, true)}: ${formatMetric(metric, split.brand[metric])} from brand keywords, ${formatMetric(metric, split.nonBrand[metric])} from non-brand.`,
    series: [series('Brand', brandDays, false), series('Non-brand', nonBrandDays, true)],
  }
}

const names: Record<BrandRow['side'], { label: string; hint: string; mark: string }> = {
  brand: { label: 'Brand', hint: 'Keywords with a brand term', mark: 'border-brand' },
  nonBrand: { label: 'Non-brand', hint: 'All other keywords', mark: 'border-dashed border-muted' },
  hidden: { label: 'Anonymized', hint: 'Can’t be classified', mark: 'border-transparent' },
}

function BrandTable({ rows }: { rows: readonly BrandRow[] }) {
  return <PlainTable caption="Brand and non-brand keywords" rows={rows} keyOf={({ side }) => side} name={name} columns={columns} />
}

const name: NameColumn<BrandRow> = {
  label: 'Keywords',
  value: ({ side }) => names[side].label,
  cell: ({ side }) => <Name side={side} />,
  compact: ({ side }) => <Name side={side} isShort />,
}

/** Includes the line that represents it in the chart. */
function Name({ side, isShort = false }: { side: BrandRow['side']; isShort?: boolean }) {
  const { label, hint, mark } = names[side]
  return (
    <span className="flex flex-col">
      <span className="flex items-center gap-2 font-medium whitespace-nowrap">
        <span aria-hidden className={clsx('w-5 border-t-2', mark)} />
        {label}
      </span>
      {!isShort && <span className="pl-7 text-muted">{hint}</span>}
    </span>
  )
}

const figure = (metric: MetricName): DataColumn<BrandRow> => ({
  ...figureColumn<BrandRow>({ metric, now: ({ now }) => now, keepsRoom: true }),
  isCompact: metric === 'clicks',
  ...(metric === 'impressions' && { narrow: 104 }),
  cell({ side, now, before }) {
    // The position of hidden queries is unknown, now and before.
    const isKnown = side !== 'hidden' || metric !== 'position'
    return <ComparedFigure metric={metric} now={knownFigure(metric, now)} before={isKnown ? before : undefined} />
  },
})

const share = (of: 'clicks' | 'impressions', width: number, narrow: number): DataColumn<BrandRow> => ({
  id: `${of} share`,
  label: `Share of ${of}`,
  width,
  narrow,
  isCompact: of === 'clicks',
  cell: (row) => (
    <span className="inline-flex items-center justify-end gap-2.5">
      <ShareBar share={row.share[of]} className="w-10 in-data-compact:hidden @max-[60rem]/table:hidden" />
      <span className="min-w-9 in-data-compact:min-w-0">{formatShare(row.share[of])}</span>
    </span>
  ),
})

const columns: readonly DataColumn<BrandRow>[] = [
  figure('clicks'),
  share('clicks', 120, 72),
  figure('impressions'),
  share('impressions', 148, 96),
  figure('ctr'),
  figure('position'),
]
