import { useQuery } from '@tanstack/react-query'
import { segmentsQuery, summaryQuery } from '../../../api/analytics.ts'
import { countryName } from '../../../../core/analytics/country-name.ts'
import { Card } from '../../../ui/Card.tsx'
import { Dimmed } from '../../../ui/Dimmed.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { isCompared } from '../../../widgets/analytics/is-compared.ts'
import { LoadProblem } from '../../../widgets/LoadProblem.tsx'
import { ComparedBar } from '../ComparedBar.tsx'
import type { ComparedTabProps } from '../insights-tab.ts'
import { AudienceCharts } from './AudienceCharts.tsx'
import { deviceName } from './segment-words.ts'
import { SegmentCard } from './SegmentCard.tsx'

/** On which devices and in which countries the property is found, and how that changed. */
export function AudienceTab({ property, period, onCompare }: ComparedTabProps) {
  const summary = useQuery(summaryQuery(property, period))
  const devices = useQuery(segmentsQuery(property, { ...period, dimension: 'device' }))
  const countries = useQuery(segmentsQuery(property, { ...period, dimension: 'country' }))
  const all = [summary, devices, countries]
  const error = all.find((query) => query.error !== null)?.error ?? null
  return (
    <>
      <ComparedBar compare={period.compare} onCompare={onCompare} summary={summary.data} of={['device', 'country']} />
      {error !== null ? (
        <Card>
          <LoadProblem
            what="devices and countries"
            property={property}
            error={error}
            onRetry={() => {
              for (const query of all) if (query.error !== null) void query.refetch()
            }}
          />
        </Card>
      ) : summary.data === undefined || devices.data === undefined || countries.data === undefined ? (
        <Loading />
      ) : (
        <Dimmed when={all.some(({ isPlaceholderData }) => isPlaceholderData)} className="grid gap-4 xl:gap-5">
          <AudienceCharts devices={devices.data} countries={countries.data} />
          <SegmentCard
            title="Devices"
            heading="Device"
            rows={devices.data}
            nameOf={deviceName}
            isCompared={isCompared(summary.data, 'device')}
          />
          <SegmentCard
            title="Countries"
            heading="Country"
            rows={countries.data}
            nameOf={countryName}
            isCompared={isCompared(summary.data, 'country')}
          />
        </Dimmed>
      )}
    </>
  )
}

function Loading() {
  return (
    <div aria-busy className="grid gap-4 xl:gap-5">
      <output className="sr-only">Loading devices and countries</output>
      <Skeleton className="h-112 rounded-card!" />
      <Skeleton className="h-75 rounded-card!" />
      <Skeleton className="h-188 rounded-card!" />
    </div>
  )
}
