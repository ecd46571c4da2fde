import { Check, ExternalLink, FileText } from 'lucide-react'
import { useState } from 'react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { alertFigures } from '../../lib/alert/alert-view.ts'
import { canAcknowledge, canSnooze } from '../../lib/alert/alert-life.ts'
import { formatMoment } from '../../lib/dates.ts'
import { SeverityBadge, StateBadge, ViewedBadge } from '../../ui/alert/AlertBadges.tsx'
import { AlertMarkup } from '../../ui/alert/AlertMarkup.tsx'
import { Breakable } from '../../ui/alert/Breakable.tsx'
import { IconButton, iconButtonClass } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { FixLink } from '../../ui/FixLink.tsx'
import { alertTitleClass } from '../../widgets/AlertCard.tsx'
import { ReportLink, SearchConsoleLink } from '../../widgets/AlertLinks.tsx'
import { SnoozeMenu } from '../../widgets/SnoozeMenu.tsx'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'
import { VerdictButtons } from '../../widgets/VerdictButtons.tsx'

/** Selects an alert for acknowledging several together. */
export function SelectAlert({ alert, selection }: { alert: Alert; selection: Selection }) {
  return (
    <Checkbox
      label={`Select: ${alert.title}`}
      hideLabel
      checked={selection.chosen.includes(alert.id)}
      onChange={(event) => selection.choose(alert.id, event.currentTarget.checked)}
    />
  )
}

export function AlertStatus({ alert, now }: { alert: Alert; now: Date }) {
  return (
    <div className="flex flex-wrap gap-1.5">
      <SeverityBadge severity={alert.severity} />
      <ViewedBadge viewed={alert.viewed} />
      <StateBadge alert={alert} now={now} />
    </div>
  )
}

type AlertPartProps = { alert: Alert; now: Date; onView: () => void }

export function AlertDetails({ alert, now, onView }: AlertPartProps) {
  const figures = alertFigures(alert)
  return (
    <>
      <h3 className="font-medium wrap-anywhere">
        <ReportLink alert={alert} onView={onView} isItem className={alertTitleClass}>
          <Breakable text={alert.title} />
        </ReportLink>
      </h3>
      <p className="mt-0.5 text-sm wrap-anywhere text-muted [&_code]:font-sans [&_code]:text-text">
        <AlertMarkup markup={alert.description} />
      </p>
      <p className="mt-1 flex flex-wrap gap-x-3 text-sm tabular-nums">
        {figures !== null && <span>{figures}</span>}
        <time dateTime={alert.timestamp} className="text-muted">
          {formatMoment(new Date(alert.timestamp), now)}
        </time>
      </p>
      {alert.action !== null && (
        <div className="mt-2">
          <FixLink {...alert.action} />
        </div>
      )}
    </>
  )
}

/** Marks the alert as viewed, if it isn't yet. */
export function useMarkViewed(alert: Alert): () => void {
  const { view } = useAlertActions()
  return () => {
    if (!alert.viewed) view([alert.id])
  }
}

export function AlertButtons({ alert, onView }: Omit<AlertPartProps, 'now'>) {
  const actions = useAlertActions()
  const { acknowledge, snooze, unsnooze } = actions
  const { id, title } = alert
  return (
    <>
      <SearchConsoleLink
        alert={alert}
        onView={onView}
        label={`Open in Search Console: ${title}`}
        className={iconButtonClass('text-muted!')}
      >
        <ExternalLink aria-hidden />
      </SearchConsoleLink>
      <ReportLink alert={alert} onView={onView} label={`View full report: ${title}`} className={iconButtonClass('text-muted!')}>
        <FileText aria-hidden />
      </ReportLink>
      <VerdictButtons alert={alert} actions={actions} compact />
      {canAcknowledge(alert) && (
        <IconButton aria-label={`Acknowledge: ${title}`} className="text-muted!" onClick={() => acknowledge([id])}>
          <Check aria-hidden />
        </IconButton>
      )}
      {canSnooze(alert) && (
        <SnoozeMenu
          alert={alert}
          onSnooze={(until) => snooze(id, until)}
          onUnsnooze={() => unsnooze(id)}
          triggerClass={iconButtonClass('text-muted!')}
          compact
        />
      )}
    </>
  )
}

/** The selection among the alerts on screen that can be acknowledged; drops those that no longer can. */
export function useSelection(alerts: readonly Alert[]) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const open = alerts.filter(canAcknowledge).map(({ id }) => id)
  const chosen = open.filter((id) => marked.has(id))
  return {
    chosen,
    /** Number of selectable ones. */
    possible: open.length,
    choose: (id: string, isChosen: boolean) => setMarked(new Set(isChosen ? [...chosen, id] : chosen.filter((each) => each !== id))),
    chooseAll: (areChosen: boolean) => setMarked(new Set(areChosen ? open : [])),
  }
}
export type Selection = ReturnType<typeof useSelection>
