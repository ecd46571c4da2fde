import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { changeCondition, conditionsQuery, duplicateCondition, removeCondition, showCondition } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { toast } from '../../ui/overlay/toast.ts'

type Named = Pick<AlertCondition, 'id' | 'title'>

/** Switches a rule on or off, or deletes it; both take effect at once. */
export function useOtherRule(property: string, { id, title }: Named) {
  const client = useQueryClient()
  const reload = () => client.invalidateQueries(conditionsQuery(property))
  const turning = useMutation({
    mutationFn: (isEnabled: boolean) => changeCondition(id, { isEnabled }),
    onSuccess: (_rule, isEnabled) => toast.success('Settings Saved', `${title} is ${isEnabled ? 'on' : 'off'}.`),
    onError: (error) => toast.error('Rule Not Changed', failureText(error, 'The rule could not be changed. Please try again.')),
    onSettled: reload,
  })
  const removing = useMutation({
    mutationFn: () => removeCondition(id),
    onSuccess: () => toast.success('Rule Deleted', title),
    onError: (error) => toast.error('Rule Not Deleted', failureText(error, 'The rule could not be deleted. Please try again.')),
    onSettled: reload,
  })
  return {
    turn: turning.mutate,
    /** The state being switched to; null if nothing is pending. */
    turnedTo: turning.isPending ? turning.variables : null,
    remove: removing.mutate,
    isRemoving: removing.isPending,
  }
}

/** Duplicates a rule as saved, and opens the copy. */
export function useDuplicateRule(property: string, open: (id: string) => void) {
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: ({ id }: Named) => duplicateCondition(id),
    onSuccess: (copy) => {
      showCondition(client, property, copy)
      toast.success('Rule Duplicated', `${copy.title} is off until you switch it on.`)
      open(copy.id)
    },
    onError: (error, { title }) =>
      toast.error('Rule Not Duplicated', `${title}: ${failureText(error, 'The rule could not be duplicated. Please try again.')}`),
    onSettled: () => client.invalidateQueries(conditionsQuery(property)),
  })
  return mutate
}
