import {
  AlarmClock,
  AlarmClockOff,
  BadgeCheck,
  BellRing,
  CalendarHeart,
  Check,
  CircleCheck,
  CircleDashed,
  ExternalLink,
  Eye,
  Globe,
  type LucideIcon,
  Pencil,
  RefreshCw,
  Ruler,
  ThumbsUp,
} from 'lucide-react'
import { useMemo } from 'react'
import { Link, generatePath } from 'react-router'
import { type AlertReport, otherFindings } from '../../../contract/alerts/alerts.ts'
import type { Coincidence } from '../../../contract/alerts/change-breakdown.ts'
import { endingWords } from '../../../core/alerting/ending.ts'
import { HoursChart } from '../../charts/HoursChart.tsx'
import { spanText } from '../../charts/time-series/copy.ts'
import { alertValues } from '../../lib/alert/alert-view.ts'
import { describeChange } from '../../lib/alert/describe-change.ts'
import { useColorBy } from '../../lib/color-by.ts'
import { formatDay, formatDayBy, formatUntil } from '../../lib/dates.ts'
import { formatMetric } from '../../lib/format.ts'
import { metricLabels } from '../../lib/metric.ts'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { iconButtonClass } from '../../ui/Button.tsx'
import { Card, SectionCard } from '../../ui/Card.tsx'
import { ChangeMark } from '../../ui/ChangeMark.tsx'
import { SeverityBadge } from '../../ui/alert/AlertBadges.tsx'
import { AnnotatedChart } from '../../widgets/annotations/AnnotatedChart.tsx'
import { AtMoment } from './AtMoment.tsx'
import { Breakdown } from './Breakdown.tsx'
import { Contributors } from './Contributors.tsx'
import { Deliveries } from './Deliveries.tsx'
import { Figures } from './Figures.tsx'
import { ReportHeader } from './ReportHeader.tsx'
import { type LifeEvent, lifeOf } from './copy.ts'
import { RateBreakdown } from './RateBreakdown.tsx'
import { reportChart } from './report-chart.ts'

/** Everything known about one alert. */
export function AlertReportBody({ report, now }: { report: AlertReport; now: Date }) {
  const chart = useMemo(() => reportChart(report), [report])
  const others = otherFindings(report)
  return (
    <article className="flex flex-col gap-5">
      <ReportHeader alert={report} now={now} />
      <Figures alert={report} />
      <Hours report={report} now={now} />
      {chart && (
        <Card>
          <AnnotatedChart property={report.target} searchType={report.searchType} metric={report.type} {...chart} />
        </Card>
      )}
      <Breakdown report={report} />
      <RateBreakdown report={report} />
      {report.coincidences !== undefined && report.coincidences.length > 0 && <Coincidences coincidences={report.coincidences} />}
      {others.length > 0 && <Findings findings={others} more={report.moreFindings ?? 0} />}
      {report.entity.kind !== 'connection' && !hasParts(report) && <Contributors report={report} />}
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Life report={report} now={now} />
        <Deliveries report={report} now={now} />
      </div>
    </article>
  )
}

/** Whether a breakdown names parts, so that a list of contributors would only repeat them. */
const hasParts = ({ breakdown, rateBreakdown }: AlertReport): boolean =>
  [breakdown, rateBreakdown].some((each) => each?.by.some(({ items }) => items.length > 0))

/** By hours: the day of an alert that hours opened; nothing once its hours are no longer stored. */
function Hours({ report: { type, hours, byHour }, now }: { report: AlertReport; now: Date }) {
  if (hours === undefined || byHour === undefined) return null
  const label = metricLabels[type]
  const day = formatDayBy(hours.day, now)
  const sum = byHour.reduce((total, { value }) => total + (value ?? 0), 0)
  const usual = byHour.reduce((total, each) => total + (each.usual ?? 0), 0)
  const format = (value: number) => formatMetric(type, value)
  return (
    <Card>
      <HoursChart
        title={`${label} by hour, ${day}`}
        summary={`${label} by hour on ${day} (Pacific time), as far as Google has reported them: ${format(sum)}; usual: ${format(usual)}.`}
        label={label}
        day={day}
        rows={byHour}
        format={format}
        empty="No hourly data is stored for this day."
      />
    </Card>
  )
}

