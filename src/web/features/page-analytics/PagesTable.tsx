import type { Page } from '../../../contract/pages.ts'
import { pagePerformance } from '../../../core/analytics/page-performance.ts'
import type { MetricName } from '../../lib/metric.ts'
import { ComparedFigure } from '../../widgets/analytics/ComparedFigure.tsx'
import { DetailLink } from '../../widgets/analytics/detail/DetailLink.tsx'
import { type FiguresColumn, FiguresTable } from '../../widgets/analytics/FiguresTable.tsx'
import { numbersOf } from './page-figures.ts'
import { pagesView, type PagesView, type ShowPages } from './page-view.ts'
import { PerformanceBadge } from './PerformanceBadge.tsx'

type PagesTableProps = {
  pages: readonly Page[]
  /** Beside what they were. */
  isCompared: boolean
  view: PagesView
  show: ShowPages
}

/** Room for the name of a page beside five columns and the sidebar. */
const wide = '(width >= 80rem)'

export function PagesTable({ pages, isCompared, view, show }: PagesTableProps) {
  function sortBy(chosen: string): void {
    const sort = pagesView.sort.find((each) => each === chosen) ?? 'clicks'
    if (sort === view.sort) show({ order: view.order === 'desc' ? 'asc' : 'desc' })
    // The best position is the smallest.
    else show({ sort, order: sort === 'position' ? 'asc' : 'desc' })
  }

  return (
    <FiguresTable
      caption="Pages"
      rows={pages}
      keyOf={({ page }) => page}
      name={pageColumn}
      columns={isCompared ? comparedColumns : plainColumns}
      wide={wide}
      sort={{ by: view.sort, order: view.order, columns: pagesView.sort, onSort: sortBy }}
    />
  )
}

/** Room for a figure of before and its change on one line. */
const widths: Record<MetricName, string> = { clicks: 'w-32', impressions: 'w-36', ctr: 'w-36', position: 'w-30' }

const pageColumn = { label: 'Page', cell: ({ page }: Page) => <DetailLink kind="page" name={page} /> }

const figure = (metric: MetricName, label: string, isCompared: boolean): FiguresColumn<Page> => ({
  id: metric,
  label,
  width: widths[metric],
  cell: (page) => {
    const previous = page.previous === null ? null : numbersOf(page.previous)[metric]
    return <ComparedFigure metric={metric} now={numbersOf(page)[metric]} before={isCompared ? previous : undefined} />
  },
})

const columnsOf = (isCompared: boolean): readonly FiguresColumn<Page>[] => [
  figure('clicks', 'Clicks', isCompared),
  figure('impressions', 'Impressions', isCompared),
  figure('ctr', 'CTR', isCompared),
  figure('position', 'Avg Position', isCompared),
  {
    id: 'performance',
    label: 'Performance',
    width: 'w-32',
    cell: ({ clicks, impressions }) => <PerformanceBadge performance={pagePerformance(clicks, impressions)} />,
  },
]
const plainColumns = columnsOf(false)
const comparedColumns = columnsOf(true)
