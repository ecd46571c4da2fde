import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import type { SyncStatus } from '../../../contract/sync.ts'
import { reloadFiguresGently } from '../../api/analytics.ts'
import { isUnderWay, reloadWhatIsOnScreen } from '../../api/sync.ts'
import { createSpaced } from '../../lib/concurrency.ts'
import { useSyncStatus } from '../sync.ts'

/** The first days appear as they arrive, more of them less and less often: months take minutes, or hours. */
const reloadEvery = { first: 2_000, most: 60_000 }

/** Reloads the figures as days arrive, and everything once the sync is done. */
export function ReloadOnSync(): null {
  const status = useSyncStatus()
  const client = useQueryClient()
  const seen = useRef<SyncStatus | null>(null)
  const arriving = useMemo(() => createSpaced(() => void reloadFiguresGently(client), reloadEvery), [client])
  useEffect(() => arriving.reset, [arriving])
  useEffect(() => {
    const before = seen.current
    seen.current = status
    if (before === null || status === null || before.property !== status.property) {
      arriving.reset()
      return
    }
    const stored = hasStored(before, status)
    if (isUnderWay(status)) {
      if (before.completeThrough === null && status.completeThrough !== null) arriving.reset()
      if (stored) arriving.ask()
    } else {
      arriving.reset()
      if (stored || isUnderWay(before)) void reloadWhatIsOnScreen(client)
    }
  }, [status, client, arriving])
  return null
}

function hasStored(before: SyncStatus, now: SyncStatus): boolean {
  return (['lastSyncedAt', 'firstDate', 'lastDate', 'completeThrough', 'daysLeft'] as const).some((field) => before[field] !== now[field])
}