/** Other findings with the same cause; each has its own report. */
function Findings({ findings, more }: { findings: AlertReport['findings']; more: number }) {
  const by = useColorBy()
  return (
    <SectionCard title="Same cause" description="These changes have the same cause and are part of this alert.">
      <ul className="divide-y divide-line text-sm">
        {findings.map((finding) => {
          const values = alertValues(finding)
          return (
            <li key={finding.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 first:pt-0 last:pb-0">
              <SeverityBadge severity={finding.severity} />
              <Link
                to={generatePath(paths.alertReport, { id: finding.id })}
                className="min-w-0 flex-1 basis-56 font-medium wrap-anywhere hover:underline"
              >
                {finding.title}
              </Link>
              {values !== null && (
                <span className="text-muted tabular-nums">
                  {values.previous === null ? values.current : `${values.previous} → ${values.current}`}
                </span>
              )}
              {finding.change !== null && <ChangeMark change={describeChange(finding.type, finding.change, by)} />}
              {finding.state === 'recovered' && <span className="text-muted">{endingWords[finding.ended?.as ?? 'recovered']}</span>}
            </li>
          )
        })}
        {more > 0 && <li className="pt-2.5 text-muted">and {more} more</li>}
      </ul>
    </SectionCard>
  )
}

/** What else happened when the change began; nothing if nothing is known. */
function Coincidences({ coincidences }: { coincidences: readonly Coincidence[] }) {
  return (
    <SectionCard title="Around the same time" description="What else happened when this change began. It may be a coincidence.">
      <ul className="divide-y divide-line text-sm">
        {coincidences.map(({ kind, from, to, title, link }) => {
          const { Icon, label } = kinds[kind]
          return (
            <li key={`${kind} ${from} ${title}`} className="flex items-start gap-2.5 py-1">
              <Icon aria-hidden className="mt-2.5 size-4 shrink-0 text-muted" />
              <div className="min-w-0 flex-1 py-2">
                <p className="wrap-anywhere">{title}</p>
                <p className="text-muted tabular-nums">
                  {label} · {from === to ? formatDay(from, true) : spanText({ start: from, end: to })}
                </p>
              </div>
              {link !== undefined && (
                <a
                  href={link}
                  target="_blank"
                  rel="noopener noreferrer"
                  aria-label={`${title}: source (new tab)`}
                  title="View the source"
                  className={iconButtonClass('-mr-2 text-muted!')}
                >
                  <ExternalLink aria-hidden />
                </a>
              )}
            </li>
          )
        })}
      </ul>
    </SectionCard>
  )
}

const kinds: Record<Coincidence['kind'], { Icon: LucideIcon; label: string }> = {
  ranking_incident: { Icon: Globe, label: 'Google update' },
  measurement: { Icon: Ruler, label: 'Google measurement change' },
  note: { Icon: Pencil, label: 'Your note' },
  holiday: { Icon: CalendarHeart, label: 'Holiday' },
  missing_days: { Icon: CircleDashed, label: 'Missing data' },
  revised_data: { Icon: RefreshCw, label: 'Revised data' },
}

const icons: Record<LifeEvent['kind'], LucideIcon> = {
  opened: BellRing,
  viewed: Eye,
  acknowledged: Check,
  snoozed: AlarmClock,
  woken: AlarmClockOff,
  confirmed: BadgeCheck,
  rated: ThumbsUp,
  ended: CircleCheck,
}

/** Who did what when, and what happened automatically. */
function Life({ report, now }: { report: AlertReport; now: Date }) {
  const { username } = useCurrentUser()
  const events = lifeOf(report, username)
  const lastSnooze = events.findLastIndex(({ kind }) => kind === 'snoozed')
  return (
    <SectionCard title="Timeline">
      {report.timelineCut && <p className="mb-4 text-muted">Only the latest events are shown.</p>}
      <ol aria-label="Timeline" className="flex flex-col">
        {events.map(({ kind, at, title, text, by }, index) => {
          const Icon = icons[kind]
          const until = index === lastSnooze ? report.snoozedUntil : null
          return (
            // Draws the line from one icon to the next.
            <li
              key={`${at} ${kind}`}
              className="relative flex gap-3 pb-5 before:absolute before:top-8 before:bottom-0 before:left-3.75 before:w-px before:bg-line last:pb-0 last:before:hidden"
            >
              <span className="grid size-8 shrink-0 place-items-center rounded-full border border-line bg-surface text-muted">
                <Icon aria-hidden className="size-4" />
              </span>
              <div className="min-w-0 pt-1.5">
                <p>
                  <span className="font-medium">{title}</span>
                  {until !== null && ` until ${formatUntil(new Date(until), now)}`}
                  {by !== null && <span className="wrap-anywhere"> by {by}</span>}
                </p>
                {text !== null && <p className="text-muted">{text}</p>}
                <p className="text-sm text-muted">
                  <AtMoment at={at} now={now} />
                </p>
              </div>
            </li>
          )
        })}
      </ol>
    </SectionCard>
  )
}
