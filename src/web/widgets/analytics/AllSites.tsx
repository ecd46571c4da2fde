import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { mostOfAll } from '../../../contract/common.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { formatCount } from '../../lib/format.ts'
import type { useAllRows } from '../../lib/hooks/paged-list.ts'
import { paths } from '../../paths.ts'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { LoadFailure } from '../LoadProblem.tsx'
import { PropertyName } from '../PropertyName.tsx'
import type { DataColumn, NameColumn, TableSort } from '../table/columns.ts'
import { DataTable } from '../table/DataTable.tsx'
import { PeriodControls } from './PeriodControls.tsx'
import { askingFor, periodIn, periodView } from './period-view.ts'
import { useView } from './use-view.ts'

type AllSitesHeadProps = { title: string; /** `pages`: what is listed. */ what: string }

/** Above a list of the rows of all sites: which days, and what is in it. */
export function AllSitesHead({ title, what }: AllSitesHeadProps) {
  const [view, show] = useView(periodView)
  return (
    <>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div>
          <h1 className="text-title font-semibold">{title}</h1>
          <p className="text-muted">All sites</p>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <PeriodControls
            view={periodIn(view)}
            onChange={(change) => show(askingFor(change))}
            days={null}
            hasInterval={false}
            hasComparison={false}
          />
        </div>
      </div>
      <p className="mb-4 max-w-[90ch] text-sm text-muted">
        The {what} for all your monitored sites in one list, through each site’s last complete day. A property inside another one, such as a
        URL prefix of a domain, isn’t listed again, so nothing is counted twice.{' '}
        <Link to={paths.sites} className="font-medium text-brand hover:underline">
          See each site’s totals
        </Link>
      </p>
    </>
  )
}

type OfSite = { property?: string | undefined }

/** Which site a row is from. */
const siteColumn: DataColumn<OfSite> = {
  id: 'site',
  label: 'Site',
  align: 'left',
  width: 224,
  narrow: 208,
  isCompact: true,
  first: 'asc',
  value: ({ property = '' }) => propertyName(property),
  cell: ({ property = '' }) => <PropertyName name={property} />,
}

type AllSitesListProps<Row extends OfSite> = {
  caption: string
  what: readonly [one: string, many: string]
  list: ReturnType<typeof useAllRows<unknown, Row>>
  /** While there is nothing yet. */
  loading: ReactNode
  /** If there are no rows. */
  empty: ReactNode
  name: NameColumn<Row>
  columns: readonly DataColumn<Row>[]
  keyOf: (row: Row) => string
  sort: TableSort
  onSort: (sort: TableSort) => void
  sortedByServer: readonly string[]
}

/** The rows of all sites, each with its site, or why there are none. */
export function AllSitesList<Row extends OfSite>({ list, what, loading, empty, columns, sort, onSort, ...table }: AllSitesListProps<Row>) {
  const more = list.moreOf(null)
  const sorting = useSiteSort(!more.hasMore, sort, onSort)
  const withSite = useMemo(() => [siteColumn, ...columns], [columns])
  if (list.error !== null) return <LoadFailure title={`Unable to load ${what[1]}`} error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return loading
  return (
    <Dimmed when={list.isPlaceholderData}>
      {list.data.length === 0 ? empty : <DataTable {...table} {...sorting} what={what} rows={list.data} more={more} columns={withSite} />}
      {list.data.length >= mostOfAll && (
        <p className="mt-4 text-sm text-muted">
          These are the first {formatCount(mostOfAll)} {what[1]}. Choose one property to see all of its {what[1]}.
        </p>
      )}
    </Dimmed>
  )
}

/** The order, which can also be by site, until another one is chosen: only this screen sorts by that, once all rows are there. */
function useSiteSort(isWhole: boolean, sort: TableSort, onSort: (sort: TableSort) => void) {
  const [bySite, setBySite] = useState<TableSort | null>(null)
  // The order below it, which the selects change.
  const [over, setOver] = useState(sort)
  if (over.by !== sort.by || over.order !== sort.order) {
    setOver(sort)
    setBySite(null)
  }
  return {
    sort: bySite !== null && isWhole ? bySite : sort,
    onSort(chosen: TableSort) {
      const isBySite = chosen.by === siteColumn.id
      setBySite(isBySite ? chosen : null)
      if (!isBySite) onSort(chosen)
    },
  }
}
