import { formatMoment } from '../../lib/dates.ts'
import { StateBadge, VerdictBadge } from '../../ui/alert/AlertBadges.tsx'
import { AlertChange } from '../../ui/alert/AlertChange.tsx'
import { HistoryActions, HistoryBadges, HistoryText, typeLabel } from './HistoryParts.tsx'
import type { HistoryRow } from './HistoryTable.tsx'

/** A row of the table, where there is no room for columns. */
export function HistoryCard({ alert, onView, now }: HistoryRow & { now: Date }) {
  return (
    <li className="flex items-start gap-2 py-4">
      <div className="min-w-0 flex-1">
        <div className="mb-2 flex flex-wrap items-center gap-x-2 gap-y-1">
          <HistoryBadges alert={alert} onView={onView} />
          <StateBadge alert={alert} now={now} />
          <VerdictBadge verdict={alert.verdict} />
          <time dateTime={alert.timestamp} className="text-xs text-muted">
            {formatMoment(new Date(alert.timestamp), now)}
          </time>
        </div>
        <HistoryText alert={alert} onView={onView} />
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 text-sm tabular-nums">
          <span>{typeLabel(alert)}</span>
          <AlertChange alert={alert} />
        </p>
      </div>
      {onView !== null && (
        <div className="-mt-2 -mr-2.5 flex flex-col sm:flex-row">
          <HistoryActions alert={alert} onView={onView} />
        </div>
      )}
    </li>
  )
}
