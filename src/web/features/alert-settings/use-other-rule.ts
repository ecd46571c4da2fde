import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertCondition } from '../../../contract/alert-conditions.ts'
import { changeCondition, conditionsQuery, removeCondition } from '../../api/alert-conditions.ts'
import { failureText } from '../../api/client.ts'
import { toast } from '../../ui/toast.ts'

/** Switches a rule or deletes it; either takes effect at once. */
export function useOtherRule(property: string, { id, title }: AlertCondition) {
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
    /** What it is being switched to; null while it is at rest. */
    turnedTo: turning.isPending ? turning.variables : null,
    remove: removing.mutate,
    isRemoving: removing.isPending,
  }
}
