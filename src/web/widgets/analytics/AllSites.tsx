import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { mostOfAll } from '../../../contract/common.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { formatCount } from '../../lib/format.ts'
import { paths } from '../../paths.ts'
import { PropertyName } from '../PropertyName.tsx'
import type { DataColumn, TableSort } from '../table/columns.ts'
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
        The {what} of all your monitored sites in one list, up to each site’s last complete day. A property inside another one, such as a
        URL prefix of a domain, isn’t listed again, so overlapping properties aren’t added twice.{' '}
        <Link to={paths.sites} className="font-medium text-brand hover:underline">
          See each site’s totals
        </Link>
      </p>
    </>
  )
}

/** Below a list that ends before all rows are in it. */
export function AllSitesEnd({ rows, what }: { rows: number; what: string }): ReactNode {
  if (rows < mostOfAll) return null
  return (
    <p className="mt-4 text-sm text-muted">
      These are the first {formatCount(mostOfAll)} {what}. Choose one property to see all of its {what}.
    </p>
  )
}

type OfSite = { property?: string | undefined }

/** Which site a row is from. */
export const siteColumn: DataColumn<OfSite> = {
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

/** A table's order if it can also be by site, which only this screen sorts by, once all rows are there. */
export function useSiteSort(isWhole: boolean, sort: TableSort, onSort: (sort: TableSort) => void) {
  const [bySite, setBySite] = useState<TableSort | null>(null)
  return {
    sort: bySite !== null && isWhole ? bySite : sort,
    onSort(chosen: TableSort) {
      const isBySite = chosen.by === siteColumn.id
      setBySite(isBySite ? chosen : null)
      if (!isBySite) onSort(chosen)
    },
  }
}

/** Some columns after that of the site. */
export const useWithSite = <Row extends OfSite>(columns: readonly DataColumn<Row>[]): readonly DataColumn<Row>[] =>
  useMemo(() => [siteColumn, ...columns], [columns])
