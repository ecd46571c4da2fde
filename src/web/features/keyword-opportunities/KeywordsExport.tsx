import type { ReactNode } from 'react'
import { competingFile, dailyFile, keywordsFile, opportunitiesFile } from '../../api/analytics.ts'
import { useView } from '../../widgets/analytics/use-view.ts'
import { ExportMenu } from '../../widgets/ExportMenu.tsx'
import { analysisParams, filterParams, movementParams, opportunitiesParams, periodParams } from './keyword-params.ts'
import { analysisView, brandView, competingView, movementView, opportunitiesView, type Tab } from './keyword-views.ts'

type OfProperty = { property: string }

/** All rows of what the open tab shows (OPEN-POINTS 10). */
export function KeywordsExport({ property, tab }: OfProperty & { tab: Tab }): ReactNode {
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
