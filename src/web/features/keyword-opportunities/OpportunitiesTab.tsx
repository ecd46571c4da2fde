import { Target } from 'lucide-react'
import { allOpportunities } from '../../api/analytics.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useAllRows } from '../../lib/hooks/whole-list.ts'
import { useView } from '../../widgets/analytics/use-view.ts'
import { FilterBar, KeywordFilters, PositionSelect, SortSelect } from './Filters.tsx'
import { limits, opportunitiesParams } from './keyword-params.ts'
import { opportunitiesView, sortChoices } from './keyword-views.ts'
import { ListFrame } from './ListFrame.tsx'
import { ScoredTable, ScoreExplained } from './ScoredTable.tsx'
import { useKeywordSummary } from './use-keyword-summary.ts'

export function OpportunitiesTab({ property }: { property: string }) {
  const [view, show] = useView(opportunitiesView)
  const list = useAllRows(allOpportunities(property, { ...opportunitiesParams(view), limit: limits.opportunities }))
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
            what={['opportunity', 'opportunities']}
            rows={rows}
            more={list.moreOf(null)}
            about={about}
            sorted={view}
            onSort={(sorted) => show(sorted)}
          />
        )}
      </ListFrame>
    </>
  )
}
