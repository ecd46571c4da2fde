import { FileX2 } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Page } from '../../../contract/pages.ts'
import { pagePerformance, type PagePerformance } from '../../../core/analytics/page-performance.ts'
import { allPages, pageTrends } from '../../api/analytics.ts'
import type { MetricName } from '../../lib/metric.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'
import { figureColumn } from '../../widgets/analytics/figure-column.tsx'
import { NotListed } from '../../widgets/analytics/coverage/NotListed.tsx'
import { trendColumn } from '../../widgets/analytics/RowTrend.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import type { DataColumn } from '../../widgets/table/columns.ts'
import { DataTable } from '../../widgets/table/DataTable.tsx'
import { type MoreRows, useAllRows } from '../../lib/hooks/paged-list.ts'
import { numbersOf } from './page-figures.ts'
import { filterOf, listLimit, listOf, type PagesView, pagesView, type ShowPages } from './page-view.ts'
import { PageFilters } from './PageFilters.tsx'

export type PagesTabProps = { property: string; view: PagesView; show: ShowPages }
type PerformanceTabProps = PagesTabProps & {
  isCompared: boolean
  /** Number of pages shown at all; null while unknown. */
  count: number | null
  /** Why there are none although Google may have some; null otherwise. */
  why: string | null
}

/** The matching pages in any order, whether or not they are among those with the most clicks. */
export function PerformanceTab({ property, view, show, isCompared, count, why }: PerformanceTabProps) {
  const list = useAllRows(allPages(property, { ...listOf(view), limit: listLimit }))
  return (
    <>
      <PageFilters view={view} show={show} asTable />
      {/* About the height of a screen of rows, so that the page below doesn't jump. */}
      <div className="mt-5 min-h-160">
        {list.error !== null ? (
          <LoadProblem what="pages" property={property} error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data === undefined ? (
          <Spinner label="Loading pages" />
        ) : (
          <Dimmed when={list.isPlaceholderData}>
            {list.data.length === 0 && why !== null ? (
              <NotListed of="page">{why}</NotListed>
            ) : list.data.length === 0 ? (
              <NoPages view={view} onClear={() => show({ segment: '', search: '' })} />
            ) : (
              <PagesTable
                pages={list.data}
                more={list.moreOf(isFiltered(view) ? null : count)}
                isCompared={isCompared}
                property={property}
                view={view}
                show={show}
              />
            )}
          </Dimmed>
        )}
      </div>
    </>
  )
}

type PagesTableProps = PagesTabProps & {
  pages: readonly Page[]
  more: MoreRows<Page>
  /** Next to their previous figures. */
  isCompared: boolean
}

function PagesTable({ pages, more, isCompared, property, view, show }: PagesTableProps) {
  const asked = JSON.stringify(listOf(view))
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const trend = useMemo(() => trendColumn(pageTrends(property, listOf(view)), pages, keyOf, trendLook), [property, asked, pages])
  const columns = useMemo(() => [...(isCompared ? comparedColumns : plainColumns), trend], [isCompared, trend])
  return (
    <DataTable
      caption="Pages"
      what={['page', 'pages']}
      rows={pages}
      more={more}
      keyOf={keyOf}
      name={pageColumn}
      columns={columns}
      sort={{ by: view.sort, order: view.order }}
      onSort={({ by, order }) => show({ sort: pagesView.sort.find((each) => each === by) ?? 'clicks', order })}
      sortedByServer={pagesView.sort}
    />
  )
}

const trendLook = { label: 'Trend', narrow: 64 }

const keyOf = ({ page }: Page): string => page

const pageColumn = {
  label: 'Page',
  cell: ({ page }: Page) => <DetailLink kind="page" name={page} />,
  value: keyOf,
  canSort: false,
}

const figure = (metric: MetricName, isCompared: boolean, label?: string): DataColumn<Page> =>
  figureColumn<Page>({
    metric,
    label,
    now: numbersOf,
    before: isCompared ? (page: Page) => page.previous && numbersOf(page.previous) : undefined,
  })

const columnsOf = (isCompared: boolean): readonly DataColumn<Page>[] => [
  figure('clicks', isCompared),
  figure('impressions', isCompared),
  figure('ctr', isCompared),
  figure('position', isCompared, 'Avg Position'),
  {
    id: 'performance',
    label: 'Performance',
    width: 120,
    narrow: 104,
    cell: ({ clicks, impressions }) => <PerformanceBadge performance={pagePerformance(clicks, impressions)} />,
  },
]
export const plainColumns = columnsOf(false)
const comparedColumns = columnsOf(true)

const tones = {
  Excellent: 'positive',
  Good: 'brand',
  Average: 'warning',
  'Needs Work': 'critical',
} as const satisfies Record<PagePerformance, string>

function PerformanceBadge({ performance }: { performance: PagePerformance }) {
  return <Badge tone={tones[performance]}>{performance}</Badge>
}

const isFiltered = (view: PagesView): boolean => view.segment !== '' || filterOf(view).search !== undefined

/** Replaces the pages (SPEC §2), with what to do about it. */
function NoPages({ view, onClear }: { view: PagesView; onClear: () => void }) {
  const { segment, search } = filterOf(view)
  return (
    <EmptyState
      icon={<FileX2 aria-hidden />}
      title="No page data available. Please ensure your Google Search Console is connected."
      actions={
        isFiltered(view) ? (
          <Button onClick={onClear}>{segment === undefined ? 'Clear search' : 'Show all pages'}</Button>
        ) : (
          <Link to={paths.account} className={buttonClass()}>
            Check connection
          </Link>
        )
      }
    >
      {isFiltered(view) ? (
        <p className="wrap-anywhere">
          No page{segment === undefined ? '' : ' in this segment'}
          {search === undefined ? '' : ` with “${search}” in its URL`} had impressions on these days.
        </p>
      ) : (
        <p>Google reports no pages for these days.</p>
      )}
    </EmptyState>
  )
}
