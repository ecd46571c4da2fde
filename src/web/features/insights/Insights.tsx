import type { ReactNode } from 'react'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { RangeSelect, rangeOf } from '../../widgets/analytics/PeriodSelects.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { ExportMenu } from '../../widgets/ExportMenu.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { AudienceTab } from './audience/AudienceTab.tsx'
import { insightFiles } from './insight-files.ts'
import { InsightCards, InsightCardsLoading } from './InsightCards.tsx'
import type { InsightsTabProps } from './insights-tab.ts'
import { insightsView } from './insights-view.ts'
import { MonitoringTab } from './monitoring/MonitoringTab.tsx'
import { PerformanceLoading, PerformanceTab } from './performance/PerformanceTab.tsx'
import { RecommendationsLoading, RecommendationsTab } from './recommendations/RecommendationsTab.tsx'
import { TrendsTab } from './trends/TrendsTab.tsx'
import { useInsights } from './use-insights.ts'

export function Insights({ property, title }: { property: string; title: ReactNode }) {
  const [view, show] = useView(insightsView)
  const days = rangeOf(view.days)
  const { lists, summary, error, isOutdated, retry } = useInsights(property, days)
  const period = { days, compare: view.compare }

  /** What is made of the lists: the problem with them is told once, above. */
  function ofLists(Content: (props: InsightsTabProps) => ReactNode, loading: ReactNode): ReactNode {
    if (error !== null) return <p className="text-muted">Available once the figures above load.</p>
    if (lists === null) return loading
    return (
      <Dimmed when={isOutdated}>
        <Content property={property} days={days} lists={lists} summary={summary} />
      </Dimmed>
    )
  }

  const compared = { property, period, onCompare: (compare: typeof view.compare) => show({ compare }) }
  return (
    <>
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        {title}
        <div className="flex gap-2 max-sm:w-full">
          <div className="w-38 max-sm:grow">
            <RangeSelect hideLabel value={view.days} onChange={(chosen) => show({ days: chosen })} />
          </div>
          <ExportMenu files={insightFiles(property, period)} />
        </div>
      </div>
      {error !== null ? (
        <Card>
          <LoadProblem what="insights" property={property} error={error} onRetry={retry} />
        </Card>
      ) : lists === null ? (
        <InsightCardsLoading />
      ) : (
        <Dimmed when={isOutdated}>
          <InsightCards lists={lists} summary={summary} />
        </Dimmed>
      )}
      <div className="mt-2">
        <Tabs
          label="Insights"
          value={view.tab}
          onChange={(chosen) => show({ tab: insightsView.tab.find((tab) => tab === chosen) ?? view.tab })}
          tabs={[
            { value: 'recommendations', label: 'Recommendations', content: ofLists(RecommendationsTab, <RecommendationsLoading />) },
            { value: 'performance', label: 'Performance Analytics', content: ofLists(PerformanceTab, <PerformanceLoading />) },
            { value: 'monitoring', label: 'Smart Monitoring', content: <MonitoringTab property={property} /> },
            { value: 'audience', label: 'Audience', content: <AudienceTab {...compared} /> },
            { value: 'trends', label: 'Trends', content: <TrendsTab {...compared} /> },
          ]}
        />
      </div>
    </>
  )
}
