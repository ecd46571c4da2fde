import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { lazy, type ReactNode, Suspense } from 'react'
import type { MetricsRead } from '../../../contract/metrics.ts'
import { isUnderWay } from '../../api/sync.ts'
import { metricsQuery } from '../../api/metrics.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSyncStatus } from '../../shell/sync.ts'
import { PropertyName } from '../../widgets/PropertyName.tsx'
import { MetricCards, MetricCardsLoading } from './MetricCards.tsx'
import { useHistoryView } from './history/use-history-view.ts'
import { MetricsEmpty, MetricsError } from './MetricsProblem.tsx'

// Around the figures, which need not wait for it; asked for at once all the same.
const alertWidgets = import('./AlertWidgets.tsx')
const AlertWidgets = lazy(async () => ({ default: (await alertWidgets).AlertWidgets }))
const historySection = import('./history/HistorySection.tsx')
const HistorySection = lazy(async () => ({ default: (await historySection).HistorySection }))
const historyControls = import('./history/HistoryControls.tsx')
const HistoryControls = lazy(async () => ({ default: (await historyControls).HistoryControls }))

export function DashboardPage() {
  useConnectionResult()
  const { selectedProperty } = useCurrentUser()
  return (
    <>
      <title>Dashboard · Ranklark</title>
      {selectedProperty === null ? (
        <>
          <Title line="No property selected" />
          <MetricsEmpty />
        </>
      ) : (
        <PropertyDashboard property={selectedProperty} />
      )}
      {/* Keeps the footer below the screen meanwhile. */}
      <Suspense fallback={<div className="min-h-screen" />}>
        <AlertWidgets property={selectedProperty} />
      </Suspense>
    </>
  )
}

function PropertyDashboard({ property }: { property: string }) {
  const metrics = useQuery(metricsQuery(property))
  const sync = useSyncStatus()
  const [{ range, shown }, show] = useHistoryView()
  const data = metrics.data
  // Without dates it is not known of which days they are; without any day there is nothing yet.
  const hasFigures = data && data.dates?.length !== 0
  const isLoading = metrics.isPending || metrics.isPlaceholderData
  // No figures yet are no absence while the first days are still on their way.
  const isFetching = !metrics.isError && sync !== null && isUnderWay(sync)
  if (!hasFigures && !isLoading && !isFetching) {
    return (
      <>
        <Title line={<PropertyName name={property} />} />
        {metrics.isError ? (
          <MetricsError property={property} error={metrics.error} onRetry={() => void metrics.refetch()} />
        ) : (
          <MetricsEmpty />
        )}
      </>
    )
  }
  return (
    <>
      <Title line={lineOf(property, hasFigures ? data : undefined, isLoading)}>
        {/* Their room is kept until they are there; chosen days take more of it. */}
        <div
          className={clsx('flex shrink-0 flex-wrap content-start gap-2 sm:min-h-10', typeof range === 'string' ? 'min-h-22' : 'min-h-34')}
        >
          <Suspense>
            <HistoryControls property={property} />
          </Suspense>
        </div>
      </Title>
      {hasFigures ? (
        <MetricCards
          property={data.property ?? property}
          metrics={data}
          outdated={metrics.isPlaceholderData}
          shown={shown}
          onShow={(chosen) => show({ shown: chosen })}
        />
      ) : (
        <MetricCardsLoading />
      )}
      {/* As high as the card of the chart. */}
      <Suspense fallback={<div className="mt-4 h-110.5 sm:h-107.5 xl:mt-5" />}>
        <HistorySection property={property} />
      </Suspense>
    </>
  )
}

/** Of which days the figures are, or what is waited for. */
function lineOf(property: string, metrics: Pick<MetricsRead, 'current'> | undefined, isLoading: boolean): ReactNode {
  if (metrics) return metrics.current ? `${formatPeriod(metrics.current, true)}, complete days` : <PropertyName name={property} />
  return isLoading ? 'Loading the last 7 complete days' : 'Fetching your first days from Google. Figures appear as they arrive.'
}

function Title({ line, children }: { line: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-5 flex flex-col justify-between gap-x-4 gap-y-3 xl:flex-row xl:items-end">
      <div className="min-w-0">
        <h1 className="text-title font-semibold">Dashboard</h1>
        <p className="text-muted">{line}</p>
      </div>
      {children}
    </div>
  )
}
