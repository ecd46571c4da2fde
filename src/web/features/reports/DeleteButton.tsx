import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { failureText } from '../../api/client.ts'
import { reloadPublished, remove } from '../../api/reports.ts'
import { ConfirmButton } from '../../ui/overlay/ConfirmDialog.tsx'
import { toast } from '../../ui/overlay/toast.ts'

type DeleteButtonProps = Pick<ComponentProps<typeof ConfirmButton>, 'title' | 'description' | 'confirm'> & {
  id: string
  removing: ReturnType<typeof useRemove>
}

/** Deletes an item of the person's own after a confirmation. */
export function DeleteButton({ id, removing, ...question }: DeleteButtonProps) {
  return (
    <ConfirmButton {...question} pending={removing.isPending} onConfirm={(close) => removing.mutate(id, { onSettled: close })}>
      <Trash2 aria-hidden />
      Delete
    </ConfirmButton>
  )
}

/** Deletes an item of a list, and shows the list without it. */
export function useRemove(what: Parameters<typeof remove>[0], titles: { done: string; failed: string }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => remove(what, id),
    onSuccess: async () => {
      // Deleting a client also deletes its schedules and links.
      await reloadPublished(client, 'clients', 'schedules', 'shares')
      toast.success(titles.done)
    },
    onError: (error) => toast.error(titles.failed, failureText(error, 'Please try again.')),
  })
}
