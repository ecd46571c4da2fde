import { useMutation, useQueryClient } from '@tanstack/react-query'
import { failureText } from '../api/client.ts'
import { startSync, syncQuery } from '../api/sync.ts'
import { toast } from '../ui/overlay/toast.ts'

/** Fetches what is new for a property now. */
export function useRefresh() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: startSync,
    onSuccess: (started, property) => {
      if (started !== null) client.setQueryData(syncQuery(property).queryKey, started)
    },
    onError: (error, property) => toast.error('Refresh Failed', failureText(error, `Couldn't refresh ${property}. Please try again.`)),
  })
}
