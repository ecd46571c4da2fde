import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type AlertCondition, alertConditionEndpoints, type ConditionChange, type NewCondition } from '../../contract/alerts/conditions.ts'
import { alertTemplateEndpoints } from '../../contract/alerts/templates.ts'
import { createTurns, pause } from '../lib/turns.ts'
import { call } from './client.ts'

export const rulesKey = [alertConditionEndpoints.list.path]

/** The rules of a property; of none there are none. */
export function conditionsQuery(property: string | null) {
  return queryOptions({
    queryKey: [alertConditionEndpoints.list.path, property],
    queryFn: ({ signal }) => call(alertConditionEndpoints.list, { query: { property: property ?? undefined }, signal }),
  })
}

export const createCondition = (property: string, condition: NewCondition): Promise<AlertCondition> =>
  call(alertConditionEndpoints.create, { query: { property }, body: condition })

export const changeCondition = (id: string, change: ConditionChange): Promise<AlertCondition> =>
  call(alertConditionEndpoints.change, { params: { id }, body: change })

export const removeCondition = (id: string): Promise<void> => call(alertConditionEndpoints.remove, { params: { id } })

/** A copy, switched off. */
export const duplicateCondition = (id: string): Promise<AlertCondition> => call(alertConditionEndpoints.duplicate, { params: { id } })

/** Another setting that the rated alerts of a rule speak for; asked anew when the rule or its ratings change. */
export function proposalQuery({ id, rated, sensitivity, onlyUnusual, threshold }: AlertCondition) {
  return queryOptions({
    queryKey: [alertConditionEndpoints.proposal.path, id, rated, sensitivity, onlyUnusual, threshold],
    queryFn: async ({ signal }) =>
      (await inTurn(() => call(alertConditionEndpoints.proposal, { params: { id }, signal }), signal)).proposal,
  })
}

/** Each looks through months of figures: those of the conditions that all properties have come together, a page full of rules keeps nothing else waiting. */
const inTurn = createTurns(5)
const typingMillis = 250

/** When an unsaved rule would have alerted. `isTyped`: whoever types is waited for. */
export function backtestQuery(property: string, condition: NewCondition, isTyped: boolean) {
  return queryOptions({
    queryKey: [alertConditionEndpoints.backtest.path, property, condition],
    queryFn: async ({ signal }) => {
      if (isTyped) await pause(typingMillis, signal)
      return inTurn(() => call(alertConditionEndpoints.backtest, { query: { property }, body: condition, signal }), signal)
    },
  })
}

/** Shows a rule that was saved, at once, so that no second try creates it again. */
export function showCondition(client: QueryClient, property: string, saved: AlertCondition): void {
  client.setQueryData(conditionsQuery(property).queryKey, (rules) => {
    if (rules === undefined) return undefined
    return rules.some(({ id }) => id === saved.id) ? rules.map((rule) => (rule.id === saved.id ? saved : rule)) : [...rules, saved]
  })
}

/** Rules ready to be set up, the same for every property. */
export const templatesQuery = queryOptions({
  queryKey: [alertTemplateEndpoints.list.path],
  queryFn: ({ signal }) => call(alertTemplateEndpoints.list, { signal }),
})
