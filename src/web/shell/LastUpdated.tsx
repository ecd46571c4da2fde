import { formatDay, formatMoment } from '../lib/dates.ts'
import { useSyncStatus } from './use-sync-status.ts'

/** When data last came in, and through which day it will not change any more. */
export function LastUpdated() {
  const status = useSyncStatus()
  if (status === null) return null
  const { lastSyncedAt, completeThrough } = status
  return (
    <p className="text-sm text-muted tabular-nums max-md:w-full md:shrink-0 md:whitespace-nowrap">
      Last updated: {lastSyncedAt === null ? 'never' : formatMoment(new Date(lastSyncedAt), new Date())}
      {completeThrough !== null && `, complete through ${formatDay(completeThrough)}`}
    </p>
  )
}
