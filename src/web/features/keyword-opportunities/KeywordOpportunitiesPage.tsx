import type { ReactNode } from 'react'
import { useCurrentUser } from '../../shell/current-user.ts'
import { PropertyRequired } from '../../shell/PropertyRequired.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { DetailPanel } from '../../widgets/analytics/detail/DetailPanel.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { AnalysisTab } from './AnalysisTab.tsx'
import { BrandTab } from './BrandTab.tsx'
import { CompetingTab } from './CompetingTab.tsx'
import { KeywordsExport } from './KeywordsExport.tsx'
import { type Tab, tabView, tabs } from './keyword-views.ts'
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
            <Title line="No property selected" />
          </div>
          <PropertyRequired>Select a property to see its keyword opportunities.</PropertyRequired>
        </>
      ) : (
        <Keywords property={selectedProperty} />
      )}
    </>
  )
}

function Title({ line }: { line: string }) {
  return (
    <div className="min-w-0">
      <h1 className="text-title font-semibold">Keyword Opportunities</h1>
      <p className="text-muted wrap-anywhere">{line}</p>
    </div>
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
        <Title line={property} />
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
