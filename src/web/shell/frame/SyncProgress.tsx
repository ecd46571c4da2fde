import { historyShare, isUnderWay } from '../../api/sync.ts'
import { Progress } from '../../ui/Progress.tsx'
import { useSyncStatus } from '../use-sync-status.ts'

/** How far the running sync is, along the lower edge of the header; nothing while none runs. */
export function SyncProgress() {
  const status = useSyncStatus()
  if (status === null || !isUnderWay(status)) return null
  return (
    <div className="absolute inset-x-0 -bottom-px">
      <Progress label="Syncing" fraction={historyShare(status)} className="h-0.75 rounded-none!" />
    </div>
  )
}
