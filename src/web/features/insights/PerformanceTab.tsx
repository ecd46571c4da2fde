import { useMemo } from 'react'
import { DonutChart } from '../../charts/donut/DonutChart.tsx'
import { ScatterChart } from '../../charts/ScatterChart.tsx'
import { formatCount } from '../../lib/format.ts'
import { Card } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { keywordAddress } from '../../widgets/analytics/drill-down.ts'
import { ListCoverage } from '../../widgets/analytics/ListCoverage.tsx'
import { ctrSummary, distributionSummary } from './copy.ts'
import { averageScore, positionBuckets } from './insight-figures.ts'
import { FigureCard } from './InsightCards.tsx'
import type { InsightsTabProps } from './insights-tab.ts'

/** Keywords by position, and their CTR there (SPEC §2). */
export function PerformanceTab({ link, lists: { keywords, opportunities, pages }, summary }: InsightsTabProps) {
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
export function PerformanceLoading() {
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
