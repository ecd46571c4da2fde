import type { SyncStatus } from '../../contract/sync.ts'
import { historyProgress, isUnderWay } from '../api/sync.ts'
import { formatDay, formatMoment } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { useSyncStatus } from './use-sync-status.ts'

/** When data last came in, and through which day it will not change any more; how far the history is while it comes in. */
export function LastUpdated() {
  const status = useSyncStatus()
  const now = useNow()
  // On a line of its own on phones, and never more beside the property than keep the height of the header.
  return (
    <p className="line-clamp-2 basis-full lg:line-clamp-3 text-xs text-muted tabular-nums max-[22.5rem]:min-h-[2lh] md:min-w-44 md:flex-1">
      {status === null ? 'Last updated:' : describe(status, now)}
    </p>
  )
}

function describe(status: SyncStatus, now: Date): string {
  const { lastSyncedAt, completeThrough } = status
  const history = historyProgress(status)
  if (history !== null && lastSyncedAt === null) return history
  const updated = `Last updated: ${lastSyncedAt === null ? 'not yet' : formatMoment(new Date(lastSyncedAt), now)}`
  if (history !== null) return `${updated}. ${history}`
  if (isUnderWay(status)) return `${updated}, syncing`
  return completeThrough === null ? updated : `${updated}, complete through ${formatDay(completeThrough)}`
}
