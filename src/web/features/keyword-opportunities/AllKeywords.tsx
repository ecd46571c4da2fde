import { SearchX } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import type { Opportunity } from '../../../contract/keywords.ts'
import { allKeywords, allOpportunities, allSites } from '../../api/analytics.ts'
import { useAllRows } from '../../lib/hooks/paged-list.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { AllSitesHead, AllSitesList } from '../../widgets/analytics/AllSites.tsx'
import { keywordAddress } from '../../widgets/analytics/drill-down.ts'
import { periodIn, type PeriodView } from '../../widgets/analytics/period-view.ts'
import { useListView } from '../../widgets/analytics/use-list-view.ts'
import { useView } from '../../widgets/analytics/use-view.ts'
import type { NameColumn } from '../../widgets/table/columns.ts'
import { KeywordFilterBar, KeywordFilters, PositionSelect, SortSelect } from './Filters.tsx'
import { NothingMatches, RowsLoading } from './ListFrame.tsx'
import { analysisParams, limits, opportunitiesParams } from './keyword-params.ts'
import { analysisView, asTableSort, columnsOf, opportunitiesView, sortChoices, type Sorted, sortedBy, tabView } from './keyword-views.ts'
import { plainColumns } from './ScoredTable.tsx'

/** Without changes: not all sites have the days to compare with. */
const sorts = [...sortChoices, 'ctr', 'query'] as const
const sortable = columnsOf(sorts)

type KeywordOfSite = Opportunity & { property?: string | undefined }

/** The opportunities and keywords of all sites, each in one list; each row leads to its own site's. */
export function AllKeywords() {
  const [{ tab }, show] = useView(tabView)
  return (
    <>
      <AllSitesHead title="Keyword Opportunities" what="keywords" />
      <Tabs
        label="Keyword reports"
        value={tab === 'opportunities' ? tab : 'analysis'}
        onChange={(chosen) => show({ tab: chosen === 'opportunities' ? chosen : 'analysis' })}
        tabs={[
          { value: 'opportunities', label: 'Optimization Opportunities', content: <AllOpportunities /> },
          { value: 'analysis', label: 'Keyword Analysis', content: <AllAnalysis /> },
        ]}
      />
    </>
  )
}

function AllOpportunities() {
  const [written, show] = useListView(opportunitiesView)
  const view = { ...written, ...offered(written) }
  return (
    <>
      <KeywordFilterBar>
        <KeywordFilters
          view={view}
          show={show}
          between={<PositionSelect value={view.position} onChange={(position) => show({ position })} />}
        />
        <SortSelect choices={sortChoices} value={view.sort} onChange={(sort) => show({ sort, order: 'usual' })} />
      </KeywordFilterBar>
      <Listed
        caption="Opportunities across all sites"
        what={['opportunity', 'opportunities']}
        list={useAllRows(allOpportunities(allSites, { ...opportunitiesParams(view), compare: 'none', limit: limits.opportunities }))}
        view={view}
        onSort={show}
        empty={
          <NothingMatches
            icon={<SearchX aria-hidden />}
            title="No optimization opportunities found. Try adjusting your filters."
            onClear={(change) => show({ ...change, position: 'all' })}
          />
        }
      />
    </>
  )
}

function AllAnalysis() {
  const [written, show] = useListView(analysisView)
  const view = { ...written, ...offered(written) }
  return (
    <>
      <KeywordFilterBar>
        <KeywordFilters view={view} show={show} />
        <SortSelect choices={sortChoices} value={view.sort} onChange={(sort) => show({ sort, order: 'usual' })} />
      </KeywordFilterBar>
      <Listed
        caption="Keywords across all sites"
        what={['keyword', 'keywords']}
        list={useAllRows(allKeywords(allSites, { ...analysisParams(view), compare: 'none', limit: limits.analysis }))}
        view={view}
        onSort={show}
        empty={<NothingMatches icon={<SearchX aria-hidden />} title="No keywords match your filters" onClear={show} />}
      />
    </>
  )
}

/** The chosen order, if this screen has it. */
function offered({ sort, order }: Sorted): Sorted<(typeof sorts)[number]> {
  const found = sorts.find((each) => each === sort)
  return found === undefined ? { sort: 'clicks', order: 'usual' } : { sort: found, order }
}

type ListedProps = {
  caption: string
  what: readonly [one: string, many: string]
  list: ReturnType<typeof useAllRows<unknown, KeywordOfSite>>
  view: PeriodView & Sorted<(typeof sorts)[number]> & { segment: string }
  onSort: (sorted: Sorted<(typeof sorts)[number]>) => void
  empty: ReactNode
}

function Listed({ view, onSort, ...listed }: ListedProps) {
  const name = useNameColumn(view)
  return (
    <Card>
      <AllSitesList
        {...listed}
        loading={<RowsLoading what={listed.what[1]} />}
        name={name}
        columns={plainColumns}
        keyOf={keyOf}
        sort={asTableSort(view)}
        onSort={(chosen) => {
          const found = sortedBy(sorts, chosen)
          if (found !== null) onSort(found)
        }}
        sortedByServer={sortable}
      />
    </Card>
  )
}

const keyOf = ({ property = '', query }: KeywordOfSite): string => `${property} ${query}`

function useNameColumn({ range, days, compare, grain, segment }: ListedProps['view']): NameColumn<KeywordOfSite> {
  return useMemo(() => {
    const from = { ...periodIn({ range, days, compare, grain }), segment }
    return {
      label: 'Keyword',
      value: ({ query }) => query,
      cell: ({ query, brand, property = '' }) => (
        <span className="flex min-w-0 items-center gap-2">
          <Link
            to={keywordAddress(query, { ...from, property })}
            className="control -my-2.75 flex min-w-10 items-center font-medium text-brand hover:underline"
          >
            <bdi className="line-clamp-2 wrap-anywhere in-data-compact:line-clamp-1">{query}</bdi>
          </Link>
          {brand && <Badge className="-my-0.5 shrink-0">Brand</Badge>}
        </span>
      ),
    }
  }, [range, days, compare, grain, segment])
}
