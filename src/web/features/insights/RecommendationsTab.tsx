import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Opportunity } from '../../../contract/keywords.ts'
import type { Page } from '../../../contract/pages.ts'
import { writeRange } from '../../../contract/range.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { keywordsQuery } from '../../api/analytics.ts'
import { cutAfter, formatCount, formatPosition, keywordLabelLength, pageLabelLength } from '../../lib/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Tooltip } from '../../ui/overlay/Tooltip.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { type DrilledFrom, keywordAddress, pageAddress } from '../../widgets/analytics/drill-down.ts'
import { highImpact, lowCtr } from './insight-figures.ts'
import type { InsightsTabProps } from './insights-tab.ts'

const topClass = 'grid gap-4 *:min-w-0 lg:grid-cols-3 xl:gap-5'
const listsClass = 'mt-4 grid gap-4 *:min-w-0 lg:grid-cols-2 xl:mt-5 xl:gap-5'

/** Keywords and pages listed on a card. */
const perCard = 3

/** What to do first, with which keywords and pages (SPEC §2). */
export function RecommendationsTab({ link, lists }: InsightsTabProps) {
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
          examples={keywords.slice(0, perCard).map(({ query, opportunityScore }) => ({
            full: query,
            text: query,
            most: keywordLabelLength,
            to: keywordAddress(query, link),
            figure: `Score ${opportunityScore.toFixed(1)}`,
          }))}
          none="No keyword has a score of 15 or more in this period."
        />
        <RecommendationCard
          title="Low CTR Page Optimization"
          impact="Medium"
          effort="Low"
          action="Rewrite the titles and descriptions of these pages: they get many impressions but few clicks."
          examples={pages.slice(0, perCard).map(({ page, ctr }) => ({
            full: page,
            text: pagePath(page),
            most: pageLabelLength,
            to: pageAddress(page, link),
            figure: `CTR ${ctr}%`,
          }))}
          none="No page with over 100 impressions has a CTR below 2% in this period."
        />
        <ContentGap link={link} />
      </div>
      <div className={listsClass}>
        <QuickWins pages={pages} link={link} />
        <HighImpactList keywords={keywords} link={link} />
      </div>
    </>
  )
}

/** Searches that hardly find the site: shown, but not among the first 20 results. */
function ContentGap({ link }: Pick<InsightsTabProps, 'link'>) {
  const { property, segment } = link
  const asked = { range: writeRange(link.range), compare: 'none', positionMin: firstBeyond, sort: 'impressions', order: 'desc' } as const
  const gaps = useQuery(keywordsQuery(property, { ...asked, ...(segment !== '' && { segment }), limit: perCard }))
  const examples = gaps.data?.map(({ query, impressions }): Example => ({
    full: query,
    text: query,
    most: keywordLabelLength,
    to: keywordAddress(query, link),
    figure: `${formatCount(impressions)} impressions`,
  }))
  return (
    <RecommendationCard
      title="Content Gap Analysis"
      impact="High"
      effort="High"
      action="Create or expand content for these keywords, where you rank below position 20."
      examples={examples ?? null}
      isOutdated={gaps.isPlaceholderData}
      failed={gaps.error === null ? null : () => void gaps.refetch()}
      none="No keyword ranks below position 20 in this period."
    />
  )
}

/** The bucket '21+' of the positions begins right after 20. */
const firstBeyond = 20.001

