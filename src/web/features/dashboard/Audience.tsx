import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import type { Explored, ExploreRow } from '../../../contract/explore/explore.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { deviceName } from '../../../core/analytics/device-name.ts'
import { fewRowsQuery } from '../../api/explore.ts'
import { formatCount, formatShare } from '../../lib/format.ts'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { ShareBar } from '../../ui/ShareBar.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ComparedDays } from '../../widgets/analytics/ComparedDays.tsx'
import { FigureChange } from '../../widgets/analytics/ComparedFigure.tsx'
import { exploreAddress } from '../../widgets/analytics/drill-down.ts'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { type ComparedDaysOfChart, useComparedDays } from './history/use-history-view.ts'

const kinds = {
  device: { title: 'Devices', what: 'devices', nameOf: deviceName },
  country: { title: 'Countries', what: 'countries', nameOf: countryName },
} as const
type Kind = keyof typeof kinds

/** On which devices and in which countries people clicked over the days of the chart. */
export function Audience({ property }: { property: string }) {
  const days = useComparedDays()
  return (
    <div className="grid gap-4 *:min-w-0 lg:grid-cols-2 xl:gap-5">
      <Part property={property} by="device" days={days} />
      <Part property={property} by="country" days={days} />
    </div>
  )
}

type PartProps = { property: string; by: Kind; days: ComparedDaysOfChart }

function Part({ property, by, days }: PartProps) {
  const id = useId()
  const { title, what } = kinds[by]
  const { data, error, isPlaceholderData, refetch } = useQuery(
    fewRowsQuery({ property, ...days.asked, by, sort: 'clicks', order: 'desc', limit: 5 }),
  )
  // Nothing is stored yet.
  if (data === null) return null
  return (
    <section aria-labelledby={id} className="grid">
      <Card>
        <div className="mb-3 flex items-center justify-between gap-4">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          <Link
            to={exploreAddress({ property, ...days.shown, by })}
            className="control inline-flex items-center text-sm font-medium text-brand hover:underline"
          >
            See all <span className="sr-only">{what}</span>
          </Link>
        </div>
        {error !== null ? (
          <LoadProblem what={what} property={property} error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <div aria-busy>
            <output className="sr-only">Loading {what}</output>
            <Skeleton className={by === 'device' ? 'h-36' : 'h-60'} />
          </div>
        ) : data.rows.length === 0 ? (
          <p className="py-3 text-muted">No {what} in this period.</p>
        ) : (
          <ComparedDays of={{ current: data.period, previous: data.compared }}>
            <Dimmed when={isPlaceholderData}>
              <ol aria-labelledby={id} className="grid gap-3">
                {data.rows.map((row) => (
                  <Row key={row.name} row={row} name={kinds[by].nameOf(row.name)} explored={data} />
                ))}
              </ol>
            </Dimmed>
          </ComparedDays>
        )}
      </Card>
    </section>
  )
}

/** Clicks, their share of all clicks of the property as a bar, and how they changed. */
function Row({ row, name, explored }: { row: ExploreRow; name: string; explored: Explored }) {
  const { clicks: all } = explored.propertyTotals
  const share = all === 0 ? 0 : row.clicks / all
  return (
    <li>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
        <span className="font-medium">{name}</span>
        <span className="inline-flex items-baseline gap-x-3">
          <span>
            {formatCount(row.clicks)} <span className="text-sm text-muted">({formatShare(share)})</span>
          </span>
          {explored.compared !== null && <FigureChange metric="clicks" now={row.clicks} before={row.previous?.clicks ?? null} />}
        </span>
      </div>
      <ShareBar share={share} className="mt-1" />
    </li>
  )
}
