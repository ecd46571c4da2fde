import { askingFor, rangeIn } from '../../widgets/analytics/period-view.ts'
import { Files, SearchX } from 'lucide-react'
import type { RowFigures } from '../../../contract/analytics.ts'
import type { CompetingKeyword } from '../../../contract/keywords.ts'
import { allCompeting } from '../../api/analytics.ts'
import { type MoreRows, useAllRows } from '../../lib/hooks/whole-list.ts'
import { formatShare } from '../../lib/format.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { metricLabels, type MetricName } from '../../lib/metric.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ShareBar } from '../../ui/ShareBar.tsx'
import { ComparedFigure } from '../../widgets/analytics/ComparedFigure.tsx'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'
import { cappedPairs } from '../../widgets/analytics/list-coverage.ts'
import { useView } from '../../widgets/analytics/use-view.ts'
import { FilterBar, KeywordFilters } from './Filters.tsx'
import { filterParams, isFiltered, limits } from './keyword-params.ts'
import { competingView } from './keyword-views.ts'
import { BrandedKeyword } from './KeywordCells.tsx'
import { Coverage, ListFrame, NothingMatches } from './ListFrame.tsx'
import { figuresBefore, type KeywordSummary, useKeywordSummary } from './use-keyword-summary.ts'

/** Keywords whose impressions are split among several pages. */
export function CompetingTab({ property }: { property: string }) {
  const [view, show] = useView(competingView)
  const list = useAllRows(allCompeting(property, { ...filterParams(view), limit: limits.competing }))
  const about = useKeywordSummary(property, view)
  return (
    <>
      <FilterBar>
        <KeywordFilters view={view} show={show} />
      </FilterBar>
      <ListFrame
        label="Cannibalization"
        property={property}
        what="competing pages"
        list={list}
        about={about}
        head={
          <p className="mb-3 max-w-[90ch] text-muted">
            Google splits impressions for these keywords among several of your pages. If you want one page to rank, link to it from the
            others, or focus those on different topics. Sorted by impressions at stake.{' '}
            {cappedPairs(about.summary?.pairs.cutOffDays ?? 0, 'some pages may be')}
          </p>
        }
        empty={
          isFiltered(view) ? (
            <NothingMatches icon={<SearchX aria-hidden />} title="No keywords match your filters" onClear={show} />
          ) : (
            <EmptyState
              icon={<Files aria-hidden />}
              title="No competing pages"
              actions={
                (rangeIn(view) === '7d' || rangeIn(view) === '28d') && (
                  <Button onClick={() => show(askingFor({ range: '90d' }))}>Show last 90 days</Button>
                )
              }
            >
              A keyword appears here when at least two pages each get 10% or more of its impressions.
            </EmptyState>
          )
        }
      >
        {(rows) => (
          <>
            <CompetingRows rows={rows} summary={about.summary} />
            <MoreButton {...list.moreOf(null)} />
            <Coverage about={about} shown={rows} />
          </>
        )}
      </ListFrame>
    </>
  )
}

/** Room for a table. */
const roomy = '(width >= 48rem)'

const metrics = ['impressions', 'clicks', 'ctr', 'position'] as const satisfies readonly MetricName[]
const caption = 'Keywords with competing pages'

type CompetingProps = { rows: readonly CompetingKeyword[]; summary: KeywordSummary['summary'] }

/** Keywords with their figures, compared, and their pages below each. */
function CompetingRows(props: CompetingProps) {
  return useMedia(roomy) ? <CompetingTable {...props} /> : <CompetingList {...props} />
}

const headClass = 'sticky top-0 z-2 h-11 border-b border-line bg-surface font-medium'

