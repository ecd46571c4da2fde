import { clsx } from 'clsx'
import { Check, ExternalLink } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Alert } from '../../contract/alerts/alerts.ts'
import { Sparkline } from '../charts/Sparkline.tsx'
import { canAcknowledge, canRate, canSnooze } from '../lib/alert/alert-life.ts'
import { type AlertSeries, alertSeries, alertValues, alsoFound } from '../lib/alert/alert-view.ts'
import { formatDayBy, formatMoment } from '../lib/dates.ts'
import { formatMetric } from '../lib/format.ts'
import { metricLabels } from '../lib/metric.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { FixLink } from '../ui/FixLink.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { SeverityBadge, StateBadge, ViewedBadge } from '../ui/alert/AlertBadges.tsx'
import { AlertChange } from '../ui/alert/AlertChange.tsx'
import { AlertMarkup } from '../ui/alert/AlertMarkup.tsx'
import { Breakable } from '../ui/alert/Breakable.tsx'
import { ReportLink, SearchConsoleLink } from './AlertLinks.tsx'
import { SnoozeMenu } from './SnoozeMenu.tsx'
import { VerdictButtons } from './VerdictButtons.tsx'
import { useAnnotationMarks } from './annotations/use-annotation-marks.ts'
import { type AlertActions as Actions, useAlertActions } from './use-alert-actions.ts'

const cardClass = 'flex h-full flex-col rounded-card border border-line bg-surface p-5'

type AlertCardProps = { alert: Alert; now: Date; /** In the corner: selects it among others. */ select?: ReactNode }

/** An alert with its figures and all actions. */
export function AlertCard({ alert, now, select }: AlertCardProps) {
  const id = useId()
  const actions = useAlertActions()
  const onView = () => {
    if (!alert.viewed) actions.view([alert.id])
  }
  const also = alsoFound(alert)
  return (
    <article aria-labelledby={id} data-alert={alert.id} className={cardClass}>
      <div className="flex items-start gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
          <SeverityBadge severity={alert.severity} />
          <ViewedBadge viewed={alert.viewed} />
          <StateBadge alert={alert} now={now} />
          <time dateTime={alert.timestamp} className="text-xs text-muted">
            {formatMoment(new Date(alert.timestamp), now)}
          </time>
        </div>
        {select !== undefined && <div className="-mt-2 -mr-2.5 -mb-2">{select}</div>}
      </div>
      <h3 id={id} className="mt-3 text-base font-semibold wrap-anywhere">
        <ReportLink alert={alert} onView={onView} isItem className={alertTitleClass}>
          <Breakable text={alert.title} />
        </ReportLink>
      </h3>
      <p className="mt-1 text-sm wrap-anywhere text-muted [&_code]:font-sans [&_code]:text-text">
        <AlertMarkup markup={alert.description} />
      </p>
      <Figures alert={alert} now={now} />
      {also !== null && <p className="mt-4 text-sm wrap-anywhere text-muted">{also}</p>}
      <div className="@container mt-auto pt-5">
        <AlertActions alert={alert} actions={actions} onView={onView} />
      </div>
    </article>
  )
}

/** As large for fingers as a button, but not styled as one. */
export const alertTitleClass = 'relative inline-block rounded-sm after:absolute after:-inset-x-1 after:-inset-y-2.5 hover:underline'

function Figures({ alert, now }: { alert: Alert; now: Date }) {
  const values = alertValues(alert)
  const series = alertSeries(alert)
  const { type } = alert
  if (values === null) return null
  return (
    <div className="mt-4 grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[auto_minmax(9rem,1fr)]">
      <div>
        <p className="text-sm font-medium text-muted">{metricLabels[type]}</p>
        <p className="mt-0.5 tabular-nums">
          <span className="text-title font-semibold">{values.current}</span>
          {values.previous !== null && <span className="text-muted"> from {values.previous}</span>}
        </p>
        <p className="text-sm">
          <AlertChange alert={alert} />
        </p>
      </div>
      {series !== null && <Line alert={alert} series={series} now={now} />}
    </div>
  )
}

type LineProps = { alert: Alert; series: AlertSeries; now: Date }

function Line({ alert: { target, title, type, searchType }, series: { points, dated, until }, now }: LineProps) {
  const days = dated && until !== null ? { start: points[0]?.date ?? until, end: until } : null
  const marks = useAnnotationMarks(target, type, days, searchType)
  return (
    <Sparkline
      label={`${metricLabels[type]} by day: ${title}`}
      points={points}
      format={(value) => formatMetric(type, value)}
      inverted={type === 'position'}
      {...(dated ? { marks } : { undated: until === null ? 'By day' : `By day, through ${formatDayBy(until, now)}` })}
    />
  )
}

/** The size of a card, so that little moves when the alerts arrive. */
export function AlertCardSkeleton() {
  return (
    <div className={cardClass}>
      <Skeleton className="h-6 w-44" />
      <Skeleton className="mt-3 h-5 w-3/5" />
      <Skeleton className="mt-2 h-4 w-full" />
      <Skeleton className="mt-1 h-4 w-1/3" />
      <div className="mt-4 grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-[auto_minmax(9rem,1fr)]">
        <Skeleton className="h-17.5 w-28" />
        <Skeleton className="h-17.5" />
      </div>
      <div className="mt-5 flex gap-2">
        <Skeleton className="h-9 w-32" />
        <Skeleton className="h-9 w-32" />
      </div>
    </div>
  )
}

type AlertActionsProps = { alert: Alert; actions: Actions; onView: () => void }

/**
 * An alert's actions in one row or, without room for all of them, in columns: two, or three if there are more than four. None is left alone
 * in a row.
 */
function AlertActions({ alert, actions, onView }: AlertActionsProps) {
  const { id, title, action } = alert
  const count = 2 + (canRate(alert) ? 2 : 0) + Number(canAcknowledge(alert)) + Number(canSnooze(alert))
  const wide = count > 4 ? '@[31rem]:grid-cols-3 @[47rem]:flex' : '@[31rem]:flex'
  const isOdd = count % 2 === 1
  return (
    <div className={clsx('grid grid-cols-2 gap-2', wide, isOdd && '*:last:col-span-full @[31rem]:*:last:col-auto')}>
      {action !== null && (
        <div className="col-span-full grid w-full @[31rem]:block">
          <FixLink {...action} />
        </div>
      )}
      <ReportLink alert={alert} onView={onView} className={buttonClass('secondary', 'px-2.5!')}>
        View full report
      </ReportLink>
      <SearchConsoleLink alert={alert} onView={onView} className={buttonClass('secondary', 'px-2.5!')}>
        View in GSC
        <ExternalLink aria-hidden className="text-muted" />
      </SearchConsoleLink>
      <VerdictButtons alert={alert} actions={actions} />
      {canAcknowledge(alert) && (
        <Button aria-label={`Acknowledge: ${title}`} className="px-2.5!" onClick={() => actions.acknowledge([id])}>
          <Check aria-hidden className="text-muted" />
          Acknowledge
        </Button>
      )}
      {canSnooze(alert) && (
        <SnoozeMenu
          alert={alert}
          onSnooze={(until) => actions.snooze(id, until)}
          onUnsnooze={() => actions.unsnooze(id)}
          triggerClass={buttonClass('secondary', 'px-2.5!')}
        />
      )}
    </div>
  )
}
