import { ExternalLink, FileText } from 'lucide-react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { metricLabels } from '../../lib/metric.ts'
import { SeverityBadge, StateBadge, VerdictBadge, ViewedBadge } from '../../ui/alert/AlertBadges.tsx'
import { AlertMarkup } from '../../ui/alert/AlertMarkup.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { iconButtonClass } from '../../ui/Button.tsx'
import { MendingLink } from '../../ui/MendingLink.tsx'
import { alertTitleClass } from '../../widgets/AlertCard.tsx'
import { ReportLink, SearchConsoleLink } from '../../widgets/AlertLinks.tsx'

// What a row of the table and a card of the narrow list are made of.

/** Null: a sample, to which nothing leads. */
type OnView = (() => void) | null

export const typeLabel = ({ type, entity }: Alert): string => (entity.kind === 'connection' ? 'Connection' : metricLabels[type])

export function HistoryText({ alert, onView }: { alert: Alert; onView: OnView }) {
  const { title, description, action } = alert
  return (
    <>
      <p className="font-medium wrap-anywhere">
        {onView === null ? (
          title
        ) : (
          <ReportLink alert={alert} onView={onView} className={alertTitleClass}>
            {title}
          </ReportLink>
        )}
      </p>
      <p className="mt-0.5 max-w-[90ch] text-sm wrap-anywhere text-muted [&_code]:font-sans [&_code]:text-text">
        <AlertMarkup markup={description} />
      </p>
      {action !== null && (
        <div className="mt-3">
          <MendingLink {...action} />
        </div>
      )}
    </>
  )
}

/** How severe it is, and whether somebody has looked at it. */
export function HistoryBadges({ alert, onView }: { alert: Alert; onView: OnView }) {
  return (
    <>
      <SeverityBadge severity={alert.severity} />{' '}
      {onView === null ? <Badge tone="brand">Sample</Badge> : !alert.viewed && <ViewedBadge viewed={false} />}
    </>
  )
}

/** In a column of its own, where nothing would look like something left out. */
export function HistoryState({ alert, now }: { alert: Alert; now: Date }) {
  return (
    <span className="flex flex-col items-start gap-1.5">
      {alert.state === 'firing' ? <Badge>Open</Badge> : <StateBadge alert={alert} now={now} />}
      <VerdictBadge verdict={alert.verdict} />
    </span>
  )
}

export function HistoryActions({ alert, onView }: { alert: Alert; onView: () => void }) {
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
