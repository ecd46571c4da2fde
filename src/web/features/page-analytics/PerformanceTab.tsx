import { useInfiniteQuery } from '@tanstack/react-query'
import { FileX2 } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Page } from '../../../contract/pages.ts'
import { pagePerformance, type PagePerformance } from '../../../core/analytics/page-performance.ts'
import { allPagesQuery } from '../../api/analytics.ts'
import type { MetricName } from '../../lib/metric.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { ComparedFigure } from '../../widgets/analytics/ComparedFigure.tsx'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import type { DataColumn } from '../../widgets/table/columns.ts'
import { DataTable, type MoreRows } from '../../widgets/table/DataTable.tsx'
import { numbersOf } from './page-figures.ts'
import { filterOf, listLimit, listOf, type PagesView, pagesView, type ShowPages } from './page-view.ts'
import { PageFilters } from './PageFilters.tsx'

export type PagesTabProps = { property: string; view: PagesView; show: ShowPages }
type PerformanceTabProps = PagesTabProps & {
  isCompared: boolean
  /** Number of pages shown at all; null while unknown. */
  count: number | null
}

/** The matching pages in any order, whether or not they are among those with the most clicks. */
export function PerformanceTab({ property, view, show, isCompared, count }: PerformanceTabProps) {
  const list = useInfiniteQuery(allPagesQuery(property, { ...listOf(view), limit: listLimit }))
  const pages = useMemo(() => list.data?.pages.flat() ?? [], [list.data])
  return (
    <>
      <PageFilters view={view} show={show} asTable />
      {/* About the height of a screen of rows, so that the page below doesn't jump. */}
      <div className="mt-5 min-h-160">
        {list.error !== null && !list.isFetchNextPageError ? (
          <LoadProblem what="pages" property={property} error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data === undefined ? (
          <Spinner label="Loading pages" />
        ) : (
          <Dimmed when={list.isPlaceholderData}>
            {pages.length === 0 ? (
              <NoPages view={view} onClear={() => show({ segment: '', search: '' })} />
            ) : (
              <PagesTable
                pages={pages}
                more={{
                  total: isFiltered(view) ? null : count,
                  hasMore: list.hasNextPage,
                  load: () => void list.fetchNextPage(),
                }}
                isCompared={isCompared}
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

type PagesTableProps = {
  pages: readonly Page[]
  more: MoreRows
  /** Next to their previous figures. */
  isCompared: boolean
  view: PagesView
  show: ShowPages
}

function PagesTable({ pages, more, isCompared, view, show }: PagesTableProps) {
  return (
    <DataTable
      caption="Pages"
      what="pages"
      rows={pages}
      more={more}
      keyOf={keyOf}
      name={pageColumn}
      columns={isCompared ? comparedColumns : plainColumns}
      sort={{ by: view.sort, order: view.order }}
      onSort={({ by, order }) => show({ sort: pagesView.sort.find((each) => each === by) ?? 'clicks', order })}
      sortedByServer={pagesView.sort}
    />
  )
}

const keyOf = ({ page }: Page): string => page

const pageColumn = {
  label: 'Page',
  cell: ({ page }: Page) => <DetailLink kind="page" name={page} />,
  value: keyOf,
  canSort: false,
}

/** Room for a previous figure and its change on one line. */
const widths: Record<MetricName, number> = { clicks: 128, impressions: 144, ctr: 144, position: 144 }

const figure = (metric: MetricName, label: string, isCompared: boolean): DataColumn<Page> => ({
  id: metric,
  label,
  width: widths[metric],
  // The best position is the smallest.
  first: metric === 'position' ? 'asc' : 'desc',
  isCompact: metric !== 'ctr',
  value: (page) => numbersOf(page)[metric],
  ...(isCompared && {
    change: (page: Page) => {
      if (page.previous === null) return null
      const gained = numbersOf(page)[metric] - numbersOf(page.previous)[metric]
      // Places gained mean a smaller position.
      return metric === 'position' ? -gained : gained
    },
  }),
  cell: (page) => {
    const previous = page.previous === null ? null : numbersOf(page.previous)[metric]
    return <ComparedFigure metric={metric} now={numbersOf(page)[metric]} before={isCompared ? previous : undefined} />
  },
})

const columnsOf = (isCompared: boolean): readonly DataColumn<Page>[] => [
  figure('clicks', 'Clicks', isCompared),
  figure('impressions', 'Impressions', isCompared),
  figure('ctr', 'CTR', isCompared),
  figure('position', 'Avg Position', isCompared),
  {
    id: 'performance',
    label: 'Performance',
    width: 128,
    cell: ({ clicks, impressions }) => <PerformanceBadge performance={pagePerformance(clicks, impressions)} />,
  },
]
const plainColumns = columnsOf(false)
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