function CompetingTable({ rows, summary }: CompetingProps) {
  return (
    <section
      // It scrolls by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={`${caption}, scrollable`}
      className="@container/table relative max-h-[calc(100dvh-9rem)] overflow-auto overscroll-x-contain"
    >
      <table className="w-full min-w-160 table-fixed border-separate border-spacing-0 text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="text-muted">
          <tr>
            <th scope="col" className={`${headClass} left-0 z-3! pr-4 text-left`}>
              Keyword and its pages
            </th>
            <th scope="col" className={`${headClass} w-32 pl-4 text-left whitespace-nowrap @[60rem]/table:w-44`}>
              <span className="@max-[60rem]/table:sr-only">Share of impressions</span>
              <span aria-hidden className="@[60rem]/table:hidden">
                Share
              </span>
            </th>
            {metrics.map((metric) => (
              <th
                key={metric}
                scope="col"
                className={`${headClass} pl-4 text-right @[60rem]/table:w-34 ${metric === 'impressions' ? 'w-26' : 'w-21'}`}
              >
                {metricLabels[metric]}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map((row) => (
          <tbody key={row.query} className="last:*:last:*:border-0">
            <tr className="align-top">
              <th scope="rowgroup" colSpan={2} className="sticky left-0 z-1 bg-surface pt-3 pb-1 pr-4 text-left font-normal">
                <BrandedKeyword {...row} />
              </th>
              <Cells of={row} before={figuresBefore(row, summary)} className="pt-3 pb-1 font-medium" />
            </tr>
            {row.pages.map((page) => (
              <tr key={page.page} className="text-muted last:*:border-b last:*:border-line last:*:pb-3">
                <th scope="row" className="sticky left-0 z-1 bg-surface py-1 pr-4 text-left font-normal">
                  <DetailLink kind="page" name={page.page} quiet />
                </th>
                <td className="py-1 pl-4">
                  <Share share={page.share} />
                </td>
                <Cells of={page} className="py-1" />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </section>
  )
}

/** `before`: as in `figuresBefore`; single pages aren't compared. */
type FiguresProps = { of: RowFigures; before?: RowFigures | null | undefined }

function Cells({ of, before, className }: FiguresProps & { className: string }) {
  return metrics.map((metric) => (
    <td key={metric} className={`pl-4 text-right ${className}`}>
      <ComparedFigure metric={metric} now={of[metric]} before={before && before[metric]} />
    </td>
  ))
}

/** The keyword with what is at stake, and a line for each of its pages. */
function CompetingList({ rows, summary }: CompetingProps) {
  return (
    <ul aria-label={caption} className="divide-y divide-line text-sm tabular-nums">
      {rows.map((row) => (
        <li key={row.query} data-compact className="py-2.5">
          <BrandedKeyword {...row} />
          <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs">
            {(['impressions', 'clicks'] as const).map((metric) => {
              const before = figuresBefore(row, summary)
              return (
                <div key={metric} className="flex items-baseline gap-x-1.5">
                  <dt className="text-muted">{metricLabels[metric]}</dt>
                  <dd>
                    <ComparedFigure metric={metric} now={row[metric]} before={before && before[metric]} />
                  </dd>
                </div>
              )
            })}
          </dl>
          <ul aria-label={`Pages for ${row.query}`} className="mt-1.5 border-l-2 border-line pl-3">
            {row.pages.map((page) => (
              <li key={page.page} className="flex min-h-11 items-center justify-between gap-3">
                <span className="min-w-0">
                  <DetailLink kind="page" name={page.page} quiet />
                </span>
                <span className="w-24 shrink-0">
                  <Share share={page.share} />
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

function Share({ share }: { share: number }) {
  return (
    <span className="flex items-center gap-2.5">
      <ShareBar share={share} className="flex-1" />
      <span className="w-9 shrink-0 text-right">
        {formatShare(share)}
        <span className="sr-only"> of impressions</span>
      </span>
    </span>
  )
}

function MoreButton({ hasMore, load, failed }: MoreRows<CompetingKeyword>) {
  if (!hasMore) return null
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button onClick={load}>Show more keywords</Button>
      {failed && (
        <p role="alert" className="text-sm text-muted">
          Unable to load more keywords. Please try again.
        </p>
      )}
    </div>
  )
}
