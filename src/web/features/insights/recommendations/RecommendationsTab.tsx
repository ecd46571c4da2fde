import { useQuery } from '@tanstack/react-query'
import { keywordsQuery } from '../../../api/analytics.ts'
import { keywordLabelLength, pageLabelLength } from '../../../lib/cut.ts'
import { formatCount } from '../../../lib/format.ts'
import { pagePath } from '../../../lib/page-path.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { keywordAddress, pageAddress } from '../../../widgets/analytics/drill-down.ts'
import { highImpact, lowCtr } from '../insight-figures.ts'
import type { InsightsTabProps } from '../insights-tab.ts'
import { HighImpactList } from './HighImpactList.tsx'
import { QuickWins } from './QuickWins.tsx'
import { type Example, RecommendationCard } from './RecommendationCard.tsx'

const topClass = 'grid gap-4 *:min-w-0 lg:grid-cols-3 xl:gap-5'
const listsClass = 'mt-4 grid gap-4 *:min-w-0 lg:grid-cols-2 xl:mt-5 xl:gap-5'

/** Keywords and pages that a card names. */
const most = 3

/** What to do first, and with which keywords and pages (SPEC §2). */
export function RecommendationsTab({ property, days, lists }: InsightsTabProps) {
  const keywords = highImpact(lists.opportunities)
  const pages = lowCtr(lists.pages)
  return (
    <>
      <div className={topClass}>
        <RecommendationCard
          title="High-Impact Keyword Optimization"
          impact="High"
          effort="Medium"
          action="Work on titles, headings and internal links for these keywords: each could bring 15 or more extra clicks a week."
          examples={keywords.slice(0, most).map(({ query, opportunityScore }) => ({
            full: query,
            text: query,
            most: keywordLabelLength,
            to: keywordAddress(query, days),
            figure: `Score ${opportunityScore.toFixed(1)}`,
          }))}
          none="No keyword has a score of 15 or more in this period."
        />
        <RecommendationCard
          title="Low CTR Page Optimization"
          impact="Medium"
          effort="Low"
          action="Rewrite the titles and descriptions of these pages: they get many impressions but few clicks."
          examples={pages.slice(0, most).map(({ page, ctr }) => ({
            full: page,
            text: pagePath(page),
            most: pageLabelLength,
            to: pageAddress(page, days),
            figure: `CTR ${ctr}%`,
          }))}
          none="No page with over 100 impressions has a CTR below 2% in this period."
        />
        <ContentGap property={property} days={days} />
      </div>
      <div className={listsClass}>
        <QuickWins pages={pages} days={days} />
        <HighImpactList keywords={keywords} days={days} />
      </div>
    </>
  )
}

/** What people search for and the site is hardly found with: shown, but not among the first 20 results. */
function ContentGap({ property, days }: Pick<InsightsTabProps, 'property' | 'days'>) {
  const gaps = useQuery(
    keywordsQuery(property, { days, compare: 'none', positionMin: firstBeyond, sort: 'impressions', order: 'desc', limit: most }),
  )
  const examples = gaps.data?.map(({ query, impressions }): Example => ({
    full: query,
    text: query,
    most: keywordLabelLength,
    to: keywordAddress(query, days),
    figure: `${formatCount(impressions)} impressions`,
  }))
  return (
    <RecommendationCard
      title="Content Gap Analysis"
      impact="High"
      effort="High"
      action="Write or deepen content for these keywords: you rank below position 20."
      examples={examples ?? null}
      isOutdated={gaps.isPlaceholderData}
      failed={gaps.error === null ? null : () => void gaps.refetch()}
      none="No keyword ranks below position 20 in this period."
    />
  )
}

/** The bucket '21+' of the positions. */
const firstBeyond = 21

/** As large as what comes. */
export function RecommendationsLoading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading recommendations</output>
      <div className={topClass}>
        {Array.from({ length: most }, (_, index) => (
          <Skeleton key={index} className="h-72 rounded-card!" />
        ))}
      </div>
      <div className={listsClass}>
        <Skeleton className="h-113 rounded-card!" />
        <Skeleton className="h-113 rounded-card!" />
      </div>
    </div>
  )
}
