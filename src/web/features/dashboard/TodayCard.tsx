import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Lock } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { TodaySoFar } from '../../../contract/today.ts'
import { withDefaults } from '../../../core/alerting/defaults.ts'
import { isHourly } from '../../../core/alerting/hours/hourly.ts'
import { ruleOf } from '../../../core/alerting/options.ts'
import { hourlyRefusal } from '../../../core/billing/entitlements.ts'
import { conditionsQuery } from '../../api/alert-conditions.ts'
import { todayQuery } from '../../api/metrics.ts'
import { HoursChart } from '../../charts/HoursChart.tsx'
import { useColorBy } from '../../lib/color-by.ts'
import { formatDay, formatUntil } from '../../lib/dates.ts'
import { describeChange } from '../../lib/alert/describe-change.ts'
import { formatCount } from '../../lib/format.ts'
import { metricLabels } from '../../lib/metric.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { useSeen } from '../../lib/hooks/use-seen.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useCarriedTo } from '../../shell/frame/kept-params.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { ChangeMark } from '../../ui/ChangeMark.tsx'
import { Segments } from '../../ui/form/Segments.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LoadProblem } from '../../widgets/LoadProblem.tsx'
import { OfWebSearch } from './OfWholeSite.tsx'
import { barsOfToday, figureOfToday, nextLook, pacificTime, type TodayFigure, type TodayMetric } from './today-figures.ts'

/** Today's figures so far, by the hour. People without hours get a line about them. */
export function TodayCard({ property }: { property: string }) {
  const { plan } = useCurrentUser()
  return hourlyRefusal(plan) === null ? (
    <>
      <OfWebSearch what="Today’s data" />
      <Today property={property} />
    </>
  ) : (
    <Locked />
  )
}

function Locked() {
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      <Lock aria-hidden className="size-4 shrink-0" />
      <span>
        Hourly data and instant alerts are on the Agency plan.{' '}
        <Link to={paths.settings} className="control inline-flex items-center font-medium text-brand hover:underline">
          See plans
        </Link>
      </span>
    </p>
  )
}

function Today({ property }: { property: string }) {
  // Early: without hours, it is lower than what is reserved for them.
  const [ref, isNear] = useSeen<HTMLDivElement>('50%')
  return (
    <div ref={ref}>
      <TodayState property={property} isNear={isNear} />
    </div>
  )
}

function TodayState({ property, isNear }: { property: string; isNear: boolean }) {
  const { data, error, isPending, isLoading, refetch } = useQuery({ ...todayQuery(property), enabled: isNear })
  const today = data?.today ?? null
  if (isPending) return isLoading ? <Waiting /> : <Frame line="Hour by hour" />
  if (error && !data)
    return (
      <Frame line="Hour by hour">
        <LoadProblem what="today’s hourly data" property={property} error={error} onRetry={() => void refetch()} />
      </Frame>
    )
  if (today === null)
    return <Frame line="No hourly data yet. Ranklark checks every hour, and Google’s hourly data is a few hours behind." compact />
  return <Hours today={today} property={property} />
}

type FrameProps = { line: ReactNode; badge?: ReactNode; /** Only the line. */ compact?: boolean; children?: ReactNode }

/** The card with its heading, whatever its content. */
function Frame({ line, badge, compact = false, children }: FrameProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      {/* As high while loading as with hours, so that what is below stays in place. */}
      <Card className={clsx(!compact && 'min-h-140 sm:min-h-110 lg:min-h-90')}>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 id={id} className="text-base font-semibold">
            Today so far
          </h2>
          {badge}
        </div>
        <p className="mt-0.5 text-sm text-muted">{line}</p>
        {!compact && <div className="mt-4">{children}</div>}
      </Card>
    </section>
  )
}

