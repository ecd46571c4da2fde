import { type DeliverySettings, usualDelivery } from '../../contract/delivery/delivery.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { defaultFrequency } from '../billing/delivery.ts'

/** Alert delivery for people who haven't chosen otherwise. */
export const defaultDelivery = (plan: HeldPlan): Omit<DeliverySettings, 'id' | 'unknownTimeZone'> => ({
  ...usualDelivery,
  frequency: defaultFrequency(plan),
})
