import { BellOff } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import { canAcknowledge } from '../../lib/alert/alert-life.ts'
import { useDrawnRows } from '../../lib/hooks/use-drawn-rows.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AlertCard, AlertCardSkeleton } from '../../widgets/AlertCard.tsx'
import { SelectAlert } from './alert-parts.tsx'
import { nothingFound, type AlertsViewProps } from './alerts-view.ts'

const gridClass = 'grid grid-cols-1 gap-4 lg:grid-cols-2 xl:gap-5'
const skeletons = ['first', 'second', 'third', 'fourth']

export function AlertCards({ alerts, now, selection, onCreate }: AlertsViewProps) {
  if (alerts === undefined) {
    return (
      <Waiting>
        {skeletons.map((each) => (
          <AlertCardSkeleton key={each} />
        ))}
      </Waiting>
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
              Create Alert
            </Button>
          }
        >
          {nothingFound.text}
        </EmptyState>
      </Card>
    )
  }
  return <Cards alerts={alerts} now={now} selection={selection} />
}

/** More cards than any screen shows at once. */
const firstCards = 6

function Cards({ alerts, now, selection }: Pick<AlertsViewProps, 'now' | 'selection'> & { alerts: readonly Alert[] }) {
  const { drawn, isWhole } = useDrawnRows(alerts, firstCards)
  return (
    <ul className={gridClass} data-whole={isWhole}>
      {drawn.map((alert) => (
        <li key={alert.id} className="min-w-0">
          <AlertCard alert={alert} now={now} select={canAcknowledge(alert) && <SelectAlert alert={alert} selection={selection} />} />
        </li>
      ))}
    </ul>
  )
}

function Waiting({ children }: { children: ReactNode }) {
  return (
    <>
      <output className="sr-only">Loading alerts...</output>
      <div className={gridClass}>{children}</div>
    </>
  )
}
