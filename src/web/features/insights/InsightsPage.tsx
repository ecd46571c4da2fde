import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { writeComparison, writeRange } from '../../../contract/range.ts'
import { highCtrPages, lowCtrPages } from '../../../core/analytics/page-groups.ts'
import {
  keywordsFile,
  keywordsQuery,
  opportunitiesFile,
  opportunitiesQuery,
  pagesFile,
  pagesQuery,
  type PeriodParams,
  summaryQuery,
} from '../../api/analytics.ts'
import { DonutChart } from '../../charts/donut/DonutChart.tsx'
import { ScatterChart } from '../../charts/ScatterChart.tsx'
import { formatCount } from '../../lib/format.ts'
import { PropertyScreen } from '../../shell/PropertyScreen.tsx'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { keywordAddress } from '../../widgets/analytics/drill-down.ts'
import { whyNotListed } from '../../widgets/analytics/coverage/list-coverage.ts'
import { ListCoverage } from '../../widgets/analytics/coverage/ListCoverage.tsx'
import { NotListed } from '../../widgets/analytics/coverage/NotListed.tsx'
import { PeriodOfScreen } from '../../widgets/analytics/PeriodControls.tsx'
import { periodIn, periodView } from '../../widgets/analytics/period-view.ts'
import { SegmentSelect } from '../../widgets/analytics/SegmentSelect.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { type ExportFile, ExportMenu } from '../../widgets/ExportMenu.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { PropertyTitle } from '../../widgets/PropertyTitle.tsx'
import { AudienceTab } from './AudienceTab.tsx'
import { ctrSummary, distributionSummary } from './copy.ts'
import { averageScore, highImpactScore, type InsightLists, listLimits, positionBuckets } from './insight-figures.ts'
import { FigureCard, InsightCards, InsightCardsLoading } from './InsightCards.tsx'
import type { InsightsTabProps } from './insights-tab.ts'
import { MonitoringTab } from './MonitoringTab.tsx'
import { RecommendationsLoading, RecommendationsTab } from './RecommendationsTab.tsx'
import { TrendsTab } from './TrendsTab.tsx'
import { WholeSiteNote } from './WholeSiteNote.tsx'

export function InsightsPage() {
  return (
    <PropertyScreen title="SEO insights" heading="SEO Insights Dashboard" need="Select a property to see what to improve first.">
      {(property) => <Insights property={property} />}
    </PropertyScreen>
  )
}

function Insights({ property }: { property: string }) {
  const [view, show] = useView(insightsView)
  const asked = useMemo(() => periodIn(view), [view])
  const range = writeRange(asked.range)
  const segment = view.segment === '' ? undefined : view.segment
  const { lists, summary, error, isOutdated, retry } = useInsights(property, range, segment)
  const period = { range, compare: writeComparison(asked.compare) }
  const why = summary && whyNotListed(summary, 'pages') !== null ? whyNotListed(summary, 'keywords') : null
  const link = useMemo(() => ({ property, ...asked, segment: view.segment }), [property, asked, view.segment])

  /** Tabs built from the lists: a loading problem is shown once, above. */
  function ofLists(Content: (props: InsightsTabProps) => ReactNode, loading: ReactNode): ReactNode {
    if (error !== null) return <p className="text-muted">Available once the metrics above load.</p>
    if (lists === null) return loading
    if (why !== null) return <p className="text-muted">{why}</p>
    return (
      <Dimmed when={isOutdated}>
        <Content link={link} lists={lists} summary={summary} />
      </Dimmed>
    )
  }

  const wholeSite = (content: ReactNode): ReactNode => (
    <>
      {segment !== undefined && <WholeSiteNote />}
      {content}
    </>
  )
  return (
    <>
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <PropertyTitle title="SEO Insights Dashboard" property={property} />
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <div className="w-44 max-sm:w-auto max-sm:grow">
            <SegmentSelect hideLabel of="page" all="Whole site" value={view.segment} onChange={(chosen) => show({ segment: chosen })} />
          </div>
          <PeriodOfScreen property={property} hasInterval={view.tab === 'trends'} />
          <ExportMenu property={property} files={insightFiles(property, { ...period, segment })} />
        </div>
      </div>
      {error !== null ? (
        <Card>
          <LoadProblem what="insights" property={property} error={error} onRetry={retry} />
        </Card>
      ) : lists === null ? (
        <InsightCardsLoading />
      ) : why !== null ? (
        <Card>
          <NotListed>{why}</NotListed>
        </Card>
      ) : (
        <Dimmed when={isOutdated}>
          <InsightCards lists={lists} summary={summary} isOfSegment={segment !== undefined} />
        </Dimmed>
      )}
      <div className="mt-2">
        <Tabs
          label="Insights"
          value={view.tab}
          onChange={(chosen) => show({ tab: insightsView.tab.find((tab) => tab === chosen) ?? view.tab })}
          tabs={[
            { value: 'recommendations', label: 'Recommendations', content: ofLists(RecommendationsTab, <RecommendationsLoading />) },
            { value: 'performance', label: 'Performance Analytics', content: ofLists(PerformanceTab, <PerformanceLoading />) },
            { value: 'monitoring', label: 'Smart Monitoring', content: wholeSite(<MonitoringTab property={property} />) },
            { value: 'audience', label: 'Audience', content: wholeSite(<AudienceTab property={property} period={period} />) },
            {
              value: 'trends',
              label: 'Trends',
              content: <TrendsTab property={property} period={period} segment={segment} grain={asked.grain} />,
            },
          ]}
        />
      </div>
    </>
  )
}

