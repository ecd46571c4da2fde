import { clsx } from 'clsx'
import { RefreshCw } from 'lucide-react'
import { IconButton } from '../../ui/Button.tsx'
import { useRefresh } from '../use-refresh.ts'
import { useSyncStatus } from '../use-sync-status.ts'

/** Fetches what is new for the property now; an imported one has nowhere to fetch from. */
export function RefreshButton({ property }: { property: string }) {
  const status = useSyncStatus()
  const refresh = useRefresh()
  if (status?.state === 'imported') return null
  return (
    // Also during a backfill: what is asked for now goes before what is still missing of the past.
    <IconButton aria-label="Refresh" disabled={refresh.isPending} onClick={() => refresh.mutate(property)}>
      <RefreshCw aria-hidden className={clsx((refresh.isPending || status?.running) && 'animate-spin')} />
    </IconButton>
  )
}
