import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertCondition } from '../../../contract/alerts/conditions.ts'
import { changeCondition, conditionsQuery, createCondition, showCondition } from '../../api/alert-conditions.ts'
import { changesOf, fieldsOf, type RuleValues } from '../../widgets/rule-form/rule-values.ts'
import type { RuleCard } from './condition-cards.ts'

type Saving = { card: RuleCard; before: RuleValues; after: RuleValues }

/** Creates a card's missing rule, or saves its changes. */
export function useSaveCard(property: string) {
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: (saving: Saving) => saveCard(property, saving),
    onSuccess: (saved) => {
      if (saved !== null) showCondition(client, property, saved)
    },
    // The rule may have been deleted elsewhere.
    onError: () => client.invalidateQueries(conditionsQuery(property)),
  })
  return mutateAsync
}

async function saveCard(property: string, { card: { type, rule }, before, after }: Saving): Promise<AlertCondition | null> {
  if (rule === null) return createCondition(property, { type, ...fieldsOf(after) })
  // A rule that can't be read is repaired by saving all of it again.
  const change = rule.problem === null ? changesOf(before, after) : fieldsOf(after)
  return Object.keys(change).length === 0 ? null : changeCondition(rule.id, change)
}
