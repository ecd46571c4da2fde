import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { deliverySettings, deliverySettingsAnswer, type DeliverySettings, type DeliverySettingsChange } from '../../contract/delivery.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { ask, askFor } from './client.ts'

const resource = '/api/delivery-settings'

/** What is in force under a plan, and so belongs to that plan; null until some were saved. */
export function deliveryQuery(plan: HeldPlan) {
  return queryOptions({
    queryKey: [resource, plan],
    queryFn: ({ signal }) => ask(deliverySettingsAnswer, resource, { signal }),
  })
}

export async function reloadDelivery(client: QueryClient): Promise<void> {
  await client.invalidateQueries({ queryKey: [resource] })
}

export const createDelivery = (settings: DeliverySettingsChange): Promise<DeliverySettings> =>
  askFor(deliverySettings, resource, { method: 'POST', body: settings })

export const changeDelivery = (change: DeliverySettingsChange): Promise<DeliverySettings> =>
  askFor(deliverySettings, resource, { method: 'PATCH', body: change })
