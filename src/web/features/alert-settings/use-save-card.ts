import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertCondition } from '../../../contract/alert-conditions.ts'
import { changeCondition, conditionsQuery, createCondition } from '../../api/alert-conditions.ts'
import { type CardValues, changesOf, fieldsOf } from './card-values.ts'
import type { RuleCard } from './condition-cards.ts'

type Saving = { card: RuleCard; before: CardValues; after: CardValues }

/** Creates the rule of a card that has none yet, or changes what is other than before. */
export function useSaveCard(property: string) {
  const client = useQueryClient()
  const { queryKey } = conditionsQuery(property)
  const { mutateAsync } = useMutation({
    mutationFn: (saving: Saving) => saveCard(property, saving),
    onSuccess: (saved) => {
      if (saved === null) return
      // At once, so that no second try creates it again.
      client.setQueryData(queryKey, (rules = []) =>
        rules.some(({ id }) => id === saved.id) ? rules.map((rule) => (rule.id === saved.id ? saved : rule)) : [...rules, saved],
      )
    },
    // A rule may have been deleted elsewhere.
    onError: () => void client.invalidateQueries({ queryKey }),
  })
  return mutateAsync
}

async function saveCard(property: string, { card: { type, rule }, before, after }: Saving): Promise<AlertCondition | null> {
  if (rule === null) return createCondition(property, { type, ...fieldsOf(after) })
  // A rule that is not understood is mended by saving all of it again.
  const change = rule.problem === null ? changesOf(before, after) : fieldsOf(after)
  return Object.keys(change).length === 0 ? null : changeCondition(rule.id, change)
}
