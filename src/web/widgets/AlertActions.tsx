import { Check, ExternalLink } from 'lucide-react'
import type { Alert } from '../../contract/alerts/alerts.ts'
import { canAcknowledge, canSnooze } from '../lib/alert/alert-life.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { MendingLink } from '../ui/MendingLink.tsx'
import { ReportLink, SearchConsoleLink } from './AlertLinks.tsx'
import { SnoozeMenu } from './SnoozeMenu.tsx'
import type { AlertActions as Actions } from './use-alert-actions.ts'
import { VerdictButtons } from './VerdictButtons.tsx'

type AlertActionsProps = { alert: Alert; actions: Actions; onView: () => void }

/** What can be done about an alert, in a row or, where there is no room for one, in two or three columns. */
export function AlertActions({ alert, actions, onView }: AlertActionsProps) {
  const { id, title, action } = alert
  return (
    <div className="@container">
      <div className="grid grid-cols-2 gap-2 @[31rem]:grid-cols-3 @[46rem]:flex @[46rem]:flex-wrap">
        {action !== null && (
          <div className="col-span-full grid @[31rem]:block">
            <MendingLink {...action} />
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
          <Button aria-label={`Acknowledge: ${title}`} className="px-2.5! @[46rem]:ml-auto" onClick={() => actions.acknowledge([id])}>
            <Check aria-hidden className="text-muted" />
            Acknowledge
          </Button>
        )}
        {canSnooze(alert) && (
          <SnoozeMenu
            alert={alert}
            onSnooze={(until) => actions.snooze(id, until)}
            onUnsnooze={() => actions.unsnooze(id)}
            triggerClass={buttonClass('secondary', canAcknowledge(alert) ? 'px-2.5!' : 'px-2.5! @[46rem]:ml-auto')}
          />
        )}
      </div>
    </div>
  )
}
