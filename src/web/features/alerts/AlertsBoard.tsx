import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useRef } from 'react'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import type { Period } from '../../../contract/metrics.ts'
import { alertsCountQuery, alertsQuery, mostAlerts } from '../../api/alerts.ts'
import { failureText } from '../../api/client.ts'
import { canAcknowledge } from '../../lib/alert/alert-life.ts'
import { formatCount } from '../../lib/format.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { AlertsProblem } from '../../widgets/AlertsProblem.tsx'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'
import { useKeptFocus } from '../../widgets/use-kept-focus.ts'
import { useListKeys } from '../../widgets/use-list-keys.ts'
import { AlertCards } from './AlertCards.tsx'
import { AlertsBar } from './AlertsBar.tsx'
import { AlertTable } from './AlertTable.tsx'
import { type AlertsSearch, filterOf, step } from './alerts-search.ts'
import { ChosenBar } from './ChosenBar.tsx'
import { useSelection } from './use-selection.ts'

type AlertsBoardProps = {
  property: string
  search: AlertsSearch
  /** The days that have data. */
  data: Period | null
  onChange: (change: Partial<AlertsSearch>) => void
  onCreate: () => void
}

const none: readonly Alert[] = []

/** The alerts that the address asks for, as cards or as a table, and what can be done with several of them. */
export function AlertsBoard({ property, search, data, onChange, onCreate }: AlertsBoardProps) {
  const now = useNow()
  const filter = filterOf(search, now, data)
  const list = useQuery(alertsQuery(property, { ...filter, limit: search.show }))
  const { data: count } = useQuery(alertsCountQuery(property, filter))
  const alerts = list.data ?? none
  const selection = useSelection(alerts)
  const actions = useAlertActions()
  const board = useRef<HTMLElement>(null)
  useKeptFocus(board)
  useListKeys(board, (id) => {
    if (alerts.some((alert) => alert.id === id && canAcknowledge(alert))) actions.acknowledge([id])
  })

  if (list.isError && list.data === undefined) {
    return (
      <Card>
        <AlertsProblem property={property} error={list.error} onRetry={() => void list.refetch()} />
      </Card>
    )
  }
  const View = search.view === 'cards' ? AlertCards : AlertTable
  const left = count === undefined ? 0 : count - alerts.length
  return (
    <section ref={board} aria-labelledby="active-alerts">
      <h2 id="active-alerts" tabIndex={-1} className="sr-only">
        Alerts
      </h2>
      <AlertsBar count={count} selection={selection} openOnly={search.openOnly} onOpenOnly={(openOnly) => onChange({ openOnly })} />
      {list.isError && <Outdated property={property} error={list.error} onRetry={() => void list.refetch()} />}
      <div
        aria-busy={list.isPending || list.isPlaceholderData}
        className={clsx('transition-opacity duration-150', list.isPlaceholderData && 'opacity-50')}
      >
        <View alerts={list.data} now={now} selection={selection} onCreate={onCreate} />
      </div>
      {left > 0 && alerts.length > 0 && !list.isPlaceholderData && (
        <More shown={alerts.length} left={left} onShow={() => onChange({ show: search.show + step })} />
      )}
      <ChosenBar selection={selection} onAcknowledge={() => actions.acknowledge(selection.chosen)} />
    </section>
  )
}

/** Above alerts that could not be loaded again. */
function Outdated({ property, error, onRetry }: { property: string; error: Error; onRetry: () => void }) {
  return (
    <div role="alert" className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card bg-warning-soft px-4 py-2">
      <p className="min-w-0 wrap-anywhere">
        The alerts for {property} could not be refreshed: {failureText(error)}
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

function More({ shown, left, onShow }: { shown: number; left: number; onShow: () => void }) {
  return (
    <div className="mt-4 text-center">
      {shown >= mostAlerts ? (
        <p className="text-muted">Showing the latest {formatCount(shown)}. Choose a shorter range to see the rest.</p>
      ) : (
        <Button onClick={onShow}>Show more ({formatCount(left)} left)</Button>
      )}
    </div>
  )
}
