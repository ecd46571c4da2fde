import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Segments } from '../../../contract/analytics.ts'
import { countryName } from '../../../core/analytics/country-name.ts'
import { deviceName } from '../../../core/analytics/device-name.ts'
import { segmentsQuery, summaryQuery } from '../../api/analytics.ts'
import { BarChart } from '../../charts/BarChart.tsx'
import { DonutChart } from '../../charts/donut/DonutChart.tsx'
import { formatCount } from '../../lib/format.ts'
import { metricNames } from '../../lib/metric.ts'
import { Card, SectionCard } from '../../ui/Card.tsx'
import { Dimmed } from '../../ui/Dimmed.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ComparedDays } from '../../widgets/analytics/ComparedFigure.tsx'
import { figureColumn } from '../../widgets/analytics/figure-column.tsx'
import { isCompared } from '../../widgets/analytics/coverage/is-compared.ts'
import { whyNotListed } from '../../widgets/analytics/coverage/list-coverage.ts'
import { NotListed } from '../../widgets/analytics/coverage/NotListed.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import type { NameColumn } from '../../widgets/table/columns.ts'
import { DataTable } from '../../widgets/table/DataTable.tsx'
import { PlainTable } from '../../widgets/table/PlainTable.tsx'
import { ComparedBar } from './ComparedBar.tsx'
import { clicksSummary } from './copy.ts'
import type { ComparedTabProps } from './insights-tab.ts'

/** The devices and countries where the property is found, and their change. */
export function AudienceTab({ property, period }: ComparedTabProps) {
  const summary = useQuery(summaryQuery(property, period))
  const devices = useQuery(segmentsQuery(property, { ...period, dimension: 'device' }))
  const countries = useQuery(segmentsQuery(property, { ...period, dimension: 'country' }))
  const all = [summary, devices, countries]
  const error = all.find((query) => query.error !== null)?.error ?? null
  const why = summary.data?.currentFrom === null ? whyNotListed(summary.data, 'pages') : null
  return (
    <>
      <ComparedBar summary={summary.data} of={['device', 'country']} />
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
      ) : why !== null ? (
        <Card>
          <NotListed>{why}</NotListed>
        </Card>
      ) : (
        <ComparedDays of={summary.data}>
          <Dimmed when={all.some(({ isPlaceholderData }) => isPlaceholderData)} className="grid grid-cols-1 gap-4 xl:gap-5">
            <AudienceCharts devices={devices.data} countries={countries.data} />
            <SegmentCard
              title="Devices"
              heading="Device"
              rows={devices.data}
              nameOf={deviceName}
              compared={isCompared(summary.data, 'device')}
            />
            <SegmentCard
              title="Countries"
              heading="Country"
              rows={countries.data}
              nameOf={countryName}
              compared={isCompared(summary.data, 'country')}
            />
          </Dimmed>
        </ComparedDays>
      )}
    </>
  )
}

function Loading() {
  return (
    <div aria-busy className="grid grid-cols-1 gap-4 xl:gap-5">
      <output className="sr-only">Loading devices and countries</output>
      <Skeleton className="h-112 rounded-card!" />
      <Skeleton className="h-75 rounded-card!" />
      <Skeleton className="h-188 rounded-card!" />
    </div>
  )
}

/** Number of bars in the chart (SPEC §9). */
const bars = 10

function AudienceCharts({ devices, countries }: { devices: Segments; countries: Segments }) {
  return (
    <div className="grid gap-4 *:min-w-0 lg:grid-cols-[2fr_3fr] xl:gap-5">
      <Card>
        <DonutChart
          title="Clicks by device"
          summary={clicksSummary(devices, deviceName)}
          parts={devices.map(({ name, clicks }) => ({ label: deviceName(name), value: clicks }))}
          format={formatCount}
          valueLabel="Clicks"
          heading="Device"
          empty="No clicks in this period"
        />
      </Card>
      <Card>
        <BarChart
          title="Clicks by country"
          summary={clicksSummary(countries, countryName)}
          rows={countries
            .slice(0, bars)
            .map(({ name, clicks }) => ({ label: countryName(name), fullLabel: countryName(name), value: clicks }))}
          format={formatCount}
          valueLabel="Clicks"
          heading="Country"
          empty="No country data in this period"
        />
      </Card>
    </div>
  )
}

type Segment = Segments[number]

type SegmentCardProps = {
  title: string
  heading: string
  rows: Segments
  nameOf: (name: string) => string
  /** Whether there is a comparison. */
  compared: boolean
}

/** Rows visible from the start. */
const first = 10

/** Each device's or country's figures, next to the previous period's. */
function SegmentCard({ title, heading, rows, nameOf, compared }: SegmentCardProps) {
  const name = useMemo(() => nameColumn(heading, nameOf), [heading, nameOf])
  if (rows.length === 0) return null
  const listing = { caption: title, rows, keyOf, name, columns: compared ? comparedColumns : plainColumns }
  return (
    <SectionCard title={title}>
      {rows.length > first ? (
        <DataTable {...listing} what={[heading.toLowerCase(), title.toLowerCase()]} atFirst={first} />
      ) : (
        <PlainTable {...listing} />
      )}
    </SectionCard>
  )
}

const keyOf = ({ name }: Segment): string => name

const nameColumn = (label: string, nameOf: (name: string) => string): NameColumn<Segment> => ({
  label,
  value: ({ name }) => nameOf(name),
  cell: ({ name }) => <span className="font-medium">{nameOf(name)}</span>,
})

const columnsOf = (compared: boolean) =>
  metricNames.map((metric) =>
    figureColumn<Segment>({ metric, now: (row) => row, before: compared ? ({ previous }) => previous : undefined }),
  )
const plainColumns = columnsOf(false)
const comparedColumns = columnsOf(true)
