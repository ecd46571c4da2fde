import type { ReactNode } from 'react'
import type { Alert, AlertReport } from '../../../contract/alerts/alerts.ts'
import { comparedHours, comparedOf, rangeText, rarityWords } from '../../../core/alerting/copy.ts'
import { daysBetween } from '../../../core/analytics/days.ts'
import { typeLabels } from '../../../core/analytics/exploration.ts'
import type { Period } from '../../../contract/metrics.ts'
import { alertChange, alertValues } from '../../lib/alert/alert-view.ts'
import { useColorBy } from '../../lib/color-by.ts'
import { formatDay, formatPeriod } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { type MetricName } from '../../lib/metric.ts'
import { AlertChange } from '../../ui/alert/AlertChange.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { CopyableName } from './CopyableName.tsx'

/** The compared figures as in cards and lists, with all digits where those round; nothing for the connection. */
export function Figures({ alert }: { alert: AlertReport }) {
  const { type, entity, searchType, current, previous, currentValue, previousValue } = alert
  const values = alertValues(alert)
  const change = alertChange(alert, useColorBy())
  if (values === null || current === null || previous === null) return null
  const byHours = comparedHours(alert.hours, current)
  const days = measuredOver(alert, current)
  return (
    <SectionCard
      title={`${about[entity.kind]} ${type === 'ctr' ? 'CTR' : type}${searchType === undefined ? '' : ` · ${typeLabels[searchType]}`}`}
      description={entity.kind === 'site' ? undefined : <CopyableName name={entity.name} />}
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-[auto_auto_1fr] sm:gap-x-14">
        <Figure
          label={alert.unusual ? 'Expected' : byHours ? 'Usual' : 'Previous'}
          shown={values.previous ?? '–'}
          exact={exactly(type, previousValue, values.previous)}
          days={alert.unusual ? days : (byHours?.usual ?? daysBefore(current, previous))}
        />
        <Figure
          label={alert.hours?.status === 'preliminary' ? 'So far' : 'Current'}
          shown={values.current}
          exact={exactly(type, currentValue, values.current)}
          days={byHours?.now ?? days}
        />
        <div className="col-span-2 sm:col-span-1">
          <dt className="text-sm font-medium text-muted">Change</dt>
          <dd className="mt-1 text-base sm:leading-8.5">{change === null ? <NoChange alert={alert} /> : <AlertChange alert={alert} />}</dd>
        </div>
      </dl>
      <Beginning alert={alert} current={current} />
    </SectionCard>
  )
}

/** The days of the figures: holidays, outages and unknown days are left out. */
const measuredOver = ({ unusual }: AlertReport, current: Period): string =>
  `${unusual?.days === undefined ? '' : `${comparedOf(unusual.days, current)} `}${formatPeriod(current, true)}`

/** What was expected, how rare such a change is here, when it began, and which days show it most clearly; nothing if nothing is known. */
function Beginning({ alert, current }: { alert: AlertReport; current: Period }) {
  const { type, unusual, expected, firstDay } = alert
  const months = unusual?.months ?? expected?.months
  const facts = [
    ...(expected === undefined
      ? []
      : [
          {
            name: type === 'ctr' ? 'Expected at this position' : 'Expected',
            value: `${formatMetric(type, expected.value)}, usually ${rangeText(type, expected)}`,
          },
        ]),
    ...(months === undefined ? [] : [{ name: 'How often', value: rarityWords(months) }]),
    ...(firstDay === undefined || alert.hours !== undefined ? [] : [{ name: 'First day', value: formatDay(firstDay, true) }]),
    ...(unusual
      ? [
          {
            name: 'Measured over',
            value:
              unusual.days === undefined
                ? `${daysBetween(current.start, current.end)} days, ${formatPeriod(current, true)}`
                : measuredOver(alert, current),
          },
        ]
      : []),
  ]
  if (facts.length === 0) return null
  return (
    <dl className="mt-5 grid gap-x-14 gap-y-3 border-t border-line pt-4 text-sm sm:grid-cols-[auto_auto_1fr]">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="mt-0.5 tabular-nums first-letter:uppercase">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const about: Record<Alert['entity']['kind'], string> = {
  site: 'Site',
  segment: 'Segment',
  page: 'Page',
  query: 'Keyword',
  connection: 'Connection',
}

type FigureProps = { label: string; shown: string; exact: string | null; days: ReactNode }

function Figure({ label, shown, exact, days }: FigureProps) {
  return (
    <div>
      <dt className="text-sm font-medium text-muted">{label}</dt>
      <dd className="mt-1 tabular-nums">
        <span className="text-figure font-semibold tracking-tight">{shown}</span>
        {exact !== null && <span className="ml-1 text-sm whitespace-nowrap text-muted"> {exact}</span>}
        <span className="mt-0.5 block text-sm text-muted">{days}</span>
      </dd>
    </div>
  )
}

/** The full figure, if it is displayed in thousands. */
function exactly(metric: MetricName, value: number | null, shown: string | null): string | null {
  const exact = value === null ? null : formatMetric(metric, value)
  return exact === shown ? null : exact
}

/** Longer periods are compared by their weekly average. */
function daysBefore(current: Period, previous: Period): string {
  const days = formatPeriod(previous, true)
  return lengthOf(previous) > lengthOf(current) ? `weekly average, ${days}` : days
}
const lengthOf = ({ start, end }: Period): number => Date.parse(end) - Date.parse(start)

function NoChange({ alert: { currentValue, previousValue } }: { alert: Alert }) {
  if (previousValue === null) return 'New: no previous data'
  if (currentValue === null) return 'Gone: no current data'
  return previousValue === 0 ? 'Up from 0' : 'No previous data to compare'
}
