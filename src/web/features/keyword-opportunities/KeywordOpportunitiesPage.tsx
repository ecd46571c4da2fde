import type { ReactNode } from 'react'
import { competingFile, dailyFile, keywordsFile, opportunitiesFile } from '../../api/analytics.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { PropertyRequired } from '../../shell/PropertyRequired.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { DetailPanel } from '../../widgets/analytics/detail/DetailPanel.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { ExportMenu } from '../../widgets/ExportMenu.tsx'
import { PropertyTitle } from '../../widgets/PropertyTitle.tsx'
import { AnalysisTab } from './AnalysisTab.tsx'
import { BrandTab } from './BrandTab.tsx'
import { CompetingTab } from './CompetingTab.tsx'
import { analysisParams, filterParams, movementParams, opportunitiesParams, periodParams } from './keyword-params.ts'
import { analysisView, brandView, competingView, movementView, opportunitiesView, type Tab, tabs, tabView } from './keyword-views.ts'
import { MovementTab } from './MovementTab.tsx'
import { OpportunitiesTab } from './OpportunitiesTab.tsx'

export function KeywordOpportunitiesPage() {
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>Keyword opportunities · Ranklark</title>
      {selectedProperty === null ? (
        <>
          <div className="mb-5">
            <PropertyTitle title="Keyword Opportunities" property={null} />
          </div>
          <PropertyRequired>Select a property to see its keyword opportunities.</PropertyRequired>
        </>
      ) : (
        <Keywords property={selectedProperty} />
      )}
    </>
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
        <KeywordsExport property={property} tab={tab} />
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

/** All rows of what the open tab shows (OPEN-POINTS 10). */
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
  const [view] = useView(opportunitiesView)
  const address = opportunitiesFile(property, opportunitiesParams(view))
  return <ExportMenu files={[{ label: 'Opportunities', address, what: `Opportunities for ${property}` }]} />
}

function AnalysisExport({ property }: OfProperty) {
  const [view] = useView(analysisView)
  return (
    <ExportMenu
      files={[
        { label: 'Keywords', address: keywordsFile(property, analysisParams(view)), what: `Keywords for ${property}` },
        {
          label: 'All keywords by day',
          address: dailyFile(property, { ...periodParams(view), grain: 'query' }),
          what: `Daily keyword data for ${property}`,
        },
      ]}
    />
  )
}

function MovementExport({ property }: OfProperty) {
  const [view] = useView(movementView)
  const address = keywordsFile(property, movementParams(view))
  const what = `${view.presence === 'new' ? 'New' : 'Lost'} keywords for ${property}`
  // Without a comparison nothing is new or lost.
  return <ExportMenu files={[{ label: 'Keywords', address, what }]} disabled={view.compare === 'none'} />
}

function CompetingExport({ property }: OfProperty) {
  const [view] = useView(competingView)
  const address = competingFile(property, filterParams(view))
  return <ExportMenu files={[{ label: 'Keywords', address, what: `Keywords with competing pages for ${property}` }]} />
}

function BrandExport({ property }: OfProperty) {
  const [view] = useView(brandView)
  const of = (brand: 'brand' | 'non-brand') => keywordsFile(property, { ...periodParams(view), brand })
  return (
    <ExportMenu
      files={[
        { label: 'Brand keywords', address: of('brand'), what: `Brand keywords for ${property}` },
        { label: 'Non-brand keywords', address: of('non-brand'), what: `Non-brand keywords for ${property}` },
      ]}
    />
  )
}
