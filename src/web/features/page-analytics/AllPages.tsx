import { FileX2 } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { Page } from '../../../contract/pages.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { allPages, allSites } from '../../api/analytics.ts'
import { useAllRows } from '../../lib/hooks/paged-list.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { MiddleCut } from '../../ui/MiddleCut.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { AllSitesHead, AllSitesList } from '../../widgets/analytics/AllSites.tsx'
import { pageAddress } from '../../widgets/analytics/drill-down.ts'
import { periodIn } from '../../widgets/analytics/period-view.ts'
import { useListView } from '../../widgets/analytics/use-list-view.ts'
import type { NameColumn } from '../../widgets/table/columns.ts'
import { PageFilters } from './PageFilters.tsx'
import { listLimit, listOf, pageSorts, pagesView, type PagesView } from './page-view.ts'
import { plainColumns } from './PerformanceTab.tsx'

type PageOfSite = Page & { property?: string | undefined }

/** The pages of all sites in one list; each leads to its own site's. There is no comparison, since not all sites have the days for it. */
export function AllPages() {
  const [written, show] = useListView(pagesView)
  const sort = pageSorts.find((each) => each === written.sort) ?? 'clicks'
  const view = { ...written, sort }
  const list = useAllRows(allPages(allSites, { ...listOf(view), compare: 'none', limit: listLimit }))
  const name = useNameColumn(view)
  return (
    <>
      <AllSitesHead title="Page Analytics" what="pages" />
      <Card>
        <PageFilters view={view} show={show} asTable />
        <div className="mt-5 min-h-160">
          <AllSitesList
            caption="Pages across all sites"
            what={['page', 'pages']}
            list={list}
            loading={<Spinner label="Loading pages" />}
            empty={
              <EmptyState
                icon={<FileX2 aria-hidden />}
                title="No pages"
                actions={
                  (view.segment !== '' || view.search !== '') && (
                    <Button onClick={() => show({ segment: '', search: '' })}>Show all pages</Button>
                  )
                }
              >
                <p>No pages on your monitored sites had impressions on these days.</p>
              </EmptyState>
            }
            name={name}
            columns={plainColumns}
            keyOf={keyOf}
            sort={{ by: sort, order: view.order }}
            onSort={({ by, order }) => show({ sort: pageSorts.find((each) => each === by) ?? 'clicks', order })}
            sortedByServer={pageSorts}
          />
        </div>
      </Card>
    </>
  )
}

const keyOf = ({ property = '', page }: PageOfSite): string => `${property} ${page}`

function useNameColumn(view: PagesView): NameColumn<PageOfSite> {
  const { range, days, compare, grain, segment } = view
  return useMemo(() => {
    const from = { ...periodIn({ range, days, compare, grain }), segment }
    return {
      label: 'Page',
      canSort: false,
      value: ({ page }) => page,
      cell: ({ page, property = '' }) => (
        <Link
          to={pageAddress(page, { ...from, property })}
          title={page}
          className="control -my-2.75 flex min-w-10 items-center font-medium text-brand hover:underline"
        >
          <MiddleCut text={pagePath(page)} />
        </Link>
      ),
    }
  }, [range, days, compare, grain, segment])
}
