import { useQuery } from '@tanstack/react-query'
import { Target } from 'lucide-react'
import { opportunitiesQuery } from '../../api/analytics.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { FilterBar, KeywordFilters, PositionSelect, SortSelect } from './Filters.tsx'
import { limits, opportunitiesParams } from './keyword-params.ts'
import { opportunitiesView, sortChoices } from './keyword-views.ts'
import { ListFrame } from './ListFrame.tsx'
import { ScoredTable, ScoreExplained } from './ScoredTable.tsx'
import { useKeywordSummary } from './use-keyword-summary.ts'

const { asked, shown } = limits.opportunities

export function OpportunitiesTab({ property }: { property: string }) {
  const [view, show] = useView(opportunitiesView)
  const list = useQuery(opportunitiesQuery(property, { ...opportunitiesParams(view), limit: asked }))
  const about = useKeywordSummary(property, view)
  return (
    <>
      <FilterBar>
        <KeywordFilters
          view={view}
          show={show}
          between={<PositionSelect value={view.position} onChange={(position) => show({ position })} />}
        />
        <SortSelect choices={sortChoices} value={view.sort} onChange={(sort) => show({ sort, order: 'usual' })} />
      </FilterBar>
      <ListFrame
        label="Optimization Opportunities"
        property={property}
        what="opportunities"
        list={list}
        about={about}
        head={<ScoreExplained />}
        empty={
          <EmptyState
            icon={<Target aria-hidden />}
            title="No optimization opportunities found. Try adjusting your filters."
            actions={
              <Button onClick={() => show({ position: 'all', brand: 'all', segment: '', search: '' })}>
                Show all positions and keywords
              </Button>
            }
          >
            A keyword is an opportunity if it would get more clicks at position 3.
          </EmptyState>
        }
      >
        {(rows) => (
          <ScoredTable
            caption="Optimization Opportunities"
            rows={rows}
            most={shown}
            about={about}
            sorted={view}
            onSort={(sorted) => show(sorted)}
          />
        )}
      </ListFrame>
    </>
  )
}
