import type { DeliverySettings } from '../../contract/delivery.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { defaultFrequency } from '../billing/delivery.ts'

/** SPEC §9, delivery defaults; what it does not name is off, or as most people have it. */
const usual = {
  emailEnabled: true,
  criticalAlerts: true,
  warningAlerts: true,
  positiveAlerts: false,
  slackEnabled: false,
  smsEnabled: false,
  webhookEnabled: false,
  timeZone: 'UTC',
  digestHour: 8,
  digestWeekday: 1,
  digestWhenQuiet: true,
  quietHours: null,
}

/** How somebody is told of alerts who has not chosen otherwise. */
export const defaultDelivery = (plan: HeldPlan): Omit<DeliverySettings, 'id'> => ({ ...usual, frequency: defaultFrequency(plan) })
