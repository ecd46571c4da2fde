import { useQuery } from '@tanstack/react-query'
import { pagesQuery } from '../../api/analytics.ts'
import { formatCount } from '../../lib/format.ts'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { NoPages } from './NoPages.tsx'
import { PageFilters } from './PageFilters.tsx'
import { filterOf, listLimit, listOf, type PagesView, type ShowPages, tableRows } from './page-view.ts'
import { PagesTable } from './PagesTable.tsx'

export type PagesTabProps = { property: string; view: PagesView; show: ShowPages }
type PerformanceTabProps = PagesTabProps & { isCompared: boolean }

/** The pages that match, in any order, whether or not they are among those with most clicks. */
export function PerformanceTab({ property, view, show, isCompared }: PerformanceTabProps) {
  const list = useQuery(pagesQuery(property, { ...listOf(view), limit: listLimit }))
  return (
    <>
      <PageFilters view={view} show={show} asTable />
      {/* About as high as the rows of a screen, so that the page below does not jump. */}
      <div className="mt-5 min-h-160">
        {list.error !== null ? (
          <LoadProblem what="pages" property={property} error={list.error} onRetry={() => void list.refetch()} />
        ) : list.data === undefined ? (
          <Spinner label="Loading pages" />
        ) : (
          <Dimmed when={list.isPlaceholderData}>
            {list.data.length === 0 ? (
              <NoPages search={filterOf(view).search} onClear={() => show({ search: '' })} />
            ) : (
              <PagesTable pages={list.data.slice(0, tableRows)} isCompared={isCompared} view={view} show={show} />
            )}
            {list.data.length > tableRows && (
              <p className="mt-4 text-sm text-muted">
                Only the first {formatCount(tableRows)} are listed. Export includes all of them, and search finds any of them.
              </p>
            )}
          </Dimmed>
        )}
      </div>
    </>
  )
}
