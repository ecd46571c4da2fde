import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { keywordsQuery } from '../../api/analytics.ts'
import { useView } from '../../widgets/analytics/use-view.ts'
import { FilterBar, KeywordFilters, PeriodFilters, SortSelect } from './Filters.tsx'
import { analysisParams, isFiltered, limits } from './keyword-params.ts'
import { analysisView, sortChoices } from './keyword-views.ts'
import { ListFrame, NoKeywords, NothingMatches } from './ListFrame.tsx'
import { ScoredTable, ScoreExplained } from './ScoredTable.tsx'
import { useKeywordSummary } from './use-keyword-summary.ts'

const { asked, shown } = limits.analysis

export function AnalysisTab({ property }: { property: string }) {
  const [view, show] = useView(analysisView)
  const list = useQuery(keywordsQuery(property, { ...analysisParams(view), limit: asked }))
  const about = useKeywordSummary(property, view)
  return (
    <>
      <FilterBar>
        <KeywordFilters view={view} show={show} />
        <PeriodFilters property={property} view={view} show={show} />
        <SortSelect choices={sortChoices} value={view.sort} onChange={(sort) => show({ sort, order: 'usual' })} />
      </FilterBar>
      <ListFrame
        label="Keyword Analysis"
        property={property}
        what="keywords"
        list={list}
        about={about}
        head={<ScoreExplained />}
        empty={
          isFiltered(view) ? (
            <NothingMatches icon={<SearchX aria-hidden />} title="No keywords match your filters" onClear={show} />
          ) : (
            <NoKeywords />
          )
        }
      >
        {(rows) => (
          <ScoredTable caption="Keyword Analysis" rows={rows} most={shown} about={about} sorted={view} onSort={(sorted) => show(sorted)} />
        )}
      </ListFrame>
    </>
  )
}
