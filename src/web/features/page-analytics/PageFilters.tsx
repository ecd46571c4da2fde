import { Select } from '../../ui/form/Select.tsx'
import { CompareSelect } from '../../widgets/analytics/CompareSelect.tsx'
import { askingFor, rangeIn, RangeSelect } from '../../widgets/analytics/PeriodSelects.tsx'
import { SegmentSelect } from '../../widgets/analytics/SegmentSelect.tsx'
import { SearchField } from '../../widgets/analytics/SearchField.tsx'
import { pageSorts, pagesView, type PagesView, type ShowPages } from './page-view.ts'

const sortLabels: Record<PagesView['sort'], string> = {
  clicks: 'Clicks',
  impressions: 'Impressions',
  ctr: 'CTR',
  position: 'Position',
  clicksChange: 'Change in clicks',
  impressionsChange: 'Change in impressions',
  ctrChange: 'Change in CTR',
  positionChange: 'Change in position',
}
const orderLabels: Record<PagesView['order'], string> = { desc: 'Descending', asc: 'Ascending' }

type PageFiltersProps = {
  property: string
  view: PagesView
  show: ShowPages
  /** Also offers the order and the comparison. */ asTable?: boolean
}

/** Filters for pages and days: the same on every tab. */
export function PageFilters({ property, view, show, asTable = false }: PageFiltersProps) {
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-[1fr_1fr_1fr_1.4fr] xl:grid-cols-[13rem_repeat(2,9.5rem)_13rem_1fr]">
      <div className="col-span-2 flex flex-wrap gap-3 md:col-span-4 xl:col-span-5">
        <div className="min-w-40 grow">
          <SearchField
            label="Search pages"
            placeholder="Part of the page URL"
            value={view.search}
            onChange={(search) => show({ search }, { replace: true })}
          />
        </div>
        <div className="w-52 min-w-40 max-sm:grow">
          <SegmentSelect of="page" all="All pages" value={view.segment} onChange={(segment) => show({ segment })} />
        </div>
      </div>
      <div className={asTable ? 'col-span-2 md:col-span-1' : undefined}>
        <RangeSelect property={property} value={rangeIn(view)} onChange={(range) => show(askingFor(range))} />
      </div>
      {asTable && (
        <>
          <Select
            label="Sort By"
            placeholder=""
            value={view.sort}
            choices={[...new Set([...pageSorts, view.sort])].map((value) => ({ value, label: sortLabels[value] }))}
            onChange={(chosen) => show({ sort: pagesView.sort.find((sort) => sort === chosen) ?? 'clicks' })}
          />
          <Select
            label="Order"
            placeholder=""
            value={view.order}
            choices={pagesView.order.map((value) => ({ value, label: orderLabels[value] }))}
            onChange={(chosen) => show({ order: chosen === 'asc' ? 'asc' : 'desc' })}
          />
          <div className="col-span-2 md:col-span-1">
            <CompareSelect property={property} range={rangeIn(view)} value={view.compare} onChange={(compare) => show({ compare })} />
          </div>
        </>
      )}
    </div>
  )
}
