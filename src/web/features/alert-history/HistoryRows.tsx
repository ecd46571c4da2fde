import { clsx } from 'clsx'
import { ExternalLink, FileText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { formatMoment } from '../../lib/dates.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { metricLabels } from '../../lib/metric.ts'
import { Badge } from '../../ui/Badge.tsx'
import { iconButtonClass } from '../../ui/Button.tsx'
import { FixLink } from '../../ui/FixLink.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { SeverityBadge, StateBadge, VerdictBadge, ViewedBadge } from '../../ui/alert/AlertBadges.tsx'
import { AlertChange } from '../../ui/alert/AlertChange.tsx'
import { AlertMarkup } from '../../ui/alert/AlertMarkup.tsx'
import { Breakable } from '../../ui/alert/Breakable.tsx'
import { alertTitleClass } from '../../widgets/AlertCard.tsx'
import { ReportLink, SearchConsoleLink } from '../../widgets/AlertLinks.tsx'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'

/** Room for a table; next to the sidebar, its type and state share other columns. */
const roomy = '(width >= 48rem)'

/** `sample`: made-up alerts, which lead nowhere. */
export function HistoryRows({ alerts, sample = false }: { alerts: readonly Alert[]; sample?: boolean }) {
  const now = useNow()
  const isTable = useMedia(roomy)
  const { view } = useAlertActions()
  const onViewOf = ({ id, viewed }: Alert): (() => void) | null => {
    if (sample) return null
    return () => {
      if (!viewed) view([id])
    }
  }
  const rows = alerts.map((alert) => ({ alert, onView: onViewOf(alert) }))
  if (isTable) return <HistoryTable rows={rows} now={now} />
  return (
    <ul aria-label="Alerts" className="divide-y divide-line px-4 sm:px-6">
      {rows.map((row) => (
        <CompactRow key={row.alert.id} {...row} now={now} />
      ))}
    </ul>
  )
}

export function HistoryLoading() {
  return (
    <div aria-busy className="divide-y divide-line px-4 sm:px-6">
      <output className="sr-only">Loading alerts</output>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((row) => (
        <div key={row} className="py-3">
          <Skeleton className="h-5 w-4/5" />
          <Skeleton className="mt-1.5 h-6 w-3/5" />
        </div>
      ))}
    </div>
  )
}

/** Two lines if there is no room for a table; the rest is in its report. */
function CompactRow({ alert, onView, now }: HistoryRow & { now: Date }) {
  return (
    <li data-compact className="relative py-2.5">
      <div className="flex items-baseline gap-3">
        <p className="line-clamp-2 min-w-0 grow font-medium wrap-anywhere">
          {onView !== null && !alert.viewed && (
            <span className="mr-1.5 inline-block size-2 rounded-full bg-brand align-middle">
              <span className="sr-only">New: </span>
            </span>
          )}
          <HistoryTitle alert={alert} onView={onView} className="after:absolute after:inset-0 hover:underline" />
        </p>
        <time dateTime={alert.timestamp} className="shrink-0 text-xs text-muted tabular-nums">
          {formatMoment(new Date(alert.timestamp), now)}
        </time>
      </div>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <SeverityBadge severity={alert.severity} />
        {onView === null && <Badge tone="brand">Sample</Badge>}
        <StateBadge alert={alert} now={now} />
        <VerdictBadge verdict={alert.verdict} />
        <AlertChange alert={alert} isShort />
      </div>
      {alert.action !== null && (
        <div className="relative mt-2 w-fit">
          <FixLink {...alert.action} />
        </div>
      )}
    </li>
  )
}

type HistoryRow = { alert: Alert; /** Null for a sample. */ onView: (() => void) | null }

