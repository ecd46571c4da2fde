import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { isUnderWay } from '../../api/sync.ts'
import { metricsQuery } from '../../api/metrics.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { useConnectionResult } from '../../shell/use-connection-result.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSyncStatus } from '../../shell/sync.ts'
import { PropertyName } from '../../widgets/PropertyName.tsx'
import { MetricCards, MetricCardsLoading } from './MetricCards.tsx'
import { MetricsEmpty, MetricsError } from './MetricsProblem.tsx'

// Below the figures, which need not wait for it; asked for at once all the same.
const alertWidgets = import('./AlertWidgets.tsx')
const AlertWidgets = lazy(async () => ({ default: (await alertWidgets).AlertWidgets }))

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
  const data = metrics.data
  // Without dates it is not known of which days they are; without any day there is nothing yet.
  if (data && data.dates?.length !== 0) {
    return (
      <>
        <Title line={data.current ? `${formatPeriod(data.current, true)}, complete days` : <PropertyName name={property} />} />
        <MetricCards property={data.property ?? property} metrics={data} outdated={metrics.isPlaceholderData} />
      </>
    )
  }
  if (metrics.isPending || metrics.isPlaceholderData) return <Waiting line="Loading the last 7 complete days" />
  if (metrics.isError) {
    return (
      <>
        <Title line={<PropertyName name={property} />} />
        <MetricsError property={property} error={metrics.error} onRetry={() => void metrics.refetch()} />
      </>
    )
  }
  // No figures yet are no absence while the first days are still on their way.
  if (sync !== null && isUnderWay(sync)) return <Waiting line="Fetching your first days from Google. Figures appear as they arrive." />
  return (
    <>
      <Title line={<PropertyName name={property} />} />
      <MetricsEmpty />
    </>
  )
}

function Waiting({ line }: { line: string }) {
  return (
    <>
      <Title line={line} />
      <MetricCardsLoading />
    </>
  )
}

function Title({ line }: { line: ReactNode }) {
  return (
    <div className="mb-5">
      <h1 className="text-title font-semibold">Dashboard</h1>
      <p className="text-muted">{line}</p>
    </div>
  )
}
