import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { BellOff, Check, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { counted } from '../../../core/words.ts'
import type { Alert } from '../../../contract/alerts/alerts.ts'
import type { Period } from '../../../contract/metrics.ts'
import { propertyName } from '../../../core/accounts/property-name.ts'
import { alertsCountQuery, alertsQuery, mostAlerts } from '../../api/alerts.ts'
import { failureText } from '../../api/client.ts'
import { canAcknowledge } from '../../lib/alert/alert-life.ts'
import { formatCount } from '../../lib/format.ts'
import { useDrawnRows } from '../../lib/hooks/use-drawn-rows.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Checkbox } from '../../ui/form/Checkbox.tsx'
import { useKeptFocus, useListKeys } from '../../widgets/alert-list-focus.ts'
import { AlertCard, AlertCardSkeleton } from '../../widgets/AlertCard.tsx'
import { AlertsProblem } from '../../widgets/LoadProblem.tsx'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'
import { type AlertsViewProps, AlertTable, nothingFound } from './AlertTable.tsx'
import { SelectAlert, type Selection, useSelection } from './alert-parts.tsx'
import { alertsFilterOf, type AlertsSearch, step } from './alerts-search.ts'

type AlertsBoardProps = {
  property: string
  search: AlertsSearch
  /** The days with data. */
  data: Period | null
  onChange: (change: Partial<AlertsSearch>) => void
  onCreate: () => void
  /** What follows; shown once it is known how tall the board is. */
  children: ReactNode
}

const none: readonly Alert[] = []

/** The alerts requested by the URL, as cards or a table, with actions for several at once. */
export function AlertsBoard({ property, search, data, onChange, onCreate, children }: AlertsBoardProps) {
  const now = useNow()
  const filter = alertsFilterOf(search, now, data)
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
      <>
        <Card>
          <AlertsProblem property={property} error={list.error} onRetry={() => void list.refetch()} />
        </Card>
        {children}
      </>
    )
  }
  const View = search.view === 'cards' ? AlertCards : AlertTable
  const left = count === undefined ? 0 : count - alerts.length
  return (
    <>
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
      <div className={clsx(list.isPending && 'invisible')}>{children}</div>
    </>
  )
}

/** Shown above alerts that failed to reload. */
function Outdated({ property, error, onRetry }: { property: string; error: Error; onRetry: () => void }) {
  return (
    <div role="alert" className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card bg-warning-soft px-4 py-2">
      <p className="min-w-0 wrap-anywhere">
        The alerts for {propertyName(property)} could not be refreshed: {failureText(error)}
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

function More({ shown, left, onShow }: { shown: number; left: number; onShow: () => void }) {
  return (
    <div className="mt-4 text-center">
      {shown >= mostAlerts ? (
        <p className="text-muted">Showing the latest {formatCount(shown)}. Choose a custom range to see older ones.</p>
      ) : (
        <Button onClick={onShow}>Show more ({formatCount(left)} left)</Button>
      )}
    </div>
  )
}

/** The actions for the selected alerts: below them, and visible however far down they are. */
function ChosenBar({ selection: { chosen, chooseAll }, onAcknowledge }: { selection: Selection; onAcknowledge: () => void }) {
  if (chosen.length === 0) return null
  return (
    <div className="pointer-events-none sticky bottom-4 z-10 mt-4 flex justify-center">
      <div className="pointer-events-auto flex items-center gap-1 rounded-card border border-line bg-surface p-2 shadow-float">
        <Button variant="primary" onClick={onAcknowledge}>
          <Check aria-hidden />
          {chosen.length === 1 ? 'Acknowledge 1 alert' : `Acknowledge ${formatCount(chosen.length)} alerts`}
        </Button>
        <IconButton aria-label="Clear selection" onClick={() => chooseAll(false)}>
          <X aria-hidden />
        </IconButton>
      </div>
    </div>
  )
}

type AlertsBarProps = {
  /** Number of alerts; undefined until known. */
  count: number | undefined
  selection: Selection
  openOnly: boolean
  onOpenOnly: (openOnly: boolean) => void
}

/** Above the alerts: how many there are, and which ones are shown. */
function AlertsBar({ count, selection: { chosen, possible, chooseAll }, openOnly, onOpenOnly }: AlertsBarProps) {
  return (
    <div className="mb-3 flex min-h-10 items-center justify-between gap-x-5">
      {possible > 0 && (
        <Checkbox
          label="Select all"
          checked={chosen.length === possible}
          mixed={chosen.length > 0 && chosen.length < possible}
          onChange={(event) => chooseAll(event.currentTarget.checked)}
        />
      )}
      <div className="ml-auto flex items-center gap-5">
        {count !== undefined && <output className="text-muted tabular-nums">{counted(count, 'alert')}</output>}
        <Checkbox label="Open only" checked={openOnly} onChange={(event) => onOpenOnly(event.currentTarget.checked)} />
      </div>
    </div>
  )
}

const gridClass = 'grid grid-cols-1 gap-4 lg:grid-cols-2 xl:gap-5'
const skeletons = ['first', 'second', 'third', 'fourth']

function AlertCards({ alerts, now, selection, onCreate }: AlertsViewProps) {
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

/** More cards than any screen can show. */
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
