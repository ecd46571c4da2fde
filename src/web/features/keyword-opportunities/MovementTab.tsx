import { ArrowLeftRight } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { FilterBar, KeywordFilters, PeriodFilters, SortSelect } from './Filters.tsx'
import { movementSortChoices, movementView } from './keyword-views.ts'
import { MovementList } from './MovementList.tsx'

const presences = [
  { value: 'new', label: 'New' },
  { value: 'lost', label: 'Lost' },
] as const

export function MovementTab({ property }: { property: string }) {
  const [view, show] = useView(movementView)
  return (
    <>
      <FilterBar>
        <KeywordFilters view={view} show={show} />
        <PeriodFilters view={view} show={show} />
        <SortSelect choices={movementSortChoices} value={view.sort} onChange={(sort) => show({ sort, order: 'usual' })} />
      </FilterBar>
      <div className="mb-4">
        <Segments label="Keywords to show" choices={presences} value={view.presence} onChange={(presence) => show({ presence })} />
      </div>
      {view.compare === 'none' ? (
        <section aria-label="New and lost keywords" className="rounded-card border border-line bg-surface p-4 sm:p-6">
          <EmptyState
            icon={<ArrowLeftRight aria-hidden />}
            title="Choose a comparison"
            actions={
              <>
                <Button variant="primary" onClick={() => show({ compare: 'previous' })}>
                  Previous period
                </Button>
                <Button onClick={() => show({ compare: 'year' })}>Same period last year</Button>
              </>
            }
          >
            Keywords are new or lost compared with another period.
          </EmptyState>
        </section>
      ) : (
        <MovementList property={property} view={view} show={show} />
      )}
    </>
  )
}
