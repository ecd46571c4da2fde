import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { lazy, type ReactNode, Suspense } from 'react'
import type { MetricsRead } from '../../../contract/metrics.ts'
import { isUnderWay } from '../../api/sync.ts'
import { metricsQuery } from '../../api/metrics.ts'
import { useLoading } from '../../lib/hooks/use-loading.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSyncStatus } from '../../shell/sync.ts'
import { PropertyName } from '../../widgets/PropertyName.tsx'
import { MetricCards, MetricCardsLoading } from './MetricCards.tsx'
import { useHistoryView } from './history/use-history-view.ts'

// Placed around the figures, which need not wait for it; requested right away all the same.
const alertWidgets = import('./AlertWidgets.tsx')
const AlertWidgets = lazy(async () => ({ default: (await alertWidgets).AlertWidgets }))
const OpenAlerts = lazy(async () => ({ default: (await alertWidgets).OpenAlerts }))
const whatHappened = import('./WhatHappened.tsx')
const WhatHappened = lazy(async () => ({ default: (await whatHappened).WhatHappened }))
const historySection = import('./history/HistorySection.tsx')
const HistorySection = lazy(async () => ({ default: (await historySection).HistorySection }))
const historyControls = import('./history/HistoryControls.tsx')
const HistoryControls = lazy(async () => ({ default: (await historyControls).HistoryControls }))
const SearchTypes = lazy(async () => ({ default: (await historyControls).SearchTypes }))
// Only when there are no figures.
const MetricsEmpty = lazy(async () => ({ default: (await import('./MetricsProblem.tsx')).MetricsEmpty }))
const MetricsError = lazy(async () => ({ default: (await import('./MetricsProblem.tsx')).MetricsError }))

/** Keeps the content after it below the fold. */
const belowScreen = <div className="min-h-screen" />

export function DashboardPage() {
  useConnectionResult()
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>Dashboard · Ranklark</title>
      {selectedProperty === null ? (
        <div className="min-h-screen">
          <Title line="No property selected" />
          <Suspense>
            <MetricsEmpty />
            <AlertWidgets property={null} />
          </Suspense>
        </div>
      ) : (
        <PropertyDashboard property={selectedProperty} />
      )}
    </>
  )
}

function PropertyDashboard({ property }: { property: string }) {
  const [view, show] = useHistoryView()
  const { compare, shown } = view
  const metrics = useQuery(metricsQuery(property, view))
  const sync = useSyncStatus()
  const data = metrics.data
  // Days without any impressions are zeros; null: there is nothing yet, or nothing of the search type.
  const hasFigures = data !== undefined && data !== null
  const isLoading = metrics.isPending || metrics.isPlaceholderData
  // Missing figures don't mean there are none while the first days are still arriving.
  const isFetching = !metrics.isError && sync !== null && isUnderWay(sync)
  if (!hasFigures && !isLoading && !isFetching) {
    return (
      <>
        <Title property={property} line={<PropertyName name={property} />} />
        <Suspense fallback={belowScreen}>
          {metrics.isError ? (
            <MetricsError property={property} error={metrics.error} onRetry={() => void metrics.refetch()} />
          ) : (
            <MetricsEmpty />
          )}
          <OnceLoaded>
            <AlertWidgets property={property} withAlerts />
          </OnceLoaded>
        </Suspense>
      </>
    )
  }
  return (
    <>
      <Title property={property} line={lineOf(property, hasFigures ? data : undefined, isLoading)}>
        {/* Reserves their space until they arrive; chosen days to compare with take more of it. */}
        <div
          className={clsx('flex shrink-0 flex-wrap content-start gap-2 sm:min-h-10', typeof compare === 'string' ? 'min-h-22' : 'min-h-34')}
        >
          <Suspense>
            <HistoryControls property={property} />
          </Suspense>
        </div>
      </Title>
      {/* As high as the longest sentence. */}
      <p className="-mt-2 mb-4 min-h-10 font-medium md:min-h-5">
        {hasFigures && !metrics.isPlaceholderData && (
          <Suspense>
            <WhatHappened property={property} metrics={data} days={view} />
          </Suspense>
        )}
      </p>
      {hasFigures ? (
        <MetricCards
          property={data.property ?? property}
          metrics={data}
          days={view}
          outdated={metrics.isPlaceholderData}
          shown={shown}
          onShow={(chosen) => show({ shown: chosen })}
        />
      ) : (
        <MetricCardsLoading />
      )}
      <div className="mt-4 grid grid-cols-1 gap-4 xl:mt-5 xl:min-h-114 xl:grid-cols-[minmax(0,1fr)_23rem] xl:gap-5">
        {/* The height of the chart's card. */}
        <Suspense fallback={<div className="h-119.5 sm:h-111.5" />}>
          <HistorySection property={property} />
        </Suspense>
        <div className={clsx('grid', metrics.isPending && 'invisible')}>
          <Suspense fallback={<div className="h-34" />}>
            <OpenAlerts property={property} />
          </Suspense>
        </div>
      </div>
      {/* Not before the figures: without any, it is further up. */}
      <div className={clsx(metrics.isPending && 'invisible')}>
        <Suspense fallback={belowScreen}>
          <AlertWidgets property={property} />
        </Suspense>
      </div>
    </>
  )
}

/** Hides its content until everything has loaded: parts that arrive later would move the rest. */
function OnceLoaded({ children }: { children: ReactNode }) {
  return <div className={clsx(useLoading() && 'invisible')}>{children}</div>
}

/** The days of the figures, or what is pending. */
function lineOf(property: string, metrics: Pick<MetricsRead, 'current'> | undefined, isLoading: boolean): ReactNode {
  if (metrics) return metrics.current ? `${formatPeriod(metrics.current, true)}, complete days` : <PropertyName name={property} />
  return isLoading ? 'Loading complete days' : 'Fetching your first days of data from Google. Your metrics will appear as the data arrives.'
}

function Title({ property, line, children }: { property?: string; line: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-col justify-between gap-x-4 gap-y-3 xl:flex-row xl:items-end">
      <div className="min-w-0">
        <div className="-mt-1.5 flex h-10 items-center gap-3">
          <h1 className="text-title font-semibold">Dashboard</h1>
          <Suspense>{property !== undefined && <SearchTypes property={property} />}</Suspense>
        </div>
        <p className="text-muted">{line}</p>
      </div>
      {children}
    </div>
  )
}
