import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import type { ExploredChanges, ExploreRow } from '../../../contract/explore/explore.ts'
import { changeColor } from '../../../core/analytics/change-color.ts'
import { grainOfExploration } from '../../../core/analytics/exploration.ts'
import { pagePath } from '../../../core/analytics/page-path.ts'
import { changesQuery } from '../../api/explore.ts'
import { useColorBy } from '../../lib/color-by.ts'
import { formatPeriod } from '../../lib/dates.ts'
import { formatCount } from '../../lib/format.ts'
import { useSeen } from '../../lib/hooks/use-seen.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { ChangeMark } from '../../ui/ChangeMark.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { MiddleCut } from '../../ui/MiddleCut.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ClicksLine } from '../../widgets/analytics/ClicksLine.tsx'
import { exploreAddress } from '../../widgets/analytics/drill-down.ts'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { type ComparedDaysOfChart, useComparedDays } from './history/use-history-view.ts'

/** The pages and queries with the largest gains and losses in clicks over the chart's days. */
export function Movers({ property }: { property: string }) {
  const days = useComparedDays()
  const [ref, isNear] = useSeen<HTMLDivElement>('25%')
  const changed = (by: ChangedProps['by']) => <Changed property={property} by={by} days={days} isNear={isNear} />
  return (
    <div ref={ref}>
      <SectionCard
        title="Biggest changes"
        description={`${hasQueries(days) ? 'Pages and keywords' : 'Pages'} that gained or lost the most clicks.`}
      >
        {hasQueries(days) ? (
          <Tabs
            label="Biggest changes"
            initial="page"
            tabs={[
              { value: 'page', label: 'Pages', content: changed('page') },
              { value: 'query', label: 'Keywords', content: changed('query') },
            ]}
          />
        ) : (
          changed('page')
        )}
      </SectionCard>
    </div>
  )
}

/** Google has none for Discover and Google News. */
const hasQueries = ({ type }: ComparedDaysOfChart): boolean => 'grain' in grainOfExploration({ by: 'query', type, where: [] })

type ChangedProps = { property: string; by: 'page' | 'query'; days: ComparedDaysOfChart }

function Changed({ property, by, days, isNear }: ChangedProps & { isNear: boolean }) {
  const { asked, segment } = days
  const query = changesQuery({ property, ...asked, ...(segment !== '' && { segment }), by })
  const { data, error, isLoading, isPlaceholderData, refetch } = useQuery({ ...query, enabled: isNear })
  if (error !== null) {
    return <LoadProblem what="the biggest changes" property={property} error={error} onRetry={() => void refetch()} />
  }
  if (data === undefined) {
    const Room = isLoading ? Skeleton : 'div'
    return (
      <div aria-busy={isLoading} className="grid gap-x-8 gap-y-6 xl:grid-cols-2">
        {isLoading && <output className="sr-only">Loading the biggest changes</output>}
        <Room className="h-64" />
        <Room className="h-64" />
      </div>
    )
  }
  if (!data?.compared) {
    const missing = data === null ? 'There’s no data yet' : 'Some days in these periods are missing'
    return <p className="py-6 text-center text-muted">{missing}, so there’s nothing to compare.</p>
  }
  return (
    <Dimmed when={isPlaceholderData}>
      <p className="mb-4 text-sm text-muted tabular-nums">
        {formatPeriod(data.period, true)} vs {formatPeriod(data.compared, true)}
      </p>
      <div className="grid gap-x-8 gap-y-6 *:min-w-0 xl:grid-cols-2">
        <List title="Gained clicks" property={property} by={by} days={days} changes={data} changed="most" />
        <List title="Lost clicks" property={property} by={by} days={days} changes={data} changed="least" />
      </div>
    </Dimmed>
  )
}

type ListProps = {
  title: string
  property: string
  by: ChangedProps['by']
  days: ComparedDaysOfChart
  changes: ExploredChanges
  changed: 'most' | 'least'
}

function List({ title, property, by, days, changes, changed }: ListProps) {
  const id = useId()
  const rows = changed === 'most' ? changes.gained : changes.lost
  return (
    <section aria-labelledby={id}>
      <div className="flex items-center justify-between gap-4">
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        {rows.length > 0 && (
          <Link
            to={exploreAddress({ property, ...days.shown, segment: days.segment, by, changed })}
            className="control inline-flex items-center text-sm font-medium text-brand hover:underline"
          >
            See all{' '}
            <span className="sr-only">
              {by === 'page' ? 'pages' : 'keywords'} that {changed === 'most' ? 'gained' : 'lost'} clicks
            </span>
          </Link>
        )}
      </div>
      {rows.length === 0 ? (
        <p className="py-3 text-muted">
          No {by === 'page' ? 'pages' : 'keywords'} {changed === 'most' ? 'gained' : 'lost'} clicks.
        </p>
      ) : (
        <ol aria-labelledby={id} className="divide-y divide-line">
          {rows.map((row) => (
            <Row key={row.name} property={property} row={row} trendDays={changes.trendDays} by={by} days={days} />
          ))}
        </ol>
      )}
    </section>
  )
}

/** The gain in clicks. */
const gain = ({ clicks, previous }: ExploreRow): number => clicks - (previous?.clicks ?? 0)

type RowProps = ChangedProps & { row: ExploreRow; trendDays: ExploredChanges['trendDays'] }

function Row({ property, row, trendDays, by, days }: RowProps) {
  const colorBy = useColorBy()
  const change = gain(row)
  const direction = change > 0 ? 'up' : 'down'
  const of = { field: by, not: false, operator: 'is', value: row.name } as const
  return (
    <li className="flex items-center gap-4 py-1">
      <Link
        to={exploreAddress({
          property,
          ...days.shown,
          segment: days.segment,
          by: by === 'query' ? 'page' : hasQueries(days) ? 'query' : 'date',
          filters: [of],
        })}
        title={row.name}
        className="control flex min-w-0 grow items-center font-medium hover:text-brand hover:underline"
      >
        {by === 'page' ? <MiddleCut text={pagePath(row.name)} /> : <bdi className="truncate">{row.name}</bdi>}
      </Link>
      {trendDays !== undefined && row.trend !== undefined && (
        <ClicksLine days={trendDays} trend={row.trend} className="w-24! shrink-0 max-sm:hidden" />
      )}
      <span className="shrink-0 text-right text-sm text-muted tabular-nums sm:w-32">
        {formatCount(row.previous?.clicks ?? 0)} → {formatCount(row.clicks)}
      </span>
      <span className="w-20 shrink-0 text-right">
        <ChangeMark
          change={{
            text: formatCount(Math.abs(change)),
            word: change > 0 ? 'Gained' : 'Lost',
            direction,
            color: changeColor('clicks', direction, colorBy),
          }}
        />
      </span>
    </li>
  )
}
