import type { SyncStatus } from '../../contract/sync.ts'
import { isUnderWay } from '../api/sync.ts'
import { formatDay, formatMoment } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { useSyncStatus } from './use-sync-status.ts'

/** When data last came in, and through which day it will not change any more. */
export function LastUpdated() {
  const status = useSyncStatus()
  const now = useNow()
  // On a line of its own on phones, and never more than two beside the property: the header keeps its height.
  return (
    <p className="line-clamp-2 basis-full text-xs text-muted tabular-nums max-[22.5rem]:min-h-[2lh] md:min-w-44 md:flex-1">
      Last updated: {status !== null && describe(status, now)}
    </p>
  )
}

function describe(status: SyncStatus, now: Date): string {
  const { lastSyncedAt, completeThrough, daysLeft, daysTotal } = status
  const at = lastSyncedAt === null ? 'not yet' : formatMoment(new Date(lastSyncedAt), now)
  if (isUnderWay(status)) return daysLeft > 0 ? `${at}, syncing, ${daysTotal - daysLeft} of ${daysTotal} days` : `${at}, syncing`
  return completeThrough === null ? at : `${at}, complete through ${formatDay(completeThrough)}`
}
