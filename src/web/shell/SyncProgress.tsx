import { isUnderWay } from '../api/sync.ts'
import { Progress } from '../ui/Progress.tsx'
import { useSyncStatus } from './use-sync-status.ts'

/** How far the running sync is; nothing while none runs. */
export function SyncProgress() {
  const status = useSyncStatus()
  if (status === null || !isUnderWay(status)) return null
  const { daysLeft, daysTotal } = status
  return (
    <section aria-label="Sync" className="flex items-center gap-3 border-b border-line bg-surface px-4 py-1.5 text-sm text-muted sm:px-6">
      <Progress label="Syncing" fraction={daysTotal > 0 ? (daysTotal - daysLeft) / daysTotal : null} className="flex-1" />
      <span className="shrink-0 tabular-nums">{daysTotal > 0 ? `${daysTotal - daysLeft} of ${daysTotal} days` : 'Asking Google'}</span>
    </section>
  )
}
