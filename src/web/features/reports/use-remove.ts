import { useMutation, useQueryClient } from '@tanstack/react-query'
import { failureText } from '../../api/client.ts'
import { reloadPublished, remove } from '../../api/publishing.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Deletes one of a list, and shows the list without it. */
export function useRemove(what: Parameters<typeof remove>[0], titles: { done: string; failed: string }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => remove(what, id),
    onSuccess: async () => {
      // A client takes its schedules and links along.
      await reloadPublished(client, 'clients', 'schedules', 'shares')
      toast.success(titles.done)
    },
    onError: (error) => toast.error(titles.failed, failureText(error, 'Please try again.')),
  })
}
