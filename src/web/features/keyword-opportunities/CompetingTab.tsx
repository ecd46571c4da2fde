import { askingFor, rangeIn } from '../../widgets/analytics/period-view.ts'
import { Files, SearchX } from 'lucide-react'
import { allCompeting } from '../../api/analytics.ts'
import { useAllRows } from '../../lib/hooks/paged-list.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { cappedPairs } from '../../widgets/analytics/coverage/list-coverage.ts'
import { useListView } from '../../widgets/analytics/use-list-view.ts'
import { CompetingRows } from './CompetingRows.tsx'
import { KeywordFilterBar, KeywordFilters, SortSelect } from './Filters.tsx'
import { competingParams, isFiltered, limits } from './keyword-params.ts'
import { competingSortChoices, competingView } from './keyword-views.ts'
import { Coverage, ListFrame, NothingMatches } from './ListFrame.tsx'
import { useKeywordSummary } from './use-keyword-summary.ts'

/** Keywords whose impressions are split among several pages. */
export function CompetingTab({ property }: { property: string }) {
  const [view, show] = useListView(competingView)
  const list = useAllRows(allCompeting(property, { ...competingParams(view), limit: limits.competing }))
  const about = useKeywordSummary(property, view)
  return (
    <>
      <KeywordFilterBar>
        <KeywordFilters view={view} show={show} />
        <SortSelect choices={competingSortChoices} value={view.sort} onChange={(sort) => show({ sort, order: 'usual' })} />
      </KeywordFilterBar>
      <ListFrame
        label="Cannibalization"
        property={property}
        what="competing pages"
        list={list}
        about={about}
        from="pairs"
        head={
          <p className="mb-3 max-w-[90ch] text-muted">
            Google splits impressions for these keywords among several of your pages. If you want one page to rank, link to it from the
            others, or focus those on different topics. Impressions at stake are those of every page except the strongest.{' '}
            {cappedPairs(about.summary?.pairs.cutOffDays ?? 0, 'some pages may be')}
          </p>
        }
        empty={
          isFiltered(view) ? (
            <NothingMatches icon={<SearchX aria-hidden />} title="No keywords match your filters" onClear={show} />
          ) : (
            <EmptyState
              icon={<Files aria-hidden />}
              title="No competing pages"
              actions={
                (rangeIn(view) === '7d' || rangeIn(view) === '28d') && (
                  <Button onClick={() => show(askingFor({ range: '90d' }))}>Show last 90 days</Button>
                )
              }
            >
              A keyword appears here when at least two pages each get 10% or more of its impressions.
            </EmptyState>
          )
        }
      >
        {(rows) => (
          <>
            <CompetingRows rows={rows} more={list.moreOf(null)} summary={about.summary} sorted={view} onSort={show} />
            <Coverage about={about} shown={rows} />
          </>
        )}
      </ListFrame>
    </>
  )
}
