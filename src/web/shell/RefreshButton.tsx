import { useMutation, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { RefreshCw } from 'lucide-react'
import { failureText } from '../api/client.ts'
import { startSync, syncQuery } from '../api/sync.ts'
import { IconButton } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { useSyncStatus } from './use-sync-status.ts'

/** Fetches what is new for the property now; an imported one has nowhere to fetch from. */
export function RefreshButton({ property }: { property: string }) {
  const client = useQueryClient()
  const status = useSyncStatus()
  const refresh = useMutation({
    mutationFn: () => startSync(property),
    onSuccess: (started) => {
      if (started !== null) client.setQueryData(syncQuery(property).queryKey, started)
    },
    onError: (error) =>
      toast.error('Refresh Failed', failureText(error, `The data of ${property} could not be refreshed. Please try again.`)),
  })
  if (status?.state === 'imported') return null
  return (
    // Also during a backfill: what is asked for now goes before what is still missing of the past.
    <IconButton aria-label="Refresh" disabled={refresh.isPending} onClick={() => refresh.mutate()}>
      <RefreshCw aria-hidden className={clsx((refresh.isPending || status?.running) && 'animate-spin')} />
    </IconButton>
  )
}