function HistoryTable({ rows, now }: { rows: readonly HistoryRow[]; now: Date }) {
  return (
    <table className="w-full border-separate border-spacing-0">
      <caption className="sr-only">Alerts</caption>
      <thead>
        <tr className="text-left text-sm text-muted">
          <Head className="pr-4 pl-6">When</Head>
          <Head className="pr-4">Severity</Head>
          <Head className="pr-4 max-xl:hidden">Type</Head>
          <Head className="w-full pr-4">Alert</Head>
          <Head className="pr-6 text-right">Change</Head>
          <Head className="pr-4 max-xl:hidden">Status</Head>
          <Head className="pr-4">
            <span className="sr-only">Actions</span>
          </Head>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ alert, onView }) => (
          <tr key={alert.id} className="align-top text-sm *:border-b *:border-line last:*:border-0">
            <td className="py-4 pr-4 pl-6 text-muted tabular-nums xl:whitespace-nowrap">
              <time dateTime={alert.timestamp}>{formatMoment(new Date(alert.timestamp), now)}</time>
            </td>
            <td className="py-3.5 pr-4">
              <span className="flex flex-col items-start gap-1.5">
                <HistoryBadges alert={alert} onView={onView} />
                <span className="contents xl:hidden">
                  <StateBadge alert={alert} now={now} />
                  <VerdictBadge verdict={alert.verdict} />
                </span>
              </span>
            </td>
            <td className="py-4 pr-4 whitespace-nowrap max-xl:hidden">{typeLabel(alert)}</td>
            <th scope="row" className="py-4 pr-4 text-left text-base font-normal">
              <HistoryText alert={alert} onView={onView} />
            </th>
            <td className="min-w-34 py-4 pr-6 text-right [&>span]:justify-end empty:before:text-muted empty:before:content-['–']">
              <AlertChange alert={alert} />
            </td>
            <td className="py-3.5 pr-4 max-xl:hidden">
              <HistoryState alert={alert} now={now} />
            </td>
            <td className="py-2.5 pr-4 whitespace-nowrap">{onView !== null && <HistoryActions alert={alert} onView={onView} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head({ className, children }: { className: string; children: ReactNode }) {
  return (
    <th scope="col" className={clsx('sticky top-23.5 z-1 border-b border-line bg-surface py-2.5 font-medium lg:top-14', className)}>
      {children}
    </th>
  )
}

// Building blocks of a row in either layout.

/** Null: a sample, which leads nowhere. */
type OnView = (() => void) | null

const typeLabel = ({ type, entity }: Alert): string => (entity.kind === 'connection' ? 'Connection' : metricLabels[type])

/** Leads to its report. */
function HistoryTitle({ alert, onView, className = alertTitleClass }: { alert: Alert; onView: OnView; className?: string }) {
  if (onView === null) return alert.title
  return (
    <ReportLink alert={alert} onView={onView} className={className}>
      <Breakable text={alert.title} />
    </ReportLink>
  )
}

function HistoryText({ alert, onView }: { alert: Alert; onView: OnView }) {
  const { description, action } = alert
  return (
    <>
      <p className="font-medium wrap-anywhere">
        <HistoryTitle alert={alert} onView={onView} />
      </p>
      <p className="mt-0.5 max-w-[90ch] text-sm wrap-anywhere text-muted [&_code]:font-sans [&_code]:text-text">
        <AlertMarkup markup={description} />
      </p>
      {action !== null && (
        <div className="mt-3">
          <FixLink {...action} />
        </div>
      )}
    </>
  )
}

/** An alert's severity, and whether somebody has looked at it. */
function HistoryBadges({ alert, onView }: { alert: Alert; onView: OnView }) {
  return (
    <>
      <SeverityBadge severity={alert.severity} />{' '}
      {onView === null ? <Badge tone="brand">Sample</Badge> : !alert.viewed && <ViewedBadge viewed={false} />}
    </>
  )
}

/** In its own column, where an empty cell would look like an omission. */
function HistoryState({ alert, now }: { alert: Alert; now: Date }) {
  return (
    <span className="flex flex-col items-start gap-1.5">
      {alert.state === 'firing' ? <Badge>Open</Badge> : <StateBadge alert={alert} now={now} />}
      <VerdictBadge verdict={alert.verdict} />
    </span>
  )
}

function HistoryActions({ alert, onView }: { alert: Alert; onView: () => void }) {
  return (
    <>
      <ReportLink alert={alert} onView={onView} label={`View full report: ${alert.title}`} className={iconButtonClass('text-muted!')}>
        <FileText aria-hidden />
      </ReportLink>
      <SearchConsoleLink alert={alert} onView={onView} label={`View in GSC: ${alert.title}`} className={iconButtonClass('text-muted!')}>
        <ExternalLink aria-hidden />
      </SearchConsoleLink>
    </>
  )
}
