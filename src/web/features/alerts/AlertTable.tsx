import { BellOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { canAcknowledge } from '../../lib/alert/alert-life.ts'
import { alertSubject } from '../../lib/alert/alert-view.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AlertChange } from '../../ui/alert/AlertChange.tsx'
import { AlertButtons, AlertDetails, AlertStatus, SelectAlert, type Selection, useMarkViewed } from './alert-parts.tsx'

/** The input of both views of the alerts. */
export type AlertsViewProps = {
  /** Undefined while loading. */
  alerts: readonly Alert[] | undefined
  now: Date
  selection: Selection
  onCreate: () => void
}

const columns = ['Status', 'Type', 'Alert Details', 'Change', 'Actions'] as const

/** The alerts as a table, or as a list if that would be too wide. */
export function AlertTable(props: AlertsViewProps) {
  const hasRoom = useMedia('(width >= 48rem)')
  return hasRoom ? <WideAlerts {...props} /> : <AlertList {...props} />
}

function WideAlerts({ alerts, now, selection, onCreate }: AlertsViewProps) {
  return (
    <div className="overflow-hidden rounded-card border border-line bg-surface">
      <table aria-labelledby="active-alerts" className="w-full table-fixed text-sm">
        <colgroup>
          <col className="w-11 xl:w-12" />
          <col className="w-34 xl:w-36" />
          <col className="w-24 xl:w-27" />
          <col />
          <col className="w-30 xl:w-32" />
          <col className="w-24 xl:w-42 min-[90rem]:w-60" />
        </colgroup>
        <thead>
          <tr className="border-b border-line text-left text-muted">
            <th scope="col" className="py-2.5">
              <span className="sr-only">Select</span>
            </th>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-2.5 font-medium xl:px-3">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {alerts === undefined ? (
            <WholeRow>
              <output className="text-muted">Loading alerts...</output>
            </WholeRow>
          ) : alerts.length === 0 ? (
            <WholeRow>
              <p className="font-semibold">{nothingFound.title}</p>
              <p className="mt-1 text-muted">{nothingFound.text}</p>
              <Button variant="primary" className="mt-4" onClick={onCreate}>
                Create New Alert
              </Button>
            </WholeRow>
          ) : (
            alerts.map((alert) => <Row key={alert.id} alert={alert} now={now} selection={selection} />)
          )}
        </tbody>
      </table>
    </div>
  )
}

function WholeRow({ children }: { children: ReactNode }) {
  return (
    <tr>
      <td colSpan={columns.length + 1} className="px-4 py-12 text-center text-base">
        {children}
      </td>
    </tr>
  )
}

function Row({ alert, now, selection }: { alert: Alert; now: Date; selection: Selection }) {
  const onView = useMarkViewed(alert)
  return (
    <tr data-alert={alert.id} className="align-top">
      <td className="py-1.5 pl-1.5">{canAcknowledge(alert) && <SelectAlert alert={alert} selection={selection} />}</td>
      <td className="px-2 py-3 xl:px-3">
        <AlertStatus alert={alert} now={now} />
      </td>
      <td className="px-2 py-3.5 xl:px-3">{alertSubject(alert)}</td>
      <td className="px-2 py-3 xl:px-3">
        <AlertDetails alert={alert} now={now} onView={onView} />
      </td>
      <td className="px-2 py-3.5 xl:px-3">
        <AlertChange alert={alert} />
      </td>
      <td className="px-1 py-1.5">
        <div className="flex flex-wrap">
          <AlertButtons alert={alert} onView={onView} />
        </div>
      </td>
    </tr>
  )
}

/** The table's content for screens too narrow for one. */
function AlertList({ alerts, now, selection, onCreate }: AlertsViewProps) {
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
  const onView = useMarkViewed(alert)
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

export const nothingFound = {
  title: 'No alerts at this time',
  text: 'No rules fired in this range, and no earlier alerts are still open.',
} as const
