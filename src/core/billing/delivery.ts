import { type DeliveryFrequency, deliveryFrequency } from '../../contract/delivery/delivery.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { frequencyRefusal, slackRefusal, smsRefusal, webhookRefusal } from './entitlements.ts'

/** Most frequent first. */
const frequencies: readonly DeliveryFrequency[] = deliveryFrequency.options

/** The default: the most frequent digest of the plan. Instant alerts interrupt, so nobody gets them without asking. */
export function defaultFrequency(plan: HeldPlan): DeliveryFrequency {
  return frequencyInForce(plan, 'daily')
}

/** The choice as the plan allows it: unchanged, or the most frequent allowed one that is less frequent. */
export function frequencyInForce(plan: HeldPlan, chosen: DeliveryFrequency): DeliveryFrequency {
  const rarer = frequencies.slice(frequencies.indexOf(chosen))
  return rarer.find((frequency) => frequencyRefusal(plan, frequency) === null) ?? chosen
}

export const slackInForce = (plan: HeldPlan, chosen: boolean): boolean => chosen && slackRefusal(plan) === null
export const smsInForce = (plan: HeldPlan, chosen: boolean): boolean => chosen && smsRefusal(plan) === null
export const webhookInForce = (plan: HeldPlan, chosen: boolean): boolean => chosen && webhookRefusal(plan) === null
