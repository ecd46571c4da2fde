import { Select } from '../../ui/form/Select.tsx'
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

type PageFiltersProps = { view: PagesView; show: ShowPages; /** Also offers the order. */ asTable?: boolean }

/** Filters for pages: the same on every tab. */
export function PageFilters({ view, show, asTable = false }: PageFiltersProps) {
  return (
    <div className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-[1fr_13rem_10.5rem_9.5rem]">
      <div className="col-span-full xl:col-span-1">
        <SearchField
          label="Search pages"
          placeholder="Part of the page URL"
          value={view.search}
          onChange={(search) => show({ search }, { replace: true })}
        />
      </div>
      <div className="max-md:col-span-2">
        <SegmentSelect of="page" all="All pages" value={view.segment} onChange={(segment) => show({ segment })} />
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
        </>
      )}
    </div>
  )
}
