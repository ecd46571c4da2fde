import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertCondition, NewCondition } from '../../../contract/alerts/conditions.ts'
import { conditionsQuery, createCondition, showCondition } from '../../api/alert-conditions.ts'
import { toast } from '../../ui/overlay/toast.ts'

/** Creates a rule for a property, and confirms it. */
export function useCreateRule(property: string, onCreated: (rule: AlertCondition) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (condition: NewCondition) => createCondition(property, condition),
    onSuccess: (rule) => {
      showCondition(client, property, rule)
      toast.success('Rule Created', rule.title)
      onCreated(rule)
    },
    onSettled: () => client.invalidateQueries(conditionsQuery(property)),
  })
}
