import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { Page } from '../../../contract/pages.ts'
import { lowCtrPages } from '../../../core/analytics/page-groups.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { pagesQuery } from '../../api/analytics.ts'
import { BarChart } from '../../charts/BarChart.tsx'
import { cutAfter, formatCount, pageLabelLength } from '../../lib/format.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { NotListed } from '../../widgets/analytics/coverage/NotListed.tsx'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'
import { useDetailLink } from '../../widgets/analytics/detail/use-detail-link.ts'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { chartLength, listLength, topPerforming } from './page-figures.ts'
import { filterOf, listLimit } from './page-view.ts'
import { PageFilters } from './PageFilters.tsx'
import type { PagesTabProps } from './PerformanceTab.tsx'

type InsightsTabProps = PagesTabProps & {
  /** The pages with the most clicks. */
  top: UseQueryResult<readonly Page[]>
  /** Why there are none although Google may have some; null otherwise. */
  why: string | null
}

export function InsightsTab({ property, view, show, top, why }: InsightsTabProps) {
  // Among all pages: those with potential are rarely those with the most clicks.
  const low = useQuery(pagesQuery(property, { ...filterOf(view), ...lowCtrPages, sort: 'impressions', order: 'desc', limit: listLength }))
  const error = top.error ?? low.error
  return (
    <>
      <PageFilters view={view} show={show} />
      <div className="mt-5 min-h-160">
        {error !== null ? (
          <LoadProblem
            what="pages"
            property={property}
            error={error}
            onRetry={() => {
              for (const query of [top, low]) if (query.error !== null) void query.refetch()
            }}
          />
        ) : top.data === undefined || low.data === undefined ? (
          <Spinner label="Loading pages" />
        ) : why !== null ? (
          <NotListed of="page">{why}</NotListed>
        ) : (
          <Dimmed when={top.isPlaceholderData || low.isPlaceholderData}>
            <ClicksChart pages={top.data.slice(0, chartLength)} />
            <div className="mt-8 grid gap-8 lg:grid-cols-2">
              <PageList
                title="High Opportunity Pages"
                description="More than 100 impressions and a CTR below 2%."
                pages={low.data}
                figure="impressions"
                badge={<Badge tone="warning">Optimize</Badge>}
                empty="No optimization opportunities found"
              />
              <PageList
                title="Top Performing Pages"
                description={`CTR of at least 5%${top.data.length >= listLimit ? `, among the ${listLimit} pages with the most clicks` : ''}.`}
                pages={topPerforming(top.data)}
                figure="ctr"
                badge={<Badge tone="positive">Excellent</Badge>}
                empty="No high-performing pages found"
              />
            </div>
          </Dimmed>
        )}
      </div>
    </>
  )
}

function ClicksChart({ pages }: { pages: readonly Page[] }) {
  const linkTo = useDetailLink()
  const [first] = pages
  return (
    <BarChart
      title="Top pages by clicks"
      summary={
        first === undefined
          ? ''
          : `Clicks for the top ${pages.length} pages, from ${formatCount(first.clicks)} for ${first.page} down to ${formatCount(pages.at(-1)?.clicks ?? 0)}.`
      }
      rows={pages.map(({ page, clicks }) => ({
        label: cutAfter(pagePath(page), pageLabelLength),
        fullLabel: page,
        value: clicks,
        href: linkTo({ kind: 'page', name: page }),
      }))}
      format={formatCount}
      valueLabel="Clicks"
      heading="Page"
      empty="No data available for chart visualization"
    />
  )
}

type PageListProps = {
  title: string
  /** What qualifies its pages. */
  description: string
  pages: readonly Page[]
  /** What they are sorted by, which comes first. */
  figure: 'impressions' | 'ctr'
  badge: ReactNode
  empty: string
}

/** A few pages that stand out, each opening its panel. */
function PageList({ title, description, pages, figure, badge, empty }: PageListProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      <p className="mt-1 text-muted">{description}</p>
      {pages.length === 0 ? (
        <p className="grid min-h-24 place-items-center text-muted">{empty}</p>
      ) : (
        <ul aria-labelledby={id} className="mt-2 divide-y divide-line">
          {pages.map((page) => (
            <li key={page.page} className="flex items-center justify-between gap-3 py-3">
              <div className="min-w-0 flex-1">
                <DetailLink kind="page" name={page.page} />
                <p className="mt-0.5 text-sm text-muted tabular-nums">{figuresText(page, figure)}</p>
              </div>
              {badge}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function figuresText({ impressions, ctr }: Page, first: PageListProps['figure']): string {
  const parts = [`${formatCount(impressions)} impressions`, `${ctr}% CTR`]
  return (first === 'ctr' ? parts.toReversed() : parts).join(' · ')
}
