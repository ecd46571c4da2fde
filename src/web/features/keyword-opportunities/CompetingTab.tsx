import { useQuery } from '@tanstack/react-query'
import { Files, SearchX } from 'lucide-react'
import { competingQuery } from '../../api/analytics.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { cappedPairs } from '../../widgets/analytics/list-coverage.ts'
import { useView } from '../../widgets/analytics/use-view.ts'
import { CompetingRows } from './CompetingRows.tsx'
import { Coverage } from './Coverage.tsx'
import { FilterBar, KeywordFilters, PeriodFilters } from './Filters.tsx'
import { filterParams, isFiltered, limits } from './keyword-params.ts'
import { competingView } from './keyword-views.ts'
import { ListFrame } from './ListFrame.tsx'
import { NothingMatches } from './NoKeywords.tsx'
import { useKeywordSummary } from './use-keyword-summary.ts'

const { asked, shown } = limits.competing

/** Keywords for which several pages share the impressions. */
export function CompetingTab({ property }: { property: string }) {
  const [view, show] = useView(competingView)
  const list = useQuery(competingQuery(property, { ...filterParams(view), limit: asked }))
  const about = useKeywordSummary(property, view)
  return (
    <>
      <FilterBar>
        <KeywordFilters view={view} show={show} />
        <PeriodFilters view={view} show={show} />
      </FilterBar>
      <ListFrame
        label="Cannibalization"
        property={property}
        what="competing pages"
        list={list}
        about={about}
        head={
          <p className="mb-3 max-w-[90ch] text-muted">
            Google splits impressions for these keywords between several of your pages. If one page should rank, link to it from the others
            or give them a different topic. Sorted by impressions at stake.{' '}
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
              actions={view.days !== '90' && <Button onClick={() => show({ days: '90' })}>Show last 90 days</Button>}
            >
              A keyword appears here when at least two pages each get 10% of its impressions or more.
            </EmptyState>
          )
        }
      >
        {(rows) => {
          const onScreen = rows.slice(0, shown)
          return (
            <>
              <CompetingRows rows={onScreen} summary={about.summary} />
              <Coverage about={about} shown={onScreen} answered={rows.length} />
            </>
          )
        }}
      </ListFrame>
    </>
  )
}
