import type { Alert } from '../../../contract/alerts/alerts.ts'
import { useMedia } from '../../lib/hooks/use-media.ts'
import { useNow } from '../../lib/hooks/use-now.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useAlertActions } from '../../widgets/use-alert-actions.ts'
import { HistoryCard } from './HistoryCard.tsx'
import { HistoryTable } from './HistoryTable.tsx'

/** Room for all columns beside the sidebar. */
const wide = '(width >= 80rem)'

/** `sample`: they are made up, so nothing leads to them. */
export function HistoryRows({ alerts, sample = false }: { alerts: readonly Alert[]; sample?: boolean }) {
  const now = useNow()
  const isWide = useMedia(wide)
  const { view } = useAlertActions()
  const onViewOf = ({ id, viewed }: Alert): (() => void) | null => {
    if (sample) return null
    return () => {
      if (!viewed) view([id])
    }
  }
  const rows = alerts.map((alert) => ({ alert, onView: onViewOf(alert) }))
  if (isWide) return <HistoryTable rows={rows} now={now} />
  return (
    <ul aria-label="Alerts" className="divide-y divide-line px-4 sm:px-6">
      {rows.map((row) => (
        <HistoryCard key={row.alert.id} {...row} now={now} />
      ))}
    </ul>
  )
}

export function HistoryLoading() {
  return (
    <div aria-busy className="divide-y divide-line px-4 sm:px-6">
      <output className="sr-only">Loading alerts</output>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((row) => (
        <div key={row} className="py-4">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="mt-2 h-5 w-3/5" />
          <Skeleton className="mt-0.5 h-5 w-4/5" />
        </div>
      ))}
    </div>
  )
}
