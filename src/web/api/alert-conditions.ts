import { queryOptions } from '@tanstack/react-query'
import {
  alertCondition,
  alertConditions,
  type AlertCondition,
  type ConditionChange,
  type NewCondition,
} from '../../contract/alert-conditions.ts'
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
