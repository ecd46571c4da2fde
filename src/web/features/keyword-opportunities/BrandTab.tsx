import { useView } from '../../widgets/analytics/use-view.ts'
import { BrandOverview } from './BrandOverview.tsx'
import { BrandTerms } from './BrandTerms.tsx'
import { FilterBar, PeriodFilters } from './Filters.tsx'
import { brandView } from './keyword-views.ts'

/** How much comes by the brand, and what counts as the brand. */
export function BrandTab({ property }: { property: string }) {
  const [view, show] = useView(brandView)
  return (
    <>
      <FilterBar>
        <PeriodFilters view={view} show={show} />
      </FilterBar>
      <div className="flex flex-col gap-4">
        <BrandOverview property={property} view={view} onMetric={(metric) => show({ metric })} />
        <BrandTerms key={property} property={property} />
      </div>
    </>
  )
}
