import { SearchX, Target } from 'lucide-react'
import type { ReactNode } from 'react'
import { allKeywords, allOpportunities, competingFile, dailyFile, keywordsFile, opportunitiesFile } from '../../api/analytics.ts'
import { useIsOfAll } from '../../shell/properties.ts'
import { PropertyScreen } from '../../shell/PropertyScreen.tsx'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ExportMenu } from '../../widgets/ExportMenu.tsx'
import { DetailPanel } from '../../widgets/analytics/detail/DetailPanel.tsx'
import { useAllRows } from '../../lib/hooks/paged-list.ts'
import { PeriodOfScreen } from '../../widgets/analytics/PeriodControls.tsx'
import { useListView } from '../../widgets/analytics/use-list-view.ts'
import { useView } from '../../widgets/analytics/use-view.ts'
import { PropertyTitle } from '../../widgets/PropertyTitle.tsx'
import { AllKeywords } from './AllKeywords.tsx'
import { BrandTab } from './BrandTab.tsx'
import { CompetingTab } from './CompetingTab.tsx'
import { KeywordFilterBar, KeywordFilters, PositionSelect, SortSelect } from './Filters.tsx'
import { ListFrame, NoKeywords, NothingMatches } from './ListFrame.tsx'
import { MovementTab } from './MovementTab.tsx'
import { ScoredTable, ScoreExplained } from './ScoredTable.tsx'
import { unknownDays } from './copy.ts'
import { analysisParams, competingParams, isFiltered, limits, movementParams, opportunitiesParams, periodParams } from './keyword-params.ts'
import {
  analysisView,
  brandView,
  competingView,
  movementView,
  opportunitiesView,
  sortChoices,
  type Tab,
  tabs,
  tabView,
} from './keyword-views.ts'
import { useKeywordSummary } from './use-keyword-summary.ts'

export function KeywordOpportunitiesPage() {
  const isOfAll = useIsOfAll()
  if (isOfAll) {
    return (
      <>
        <title>Keyword opportunities · Ranklark</title>
        <AllKeywords />
      </>
    )
  }
  return (
    <PropertyScreen
      title="Keyword opportunities"
      heading="Keyword Opportunities"
      need="Select a property to see its keyword opportunities."
    >
      {(property) => <Keywords property={property} />}
    </PropertyScreen>
  )
}

const labels: Record<Tab, string> = {
  opportunities: 'Optimization Opportunities',
  analysis: 'Keyword Analysis',
  movement: 'New and lost',
  competing: 'Cannibalization',
  brand: 'Brand',
}

function Keywords({ property }: { property: string }) {
  const [{ tab }, show] = useView(tabView)
  const contents: Record<Tab, ReactNode> = {
    opportunities: <OpportunitiesTab property={property} />,
    analysis: <AnalysisTab property={property} />,
    movement: <MovementTab property={property} />,
    competing: <CompetingTab property={property} />,
    brand: <BrandTab property={property} />,
  }
  return (
    <>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <PropertyTitle title="Keyword Opportunities" property={property} />
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <PeriodOfScreen property={property} hasInterval={tab === 'brand'} />
          <KeywordsExport property={property} tab={tab} />
        </div>
      </div>
      <Tabs
        label="Keyword reports"
        tabs={tabs.map((value) => ({ value, label: labels[value], content: contents[value] }))}
        value={tab}
        onChange={(chosen) => show({ tab: tabs.find((each) => each === chosen) ?? tab })}
      />
      <DetailPanel property={property} />
    </>
  )
}

type OfProperty = { property: string }

/** All rows of the open tab (OPEN-POINTS 10). */
function KeywordsExport({ property, tab }: OfProperty & { tab: Tab }): ReactNode {
  switch (tab) {
    case 'opportunities':
      return <OpportunitiesExport property={property} />
    case 'analysis':
      return <AnalysisExport property={property} />
    case 'movement':
      return <MovementExport property={property} />
    case 'competing':
      return <CompetingExport property={property} />
    case 'brand':
      return <BrandExport property={property} />
  }
}

function OpportunitiesExport({ property }: OfProperty) {
  const [view] = useListView(opportunitiesView)
  const address = opportunitiesFile(property, opportunitiesParams(view))
  return <ExportMenu property={property} files={[{ label: 'Opportunities', address, what: 'Opportunities' }]} />
}

function AnalysisExport({ property }: OfProperty) {
  const [view] = useListView(analysisView)
  return (
    <ExportMenu
      property={property}
      files={[
        { label: 'Keywords', address: keywordsFile(property, analysisParams(view)), what: 'Keywords' },
        {
          label: 'All keywords by day',
          address: dailyFile(property, { ...periodParams(view), grain: 'query' }),
          what: 'Daily keyword data',
        },
      ]}
    />
  )
}

function MovementExport({ property }: OfProperty) {
  const [view] = useView(movementView)
  const { summary } = useKeywordSummary(property, view)
  const address = keywordsFile(property, movementParams(view))
  const what = `${view.presence === 'new' ? 'New' : 'Lost'} keywords`
  // Without a comparison, or with days missing, nothing is new or lost.
  const disabled = view.compare === 'none' || (summary ? unknownDays(view.presence, summary).length > 0 : false)
  return <ExportMenu property={property} files={[{ label: 'Keywords', address, what }]} disabled={disabled} />
}

function CompetingExport({ property }: OfProperty) {
  const [view] = useListView(competingView)
  const address = competingFile(property, competingParams(view))
  return <ExportMenu property={property} files={[{ label: 'Keywords', address, what: 'Keywords with competing pages' }]} />
}

function BrandExport({ property }: OfProperty) {
  const [view] = useView(brandView)
  const of = (brand: 'brand' | 'non-brand') => keywordsFile(property, { ...periodParams(view), brand })
  return (
    <ExportMenu
      property={property}
      files={[
        { label: 'Brand keywords', address: of('brand'), what: 'Brand keywords' },
        { label: 'Non-brand keywords', address: of('non-brand'), what: 'Non-brand keywords' },
      ]}
    />
  )
}

function AnalysisTab({ property }: { property: string }) {
  const [view, show] = useListView(analysisView)
  const list = useAllRows(allKeywords(property, { ...analysisParams(view), limit: limits.analysis }))
  const about = useKeywordSummary(property, view)
  return (
    <>
      <KeywordFilterBar>
        <KeywordFilters view={view} show={show} />
        <SortSelect choices={sortChoices} value={view.sort} onChange={(sort) => show({ sort, order: 'usual' })} />
      </KeywordFilterBar>
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
          <ScoredTable
            caption="Keyword Analysis"
            what={['keyword', 'keywords']}
            rows={rows}
            more={list.moreOf(isFiltered(view) ? null : (about.summary?.keywords.count ?? null))}
            about={about}
            sorted={view}
            onSort={(sorted) => show(sorted)}
          />
        )}
      </ListFrame>
    </>
  )
}

function OpportunitiesTab({ property }: { property: string }) {
  const [view, show] = useListView(opportunitiesView)
  const list = useAllRows(allOpportunities(property, { ...opportunitiesParams(view), limit: limits.opportunities }))
  const about = useKeywordSummary(property, view)
  return (
    <>
      <KeywordFilterBar>
        <KeywordFilters
          view={view}
          show={show}
          between={<PositionSelect value={view.position} onChange={(position) => show({ position })} />}
        />
        <SortSelect choices={sortChoices} value={view.sort} onChange={(sort) => show({ sort, order: 'usual' })} />
      </KeywordFilterBar>
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
