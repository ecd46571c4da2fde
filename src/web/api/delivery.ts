import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { deliveryEndpoints as endpoints, type DeliverySettings, type DeliverySettingsChange } from '../../contract/delivery.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { call } from './client.ts'

const key = [endpoints.read.path]

/** What is in force under a plan, and so belongs to that plan; null until some were saved. */
export const deliveryQuery = (plan: HeldPlan) =>
  queryOptions({ queryKey: [...key, plan], queryFn: ({ signal }) => call(endpoints.read, { signal }) })

export const reloadDelivery = (client: QueryClient): Promise<void> => client.invalidateQueries({ queryKey: key })

export const createDelivery = (settings: DeliverySettingsChange): Promise<DeliverySettings> => call(endpoints.create, { body: settings })

export const changeDelivery = (change: DeliverySettingsChange): Promise<DeliverySettings> => call(endpoints.change, { body: change })