/** The data behind cards, recommendations and charts, with the context for reading it. Nothing in it is compared. */
function useInsights(property: string, range: string, segment: string | undefined) {
  const days = { range, compare: 'none' } as const
  const summary = useQuery(summaryQuery(property, days))
  const period = segment === undefined ? days : { ...days, segment }
  const opportunities = useQuery(opportunitiesQuery(property, { ...period, limit: listLimits.opportunities }))
  const keywords = useQuery(keywordsQuery(property, { ...period, limit: listLimits.keywords }))
  const pages = useQuery(pagesQuery(property, { ...period, limit: listLimits.pages }))
  const all = [summary, opportunities, keywords, pages]
  const lists: InsightLists | null =
    opportunities.data && keywords.data && pages.data
      ? { opportunities: opportunities.data, keywords: keywords.data, pages: pages.data }
      : null
  return {
    lists,
    summary: summary.data,
    error: all.find(({ error }) => error !== null)?.error ?? null,
    /** Those of another choice, shown until the new ones arrive. */
    isOutdated: all.some(({ isPlaceholderData }) => isPlaceholderData),
    retry: () => {
      for (const query of all) if (query.error !== null) void query.refetch()
    },
  }
}

/** The screen's data as files: all rows of the period rather than those of its lists (OPEN-POINTS 10). */
function insightFiles(property: string, period: PeriodParams & { segment: string | undefined }): readonly [ExportFile, ...ExportFile[]] {
  return [
    {
      label: 'Optimization opportunities',
      address: opportunitiesFile(property, { ...period, scoreMin: highImpactScore }),
      what: 'Optimization opportunities',
    },
    {
      label: 'Pages needing optimization',
      address: pagesFile(property, { ...period, ...lowCtrPages, sort: 'impressions' }),
      what: 'Pages needing optimization',
    },
    {
      label: 'High-performing pages',
      address: pagesFile(property, { ...period, ...highCtrPages, sort: 'ctr' }),
      what: 'High-performing pages',
    },
    { label: 'All keywords', address: keywordsFile(property, period), what: 'Keywords' },
    { label: 'All pages', address: pagesFile(property, period), what: 'Pages' },
  ]
}

/** This screen's URL parameters. */
const insightsView = {
  ...periodView,
  segment: 'text',
  tab: ['recommendations', 'performance', 'monitoring', 'audience', 'trends'],
} as const

/** Keywords by position, and their CTR there (SPEC §2). */
function PerformanceTab({ link, lists: { keywords, opportunities, pages }, summary }: InsightsTabProps) {
  const buckets = useMemo(() => positionBuckets(keywords), [keywords])
  const points = useMemo(
    () =>
      keywords
        .filter(({ position }) => position > 0)
        .map(({ query, position, ctr }) => ({ name: query, x: ctr, y: position, href: keywordAddress(query, link) })),
    [keywords, link],
  )
  const clicks = keywords.reduce((sum, keyword) => sum + keyword.clicks, 0)
  return (
    <>
      <div className={chartsClass}>
        <Card>
          <ScatterChart
            title="CTR by position"
            summary={ctrSummary(buckets)}
            x="ctr"
            y="position"
            points={points}
            heading="Keyword"
            empty="No data available for analysis"
          />
        </Card>
        <Card>
          <DonutChart
            title="Position Distribution"
            summary={distributionSummary(buckets)}
            parts={buckets.map(({ label, keywords: value }) => ({ label, value }))}
            format={formatCount}
            valueLabel="Keywords"
            heading="Position"
            empty="No ranking data available"
          />
        </Card>
      </div>
      <div className="mt-3">
        <ListCoverage summary={summary} what="keywords" shown={{ rows: keywords.length, clicks }} />
      </div>
      <section aria-labelledby={trendsId} className="mt-5">
        <h2 id={trendsId} className="mb-3 text-base font-semibold">
          Performance Trends
        </h2>
        <div className="grid gap-4 sm:grid-cols-3 xl:gap-5">
          <FigureCard label="Total Keywords Tracked" figure={formatCount(keywords.length)}>
            {summary && `of ${formatCount(summary.keywords.count)} reported by Google`}
          </FigureCard>
          <FigureCard label="Avg Opportunity Score" figure={averageScore(opportunities)}>
            {opportunities.length > 0 && 'estimated extra clicks a week'}
          </FigureCard>
          <FigureCard label="Pages Analyzed" figure={formatCount(pages.length)}>
            {summary && `of ${formatCount(summary.pages.count)} with impressions`}
          </FigureCard>
        </div>
      </section>
    </>
  )
}

const trendsId = 'performance-trends'
const chartsClass = 'grid gap-4 lg:grid-cols-[3fr_2fr] xl:gap-5 *:min-w-0'

/** The size of the content. */
function PerformanceLoading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading charts</output>
      <div className={chartsClass}>
        <Skeleton className="h-112 rounded-card!" />
        <Skeleton className="h-112 rounded-card!" />
      </div>
    </div>
  )
}
