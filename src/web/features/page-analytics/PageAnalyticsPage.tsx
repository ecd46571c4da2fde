import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { AnalyticsSummary } from '../../../contract/analytics.ts'
import { firstStored } from '../../../core/analytics/gaps.ts'
import { dailyFile, decayFile, pagesFile, pagesQuery } from '../../api/analytics.ts'
import { formatCount, formatCtr, formatFigure, formatPosition } from '../../lib/format.ts'
import { useIsOfAll } from '../../shell/properties.ts'
import { PropertyScreen } from '../../shell/PropertyScreen.tsx'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ComparedDays } from '../../widgets/analytics/ComparedFigure.tsx'
import { DetailPanel } from '../../widgets/analytics/detail/DetailPanel.tsx'
import { isCompared, useSummaryOfSegment, useSummary } from '../../widgets/analytics/coverage/is-compared.ts'
import { whyNotListed } from '../../widgets/analytics/coverage/list-coverage.ts'
import { ListCoverage } from '../../widgets/analytics/coverage/ListCoverage.tsx'
import { PeriodOfScreen } from '../../widgets/analytics/PeriodControls.tsx'
import { useListView } from '../../widgets/analytics/use-list-view.ts'
import { ExportMenu } from '../../widgets/ExportMenu.tsx'
import { PropertyTitle } from '../../widgets/PropertyTitle.tsx'
import { AllPages } from './AllPages.tsx'
import { DecayTab } from './DecayTab.tsx'
import { InsightsTab } from './InsightsTab.tsx'
import { cardFigures } from './page-figures.ts'
import { filterOf, listLimit, listOf, pagesView, type PagesView } from './page-view.ts'
import { PerformanceTab } from './PerformanceTab.tsx'

export function PageAnalyticsPage() {
  const isOfAll = useIsOfAll()
  if (isOfAll) {
    return (
      <>
        <title>Page analytics · Ranklark</title>
        <AllPages />
      </>
    )
  }
  return (
    <PropertyScreen title="Page analytics" heading="Page Analytics" need="Select a property to see how its pages perform.">
      {(property) => <PageAnalytics property={property} />}
    </PropertyScreen>
  )
}

function PageAnalytics({ property }: { property: string }) {
  const [view, show] = useListView(pagesView)
  const filter = filterOf(view)
  const summary = useSummary(property, { range: filter.range, compare: filter.compare })
  // Those with the most clicks, however the table is sorted.
  const top = useQuery(pagesQuery(property, { ...filter, sort: 'clicks', order: 'desc', limit: listLimit }))
  const figures = top.data && cardFigures(top.data)
  const about = useSummaryOfSegment(summary.data, 'page', view.segment)
  const compared = about === undefined ? filter.compare !== 'none' : isCompared(about, 'page')
  const why = about ? whyNotListed(about, 'pages') : null
  const tab = { property, view, show }
  return (
    <>
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <PropertyTitle title="Page Analytics" property={property} />
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <PeriodOfScreen property={property} hasInterval={false} />
          <PagesExport property={property} view={view} />
        </div>
      </div>
      <PageCards
        figures={figures}
        site={summary.error === null ? summary.data : null}
        isUnknown={top.error !== null || why !== null}
        outdated={top.isPlaceholderData}
      />
      <div className="mt-3">
        <ListCoverage
          summary={top.error === null && why === null ? about : null}
          what="pages"
          shown={{ rows: figures?.pages ?? 0, clicks: figures?.clicks ?? 0 }}
        />
      </div>
      <ComparedDays of={summary.data}>
        <Card className="mt-3">
          <Tabs
            label="Page Analytics"
            value={view.tab}
            onChange={(chosen) => show({ tab: pagesView.tab.find((each) => each === chosen) ?? 'performance' })}
            tabs={[
              {
                value: 'performance',
                label: 'Page Performance',
                content: <PerformanceTab {...tab} isCompared={compared} count={summary.data?.pages.count ?? null} why={why} />,
              },
              { value: 'insights', label: 'Performance Insights', content: <InsightsTab {...tab} top={top} why={why} /> },
              { value: 'decay', label: 'Content decay', content: <DecayTab {...tab} /> },
            ]}
          />
        </Card>
      </ComparedDays>
      <DetailPanel property={property} />
    </>
  )
}

/** Exports everything that passes the filters (OPEN-POINTS 10). */
function PagesExport({ property, view }: { property: string; view: PagesView }) {
  const { range, compare, segment, search } = filterOf(view)
  return (
    <ExportMenu
      property={property}
      files={[
        { label: 'Pages', address: pagesFile(property, listOf(view)), what: 'Pages' },
        {
          label: 'All pages by day',
          address: dailyFile(property, { range, compare, grain: 'page' }),
          what: 'Daily page data',
        },
        {
          label: 'Content decay',
          address: decayFile(property, { range, segment, search }),
          what: 'Content decay data',
        },
      ]}
    />
  )
}

type PageCardsProps = {
  /** Undefined while loading. */
  figures: ReturnType<typeof cardFigures> | undefined
  /** Undefined while loading; null if it failed. */
  site: AnalyticsSummary | null | undefined
  /** They failed to load, or their days aren't stored. */
  isUnknown: boolean
  outdated: boolean
}

/** The listed pages as four figures (SPEC §2), each with that of the whole site (OPEN-POINTS 29). */
function PageCards({ figures, site, isUnknown, outdated }: PageCardsProps) {
  // Sums of days that aren't stored are unknown rather than 0.
  const pages = site && firstStored(site.current, site.pages.gaps) !== null ? site.pages : null
  const totals = site && firstStored(site.current, site.gaps) !== null ? site.totals : null
  const cards = [
    { label: 'Total Pages', value: figures && formatCount(figures.pages), ofSite: pages && formatCount(pages.count) },
    { label: 'Total Clicks', value: figures && formatCount(figures.clicks), ofSite: totals && formatCount(totals.clicks) },
    {
      label: 'Avg CTR',
      value: figures && (figures.ctr === null ? '–' : formatCtr(figures.ctr)),
      ofSite: totals && formatFigure('ctr', totals),
    },
    { label: 'Avg Position', value: figures && formatPosition(figures.position), ofSite: totals && formatFigure('position', totals) },
  ]
  return (
    <Dimmed when={outdated || (figures === undefined && !isUnknown)}>
      <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4 xl:gap-5">
        {cards.map(({ label, value, ofSite }) => (
          <FigureCard key={label} label={label} value={isUnknown ? '–' : value} ofSite={ofSite} />
        ))}
      </div>
    </Dimmed>
  )
}

/** `ofSite` is undefined while loading, null if unknown. */
function FigureCard({ label, value, ofSite }: { label: string; value: string | undefined; ofSite: string | null | undefined }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Card className="p-4!">
        <h2 id={id} className="font-medium text-muted">
          {label}
        </h2>
        {value === undefined ? (
          <Skeleton className="mt-1 h-8.5 w-24" />
        ) : (
          <p className="mt-1 text-figure font-semibold tracking-tight tabular-nums">{value}</p>
        )}
        <p className="min-h-5 text-sm text-muted tabular-nums">{ofSite && `Whole site: ${ofSite}`}</p>
      </Card>
    </section>
  )
}
