import { queryOptions, type QueryClient } from '@tanstack/react-query'
import {
  alertConditionEndpoints as endpoints,
  type AlertCondition,
  type ConditionChange,
  type NewCondition,
} from '../../contract/alert-conditions.ts'
import { createTurns, pause } from '../lib/turns.ts'
import { call } from './client.ts'

export const rulesKey = [endpoints.list.path]

/** The rules of a property; of none there are none. */
export function conditionsQuery(property: string | null) {
  return queryOptions({
    queryKey: [endpoints.list.path, property],
    queryFn: ({ signal }) => call(endpoints.list, { query: { property: property ?? undefined }, signal }),
  })
}

export const createCondition = (property: string, condition: NewCondition): Promise<AlertCondition> =>
  call(endpoints.create, { query: { property }, body: condition })

export const changeCondition = (id: string, change: ConditionChange): Promise<AlertCondition> =>
  call(endpoints.change, { params: { id }, body: change })

export const removeCondition = (id: string): Promise<void> => call(endpoints.remove, { params: { id } })

/** A copy, switched off. */
export const duplicateCondition = (id: string): Promise<AlertCondition> => call(endpoints.duplicate, { params: { id } })

/** Another setting that the rated alerts of a rule speak for; asked anew when the rule or its ratings change. */
export function proposalQuery({ id, rated, sensitivity, onlyUnusual, threshold }: AlertCondition) {
  return queryOptions({
    queryKey: [endpoints.proposal.path, id, rated, sensitivity, onlyUnusual, threshold],
    queryFn: async ({ signal }) => (await inTurn(() => call(endpoints.proposal, { params: { id }, signal }), signal)).proposal,
  })
}

/** Each looks through months of figures: those of the conditions that all properties have come together, a page full of rules keeps nothing else waiting. */
const inTurn = createTurns(5)
const typingMillis = 250

/** When an unsaved rule would have alerted. `isTyped`: whoever types is waited for. */
export function backtestQuery(property: string, condition: NewCondition, isTyped: boolean) {
  return queryOptions({
    queryKey: [endpoints.backtest.path, property, condition],
    queryFn: async ({ signal }) => {
      if (isTyped) await pause(typingMillis, signal)
      return inTurn(() => call(endpoints.backtest, { query: { property }, body: condition, signal }), signal)
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
