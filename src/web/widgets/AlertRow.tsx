import { ExternalLink } from 'lucide-react'
import type { Alert } from '../../contract/alerts/alerts.ts'
import { alertFigures } from '../lib/alert/alert-view.ts'
import { formatMoment } from '../lib/dates.ts'
import { iconButtonClass } from '../ui/Button.tsx'
import { SeverityBadge, StateBadge, ViewedBadge } from '../ui/alert/AlertBadges.tsx'
import { AlertChange } from '../ui/alert/AlertChange.tsx'
import { AlertMarkup } from '../ui/alert/AlertMarkup.tsx'
import { MendingLink } from '../ui/MendingLink.tsx'
import { alertTitleClass } from './AlertCard.tsx'
import { ReportLink, SearchConsoleLink } from './AlertLinks.tsx'

type AlertRowProps = { alert: Alert; now: Date; onView: () => void }

/** An alert in the list of recent ones. */
export function AlertRow({ alert, now, onView }: AlertRowProps) {
  const figures = alertFigures(alert)
  return (
    <li className="flex items-start gap-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <SeverityBadge severity={alert.severity} />
          <ViewedBadge viewed={alert.viewed} />
          <StateBadge alert={alert} now={now} />
          <time dateTime={alert.timestamp} className="text-xs text-muted">
            {formatMoment(new Date(alert.timestamp), now)}
          </time>
        </div>
        <h3 className="mt-2 font-medium wrap-anywhere">
          <ReportLink alert={alert} onView={onView} className={alertTitleClass}>
            {alert.title}
          </ReportLink>
        </h3>
        <p className="mt-0.5 max-w-[90ch] text-sm wrap-anywhere text-muted [&_code]:font-sans [&_code]:text-text">
          <AlertMarkup markup={alert.description} />
        </p>
        {figures !== null && (
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm tabular-nums">
            <span>{figures}</span>
            <AlertChange alert={alert} />
          </p>
        )}
        {alert.action !== null && (
          <div className="mt-3">
            <MendingLink {...alert.action} />
          </div>
        )}
      </div>
      <SearchConsoleLink
        alert={alert}
        onView={onView}
        label={`Open in Search Console: ${alert.title}`}
        className={iconButtonClass('-mt-2 -mr-2.5 text-muted!')}
      >
        <ExternalLink aria-hidden />
      </SearchConsoleLink>
    </li>
  )
}