/** The size of the content. */
export function RecommendationsLoading() {
  return (
    <div aria-busy>
      <output className="sr-only">Loading recommendations</output>
      <div className={topClass}>
        {Array.from({ length: perCard }, (_, index) => (
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

type Level = 'High' | 'Medium' | 'Low'

/** Red, yellow and green (SPEC §2); the word says it too. */
const impactTones = { High: 'critical', Medium: 'warning', Low: 'positive' } as const satisfies Record<Level, string>

type Example = { full: string; text: string; most: number; to: string; figure: string }

type RecommendationCardProps = {
  title: string
  impact: Level
  effort: Level
  /** What to do, and why. */
  action: string
  /** Which items to do it with; null while unknown. */
  examples: readonly Example[] | null
  isOutdated?: boolean
  /** Retries what failed to load. */
  failed?: (() => void) | null
  /** Shown if there are no examples. */
  none: string
}

function RecommendationCard({ title, impact, effort, action, isOutdated = false, ...rest }: RecommendationCardProps) {
  return (
    <SectionCard title={title}>
      <div className="-mt-2 mb-3 flex flex-wrap gap-1.5">
        <Badge tone={impactTones[impact]}>Impact: {impact}</Badge>
        <Badge>Effort: {effort}</Badge>
      </div>
      <p className="max-w-[70ch] text-muted">{action}</p>
      <Dimmed when={isOutdated} className="mt-3 min-h-30 lg:min-h-24">
        <Examples title={title} {...rest} />
      </Dimmed>
    </SectionCard>
  )
}

function Examples({ title, examples, failed, none }: Pick<RecommendationCardProps, 'title' | 'examples' | 'failed' | 'none'>) {
  if (failed) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3">
        <p>Unable to load this list.</p>
        <Button onClick={failed}>Try again</Button>
      </div>
    )
  }
  if (examples === null) return <Skeleton className="h-24" />
  if (examples.length === 0) return <p>{none}</p>
  return (
    <ul aria-label={title} className="divide-y divide-line border-t border-line">
      {examples.map(({ figure, ...link }) => (
        <li key={link.full} className="flex items-center gap-3">
          <div className="min-w-0 flex-1">
            <CutLink {...link} />
          </div>
          <span className="text-sm whitespace-nowrap text-muted tabular-nums">{figure}</span>
        </li>
      ))}
    </ul>
  )
}

/** The pages with the most impressions among those with few clicks. */
function QuickWins({ pages, link }: { pages: readonly Page[]; link: DrilledFrom }) {
  return (
    <SectionCard title="Quick Wins" description="Pages with over 100 impressions and a CTR below 2%.">
      {pages.length === 0 ? (
        <NothingListed>No page with over 100 impressions has a CTR below 2% in this period.</NothingListed>
      ) : (
        <ul aria-label="Quick Wins" className={listed.list}>
          {pages.slice(0, listed.most).map(({ page, impressions, ctr }) => (
            <li key={page} className={listed.row}>
              <div className="min-w-0 flex-1">
                <CutLink to={pageAddress(page, link)} full={page} text={pagePath(page)} />
                <p className={listed.figures}>
                  <span>{formatCount(impressions)} impressions</span> <span>CTR {ctr}%</span>
                </p>
              </div>
              <Badge tone="warning">Optimize Meta</Badge>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  )
}

/** The keywords with the most to gain. */
function HighImpactList({ keywords, link }: { keywords: readonly Opportunity[]; link: DrilledFrom }) {
  return (
    <SectionCard title="High Impact Opportunities" description="Estimated extra clicks a week if the keyword reached position 3.">
      {keywords.length === 0 ? (
        <NothingListed>No keyword has a score of 15 or more in this period.</NothingListed>
      ) : (
        <ul aria-label="High Impact Opportunities" className={listed.list}>
          {keywords.slice(0, listed.most).map(({ query, position, impressions, opportunityScore }) => (
            <li key={query} className={listed.row}>
              <div className="min-w-0 flex-1">
                <CutLink to={keywordAddress(query, link)} full={query} />
                <p className={listed.figures}>
                  <span>Position {formatPosition(position)}</span> <span>{formatCount(impressions)} impressions</span>
                </p>
              </div>
              <Badge tone="brand">Score {opportunityScore.toFixed(1)}</Badge>
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
  )
}

/** Shared by the two lists of five. */
const listed = {
  most: 5,
  list: '-my-2 divide-y divide-line',
  row: 'flex items-center gap-3 py-2',
  figures: 'flex flex-wrap gap-x-4 text-sm whitespace-nowrap text-muted tabular-nums',
} as const

function NothingListed({ children }: { children: ReactNode }) {
  return <p className="grid min-h-40 place-items-center text-center text-muted">{children}</p>
}

type CutLinkProps = { to: string; /** The full name, shown on hover and focus. */ full: string; text?: string; most?: number }

/** A link with a possibly long name: truncated after `most` characters, or else at the end of its line. */
function CutLink({ to, full, text = full, most }: CutLinkProps) {
  const shown = most === undefined ? text : cutAfter(text, most)
  const isCut = !full.includes(shown)
  return (
    <Tooltip wide content={<bdi>{full}</bdi>}>
      <Link
        to={to}
        aria-label={isCut || shown === full ? undefined : full}
        className="flex h-10 min-w-0 items-center rounded-sm font-medium hover:text-brand hover:underline lg:h-8"
      >
        <bdi aria-hidden={isCut} className="truncate">
          {shown}
        </bdi>
        {isCut && <span className="sr-only">{full}</span>}
      </Link>
    </Tooltip>
  )
}
