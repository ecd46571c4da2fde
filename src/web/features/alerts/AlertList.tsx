import { BellOff } from 'lucide-react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { alertSubject } from '../../lib/alert/alert-view.ts'
import { canAcknowledge } from '../../lib/alert/alert-life.ts'
import { AlertChange } from '../../ui/alert/AlertChange.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AlertButtons, AlertDetails, AlertStatus, SelectAlert, useView } from './alert-parts.tsx'
import { nothingFound, type AlertsViewProps } from './alerts-view.ts'
import type { Selection } from './use-selection.ts'

/** What the table shows, on a screen too narrow for one. */
export function AlertList({ alerts, now, selection, onCreate }: AlertsViewProps) {
  if (alerts === undefined) {
    return (
      <Card>
        <output className="block py-6 text-center text-muted">Loading alerts...</output>
      </Card>
    )
  }
  if (alerts.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={<BellOff aria-hidden />}
          title={nothingFound.title}
          actions={
            <Button variant="primary" onClick={onCreate}>
              Create New Alert
            </Button>
          }
        >
          {nothingFound.text}
        </EmptyState>
      </Card>
    )
  }
  return (
    <ul className="flex flex-col gap-3">
      {alerts.map((alert) => (
        <Item key={alert.id} alert={alert} now={now} selection={selection} />
      ))}
    </ul>
  )
}

function Item({ alert, now, selection }: { alert: Alert; now: Date; selection: Selection }) {
  const onView = useView(alert)
  return (
    <li data-alert={alert.id} className="rounded-card border border-line bg-surface p-4">
      <div className="mb-2 flex items-start justify-between gap-2">
        <AlertStatus alert={alert} now={now} />
        {canAcknowledge(alert) && (
          <div className="-mt-2 -mr-2">
            <SelectAlert alert={alert} selection={selection} />
          </div>
        )}
      </div>
      <AlertDetails alert={alert} now={now} onView={onView} />
      <div className="mt-2 flex flex-wrap items-center justify-between gap-x-3 border-t border-line pt-2 text-sm">
        <span className="inline-flex flex-wrap items-center gap-x-2">
          <span className="text-muted">{alertSubject(alert)}</span>
          <AlertChange alert={alert} />
        </span>
        <span className="-mr-2 ml-auto flex">
          <AlertButtons alert={alert} onView={onView} />
        </span>
      </div>
    </li>
  )
}
