import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { OfSearchTypes } from '../../../contract/analytics.ts'
import type { Explored, ExploreRow } from '../../../contract/explore/explore.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { deviceName } from '../../../core/analytics/device-name.ts'
import { grainOfExploration, typeLabels } from '../../../core/analytics/exploration.ts'
import { searchTypesQuery } from '../../api/analytics.ts'
import { fewRowsQuery } from '../../api/explore.ts'
import { formatCount, formatShare } from '../../lib/format.ts'
import { useSeen } from '../../lib/hooks/use-seen.ts'
import { Card } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { ShareBar } from '../../ui/ShareBar.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ComparedDays, ComparedFigure, FigureChange } from '../../widgets/analytics/ComparedFigure.tsx'
import { exploreAddress } from '../../widgets/analytics/drill-down.ts'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { OfWholeSite } from './OfWholeSite.tsx'
import { type ComparedDaysOfChart, useComparedDays } from './history/use-history-view.ts'

const kinds = {
  device: { title: 'Devices', what: 'devices', nameOf: deviceName },
  country: { title: 'Countries', what: 'countries', nameOf: countryName },
} as const
type Kind = keyof typeof kinds

/** The devices, countries and search types that clicks came from over the chart's days. */
export function Audience({ property }: { property: string }) {
  const days = useComparedDays()
  const [ref, isNear] = useSeen<HTMLDivElement>('25%')
  return (
    <>
      <OfWholeSite what="Devices, countries, search types and today’s data" />
      <div ref={ref} className="grid gap-4 *:min-w-0 lg:grid-cols-2 xl:grid-cols-3 xl:gap-5">
        <Part property={property} by="device" days={days} isNear={isNear} />
        <Part property={property} by="country" days={days} isNear={isNear} />
        <SearchTypes property={property} days={days} isNear={isNear} />
      </div>
    </>
  )
}

/** The rows with the most clicks over these days; or the problem, if Google has no such figures. */
export function useLargest(property: string, by: Kind, { asked, type }: ComparedDaysOfChart, isNear: boolean) {
  const found = grainOfExploration({ by, type, where: [] })
  const problem = 'problem' in found ? found.problem : null
  const rows = fewRowsQuery({ property, ...asked, by, sort: 'clicks', order: 'desc', limit: 5 })
  return { problem, query: useQuery({ ...rows, enabled: isNear && problem === null }) }
}

type OfDays = { property: string; days: ComparedDaysOfChart; isNear: boolean }

function Part({ property, by, days, isNear }: OfDays & { by: Kind }) {
  const { title, what } = kinds[by]
  const { problem, query } = useLargest(property, by, days, isNear)
  // Nothing is stored yet.
  if (query.data === null) return null
  return (
    <AudienceCard
      title={title}
      what={what}
      property={property}
      query={query}
      problem={problem}
      skeleton={by === 'device' ? 'h-36' : 'h-60'}
      action={
        problem === null && (
          <Link
            to={exploreAddress({ property, ...days.shown, by })}
            className="control inline-flex items-center text-sm font-medium text-brand hover:underline"
          >
            See all <span className="sr-only">{what}</span>
          </Link>
        )
      }
    >
      {(explored) =>
        explored.rows.length === 0 ? null : (
          <ComparedDays of={{ current: explored.period, previous: explored.compared, type: days.type }}>
            <ol aria-label={title} className="grid grid-cols-1 gap-3">
              {explored.rows.map((row) => (
                <Row key={row.name} row={row} name={kinds[by].nameOf(row.name)} explored={explored} />
              ))}
            </ol>
          </ComparedDays>
        )
      }
    </AudienceCard>
  )
}

type AudienceCardProps<Data> = {
  title: string
  what: string
  property: string
  query: UseQueryResult<Data>
  /** Why nothing is asked, if Google has no such figures. */
  problem?: string | null
  /** The height of what comes. */
  skeleton: string
  action?: ReactNode
  /** Null if there is nothing in the period. */
  children: (data: NonNullable<Data>) => ReactNode
}

function AudienceCard<Data>({ title, what, property, query, problem = null, skeleton, action, children }: AudienceCardProps<Data>) {
  const id = useId()
  const { data, error, isLoading, isPlaceholderData, refetch } = query
  const Room = isLoading ? Skeleton : 'div'
  return (
    <section aria-labelledby={id} className="grid last:lg:col-span-2 last:xl:col-span-1">
      <Card>
        <div className="control mb-3 flex items-center justify-between gap-4">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {action}
        </div>
        {problem !== null ? (
          <p className="py-3 text-muted">{problem}.</p>
        ) : error !== null ? (
          <LoadProblem what={what} property={property} error={error} onRetry={() => void refetch()} />
        ) : data === undefined || data === null ? (
          <div aria-busy={isLoading}>
            {isLoading && <output className="sr-only">Loading {what}</output>}
            <Room className={skeleton} />
          </div>
        ) : (
          <Dimmed when={isPlaceholderData}>{children(data) ?? <p className="py-3 text-muted">No data for this period.</p>}</Dimmed>
        )}
      </Card>
    </section>
  )
}

/** Clicks, their share of all the property's clicks as a bar, and their change. */
function Row({ row, name, explored }: { row: ExploreRow; name: string; explored: Explored }) {
  const { clicks: all } = explored.propertyTotals
  const share = all === 0 ? 0 : row.clicks / all
  return (
    <li>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
        <span className="font-medium">{name}</span>
        <span className="ml-auto inline-flex items-baseline gap-x-3">
          <span>
            {formatCount(row.clicks)} <span className="text-sm text-muted">({formatShare(share)})</span>
          </span>
          {explored.compared !== null && <FigureChange metric="clicks" now={row.clicks} before={row.previous} />}
        </span>
      </div>
      <ShareBar share={share} className="mt-1" />
    </li>
  )
}

/** The search types side by side; each leads to the explorer. */
function SearchTypes({ property, days, isNear }: OfDays) {
  const { range, compare } = days.asked
  const query = useQuery({ ...searchTypesQuery(property, { range, compare }), enabled: isNear })
  return (
    <AudienceCard title="Search types" what="search types" property={property} query={query} skeleton="h-60">
      {(types) =>
        types.length === 0 ? null : (
          <table className="w-full tabular-nums">
            <thead className="text-sm text-muted">
              <tr className="text-right *:pb-1 *:font-medium">
                <th scope="col" className="text-left">
                  Type
                </th>
                <th scope="col">Clicks</th>
                <th scope="col">Impressions</th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {types.map((each) => (
                <TypeRow key={each.type} property={property} of={each} days={days} />
              ))}
            </tbody>
          </table>
        )
      }
    </AudienceCard>
  )
}

function TypeRow({ property, of, days }: { property: string; of: OfSearchTypes[number]; days: ComparedDaysOfChart }) {
  const { type, period, compared, previous } = of
  return (
    <ComparedDays of={{ current: period, previous: compared, type }}>
      <tr className="*:py-1">
        <th scope="row" className="text-left font-medium">
          <Link
            to={exploreAddress({ property, ...days.shown, type, by: 'page' })}
            className="control inline-flex min-w-10 items-center hover:text-brand hover:underline"
          >
            {typeLabels[type]}
          </Link>
        </th>
        {(['clicks', 'impressions'] as const).map((metric) => (
          <td key={metric} className="pl-3 text-right">
            <ComparedFigure metric={metric} now={of[metric]} before={compared === null ? undefined : previous} />
          </td>
        ))}
      </tr>
    </ComparedDays>
  )
}