function Waiting() {
  return (
    <Frame line="Loading today’s hourly data">
      <output className="sr-only">Loading today’s hourly data</output>
      <div aria-hidden className="grid gap-x-10 gap-y-4 lg:grid-cols-[14rem_1fr]">
        <div className="flex gap-8 lg:flex-col lg:gap-4">
          <Skeleton className="h-18 w-36" />
          <Skeleton className="h-18 w-36" />
        </div>
        <Skeleton className="h-44 w-full" />
      </div>
    </Frame>
  )
}

const metrics = ['clicks', 'impressions'] as const

function Hours({ today, property }: { today: TodaySoFar; property: string }) {
  const now = useNow()
  const [metric, setMetric] = useState<TodayMetric>('clicks')
  const label = metricLabels[metric]
  const { complete } = today
  const through = complete ? `data through ${pacificTime(complete.through)} Pacific` : 'no complete hours yet'
  const figure = figureOfToday(today, metric)
  return (
    <Frame
      badge={<Badge>Preliminary</Badge>}
      line={
        <>
          {formatDay(today.date)}, {through}; next update {formatUntil(nextLook(today, now), now)}
        </>
      }
    >
      <div className="grid gap-x-10 gap-y-4 lg:grid-cols-[14rem_1fr]">
        <dl className="flex flex-wrap gap-x-8 gap-y-4 lg:flex-col">
          {metrics.map((name) => (
            <Figure key={name} metric={name} figure={figureOfToday(today, name)} />
          ))}
        </dl>
        <div className="min-w-0">
          <Segments
            label="Hourly metric"
            choices={metrics.map((value) => ({ value, label: metricLabels[value] }))}
            value={metric}
            onChange={setMetric}
          />
          <div className="mt-3">
            <HoursChart
              title={`${label} by hour`}
              summary={summaryOf(label, figure, through)}
              label={label}
              day="Today"
              rows={barsOfToday(today, metric)}
              format={formatCount}
              empty="No hourly data for today yet"
            />
          </div>
        </div>
      </div>
      <NoHourlyRule property={property} />
    </Frame>
  )
}

function summaryOf(label: string, figure: TodayFigure | null, through: string): string {
  if (figure === null) return `${label} today: no complete hours yet.`
  const usual = figure.usual === null ? '' : `, usually ${formatCount(figure.usual)} by then`
  return `${label} today, ${through}: ${formatCount(figure.value)}${usual}.`
}

function Figure({ metric, figure }: { metric: TodayMetric; figure: TodayFigure | null }) {
  const by = useColorBy()
  return (
    <div>
      <dt className="text-sm font-medium text-muted">{metricLabels[metric]}</dt>
      <dd className="tabular-nums">
        <span className="block text-figure font-semibold tracking-tight">{figure === null ? '–' : formatCount(figure.value)}</span>
        <span className="flex min-h-5 flex-wrap items-center gap-x-1.5 text-sm text-muted">
          {figure !== null && figure.change !== null && <ChangeMark change={describeChange(metric, figure.change, by)} />}
          {figure !== null && figure.incomparable !== null && (
            <span title={figure.incomparable}>
              not comparable<span className="sr-only">: {figure.incomparable}</span>
            </span>
          )}
          {figure?.usual === null || figure === null ? 'no comparison yet' : `usually ${formatCount(figure.usual)} by then`}
        </span>
      </dd>
    </div>
  )
}

/** Shown if no rule can be evaluated by the hour: the default ones watch pages and keywords. */
function NoHourlyRule({ property }: { property: string }) {
  const withKeptParams = useCarriedTo()
  const { data } = useQuery(conditionsQuery(property))
  if (data === undefined || data.some((condition) => condition.isEnabled && isHourly(ruleOf(condition.id, withDefaults(condition)))))
    return null
  return (
    <p className="mt-4 text-sm text-muted">
      No rule monitors site-wide clicks or impressions, so hourly data doesn’t trigger alerts.{' '}
      <Link
        to={withKeptParams(`${paths.insights}?tab=monitoring`)}
        className="control inline-flex items-center font-medium text-brand hover:underline"
      >
        Set one up
      </Link>
    </p>
  )
}
