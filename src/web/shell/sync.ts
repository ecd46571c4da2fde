import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SyncStatus } from '../../contract/sync.ts'
import { propertyName } from '../../core/accounts/property-name.ts'
import { failureText } from '../api/client.ts'
import { startSync, syncQuery } from '../api/sync.ts'
import { toast } from '../ui/overlay/toast.ts'
import { useCurrentUser } from './current-user.ts'

/** The sync status of the selected property; null while it is loading or nothing is selected. */
export function useSyncStatus(): SyncStatus | null {
  const { selectedProperty } = useCurrentUser()
  const { data } = useQuery({ ...syncQuery(selectedProperty ?? ''), enabled: selectedProperty !== null })
  return data ?? null
}

/** Fetches a property's new data now. */
export function useRefresh() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: startSync,
    onSuccess: (started, property) => {
      if (started !== null) client.setQueryData(syncQuery(property).queryKey, started)
    },
    onError: (error, property) =>
      toast.error('Refresh Failed', failureText(error, `Couldn't refresh ${propertyName(property)}. Please try again.`)),
  })
}
