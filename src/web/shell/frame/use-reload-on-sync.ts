import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { SyncStatus } from '../../../contract/sync.ts'
import { reloadMetrics } from '../../api/metrics.ts'
import { isUnderWay, reloadWhatIsOnScreen } from '../../api/sync.ts'
import { useSyncStatus } from '../use-sync-status.ts'

/** Brings new data to the screen: the figures as days come in, and everything once the sync is through. */
export function useReloadOnSync(): void {
  const status = useSyncStatus()
  const client = useQueryClient()
  const seen = useRef<SyncStatus | null>(null)
  useEffect(() => {
    const before = seen.current
    seen.current = status
    if (before === null || status === null || before.property !== status.property) return
    const stored = hasStored(before, status)
    if (isUnderWay(status)) {
      if (stored) void reloadMetrics(client)
    } else if (stored || isUnderWay(before)) {
      void reloadWhatIsOnScreen(client)
    }
  }, [status, client])
}

function hasStored(before: SyncStatus, now: SyncStatus): boolean {
  return (['lastSyncedAt', 'firstDate', 'lastDate', 'completeThrough', 'daysLeft'] as const).some((field) => before[field] !== now[field])
}
