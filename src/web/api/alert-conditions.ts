import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type AlertCondition, alertConditionEndpoints, type ConditionChange, type NewCondition } from '../../contract/alerts/conditions.ts'
import { type HolidayCountry, holidayCountryEndpoints } from '../../contract/alerts/holiday-country.ts'
import { alertTemplateEndpoints } from '../../contract/alerts/templates.ts'
import { createLimit, pause } from '../lib/concurrency.ts'
import { reloadAlerts } from './alerts.ts'
import { call } from './client.ts'

export const rulesKey = [alertConditionEndpoints.list.path]

/** A property's rules; empty without a property. */
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

/** Makes a copy, switched off. */
export const duplicateCondition = (id: string): Promise<AlertCondition> => call(alertConditionEndpoints.duplicate, { params: { id } })

/** The setting suggested by a rule's ratings; refetched when its criteria or its ratings change. */
export function proposalQuery({ title: _title, isEnabled: _isEnabled, problem: _problem, leftOut: _leftOut, ...criteria }: AlertCondition) {
  const { id } = criteria
  return queryOptions({
    queryKey: [alertConditionEndpoints.proposal.path, criteria],
    queryFn: async ({ signal }) =>
      (await limited(() => call(alertConditionEndpoints.proposal, { params: { id }, signal }), signal)).proposal,
  })
}

/** Each evaluates months of figures: a page full of rules must not hold up everything else. */
const limited = createLimit(5)
const typingMillis = 250

export const backtestPath = alertConditionEndpoints.backtest.path

/** When an unsaved rule would have alerted. `isTyped`: waits for somebody typing to pause. */
export function backtestQuery(property: string, condition: NewCondition, isTyped: boolean) {
  return queryOptions({
    queryKey: [backtestPath, property, condition],
    queryFn: async ({ signal }) => {
      if (isTyped) await pause(typingMillis, signal)
      return limited(() => call(alertConditionEndpoints.backtest, { query: { property }, body: condition, signal }), signal)
    },
  })
}

/** Shows a saved rule at once, so that no second attempt creates it again, and what became of its alerts. */
export function showCondition(client: QueryClient, property: string, saved: AlertCondition): void {
  client.setQueryData(conditionsQuery(property).queryKey, (rules) => {
    if (rules === undefined) return undefined
    return rules.some(({ id }) => id === saved.id) ? rules.map((rule) => (rule.id === saved.id ? saved : rule)) : [...rules, saved]
  })
  void reloadAlerts(client)
}

/** Predefined rules, the same for every property. */
export const templatesQuery = queryOptions({
  queryKey: [alertTemplateEndpoints.list.path],
  queryFn: ({ signal }) => call(alertTemplateEndpoints.list, { signal }),
})

/** The country whose public holidays a property has. */
export function holidayCountryQuery(property: string) {
  return queryOptions({
    queryKey: [holidayCountryEndpoints.read.path, property],
    queryFn: ({ signal }) => call(holidayCountryEndpoints.read, { query: { property }, signal }),
  })
}

/** Null returns to the guess. */
export const saveHolidayCountry = (property: string, country: string | null): Promise<HolidayCountry> =>
  call(holidayCountryEndpoints.save, { query: { property }, body: { country } })
