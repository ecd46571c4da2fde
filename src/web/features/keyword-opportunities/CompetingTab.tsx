import { askingFor, rangeIn } from '../../widgets/analytics/period-view.ts'
import { useQuery } from '@tanstack/react-query'
import { Files, SearchX } from 'lucide-react'
import type { RowFigures } from '../../../contract/analytics.ts'
import type { CompetingKeyword } from '../../../contract/keywords.ts'
import { competingQuery } from '../../api/analytics.ts'
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

const { asked, shown } = limits.competing

/** Keywords whose impressions are split among several pages. */
export function CompetingTab({ property }: { property: string }) {
  const [view, show] = useView(competingView)
  const list = useQuery(competingQuery(property, { ...filterParams(view), limit: asked }))
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
        {(rows) => {
          const onScreen = rows.slice(0, shown)
          return (
            <>
              <CompetingRows rows={onScreen} summary={about.summary} />
              <Coverage about={about} shown={onScreen} answered={rows.length} />
            </>
          )
        }}
      </ListFrame>
    </>
  )
}

/** Room for the pages and five columns next to the sidebar. */
const wide = '(width >= 64rem)'

const metrics = ['impressions', 'clicks', 'ctr', 'position'] as const satisfies readonly MetricName[]
const caption = 'Keywords with competing pages'

type CompetingProps = { rows: readonly CompetingKeyword[]; summary: KeywordSummary['summary'] }

/** Keywords with their figures, compared, and their pages below each. */
function CompetingRows(props: CompetingProps) {
  return useMedia(wide) ? <CompetingTable {...props} /> : <CompetingCards {...props} />
}

function CompetingTable({ rows, summary }: CompetingProps) {
  return (
    <table className="w-full table-fixed text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-2.5 pr-4 text-left font-medium">
            Keyword and its pages
          </th>
          <th scope="col" className="w-44 py-2.5 pl-4 text-left font-medium">
            Share of impressions
          </th>
          {metrics.map((metric) => (
            <th key={metric} scope="col" className="w-34 py-2.5 pl-4 text-right font-medium">
              {metricLabels[metric]}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map((row) => (
        <tbody key={row.query} className="border-b border-line last:border-0">
          <tr className="align-top">
            <th scope="rowgroup" colSpan={2} className="pt-3 pb-1 pr-4 text-left font-normal">
              <BrandedKeyword {...row} />
            </th>
            <Cells of={row} before={figuresBefore(row, summary)} className="pt-3 pb-1 font-medium" />
          </tr>
          {row.pages.map((page) => (
            <tr key={page.page} className="text-muted last:[&>*]:pb-3">
              <th scope="row" className="py-1 pr-4 text-left font-normal">
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

function CompetingCards({ rows, summary }: CompetingProps) {
  return (
    <ul aria-label={caption} className="divide-y divide-line text-sm tabular-nums">
      {rows.map((row) => (
        <li key={row.query} className="py-4 first:pt-0 last:pb-0">
          <BrandedKeyword {...row} />
          <Figures of={row} before={figuresBefore(row, summary)} />
          <ul aria-label={`Pages for ${row.query}`} className="mt-3 flex flex-col gap-3 border-l-2 border-line pl-3">
            {row.pages.map((page) => (
              <li key={page.page}>
                <DetailLink kind="page" name={page.page} quiet />
                <Share share={page.share} />
                <Figures of={page} />
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

function Figures({ of, before }: FiguresProps) {
  return (
    <dl className="mt-1.5 grid grid-cols-2 gap-x-6 gap-y-1">
      {metrics.map((metric) => (
        <div key={metric}>
          <dt className="text-muted">{metricLabels[metric]}</dt>
          <dd>
            <ComparedFigure metric={metric} now={of[metric]} before={before && before[metric]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
