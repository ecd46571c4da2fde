import { queryOptions, type QueryClient } from '@tanstack/react-query'
import {
  alertCondition,
  alertConditions,
  type AlertCondition,
  backtestAnswer,
  type ConditionChange,
  type NewCondition,
} from '../../contract/alert-conditions.ts'
import { createTurns, pause } from '../lib/turns.ts'
import { askFor, send } from './client.ts'

const resource = '/api/alert-conditions'
const of = (property: string | null) => (property === null ? resource : `${resource}?property=${encodeURIComponent(property)}`)

/** The rules of a property; of none there are none. */
export function conditionsQuery(property: string | null) {
  return queryOptions({
    queryKey: [resource, property],
    queryFn: ({ signal }) => askFor(alertConditions, of(property), { signal }),
  })
}

export const createCondition = (property: string, condition: NewCondition): Promise<AlertCondition> =>
  askFor(alertCondition, of(property), { method: 'POST', body: condition })

export const changeCondition = (id: string, change: ConditionChange): Promise<AlertCondition> =>
  askFor(alertCondition, `${resource}/${id}`, { method: 'PATCH', body: change })

export async function removeCondition(id: string): Promise<void> {
  await send(`${resource}/${id}`, { method: 'DELETE' })
}

/** A copy, switched off. */
export const duplicateCondition = (id: string): Promise<AlertCondition> =>
  askFor(alertCondition, `${resource}/${id}/duplicate`, { method: 'POST' })

const backtests = `${resource}/backtest`
/** Each looks through months of figures: those of the conditions that all properties have come together, a page full of rules keeps nothing else waiting. */
const inTurn = createTurns(5)
const typingMillis = 250

/** When an unsaved rule would have alerted. `isTyped`: whoever types is waited for. */
export function backtestQuery(property: string, condition: NewCondition, isTyped: boolean) {
  return queryOptions({
    queryKey: [backtests, property, condition],
    queryFn: async ({ signal }) => {
      if (isTyped) await pause(typingMillis, signal)
      const path = `${backtests}?property=${encodeURIComponent(property)}`
      return inTurn(() => askFor(backtestAnswer, path, { method: 'POST', body: condition, signal }), signal)
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
