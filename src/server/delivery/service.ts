import type { DeliverySettings, DeliverySettingsChange } from '../../contract/delivery.ts'
import type { PlanId } from '../../contract/user.ts'
import { defaultFrequency, frequencyInForce, slackInForce } from '../../core/billing/delivery.ts'
import { frequencyRefusal, slackRefusal } from '../../core/billing/entitlements.ts'
import { Refusal } from '../errors.ts'
import type { DeliveryStore, StoredSettings } from './store.ts'

type Owner = { id: string; plan: PlanId }

/** SPEC §9, delivery defaults. */
const switches = { emailEnabled: true, criticalAlerts: true, warningAlerts: true, positiveAlerts: false, slackEnabled: false }

/** How somebody wants to be told of alerts. A choice outlives a plan that covered it: it rests, and is in force again with the next one that does. */
export function createDeliveryService(store: DeliveryStore) {
  return {
    /** What is in force under the present plan; null until somebody has saved some. */
    async inForce(owner: Owner): Promise<DeliverySettings | null> {
      const stored = await store.load(owner.id)
      return stored && inForce(owner.plan, stored)
    },

    /** @throws Refusal 403 for what the plan does not cover, 409 when there are some already */
    async create(owner: Owner, chosen: DeliverySettingsChange): Promise<DeliverySettings> {
      refuseUncovered(owner.plan, chosen)
      const stored = await store.create(owner.id, { ...switches, frequency: defaultFrequency(owner.plan), ...given(chosen) })
      if (!stored) throw new Refusal(409, 'There are preferences already: change those instead.')
      return inForce(owner.plan, stored)
    },

    /** @throws Refusal 400 when nothing is changed, 403 for what the plan does not cover, 404 when there are none */
    async change(owner: Owner, change: DeliverySettingsChange): Promise<DeliverySettings> {
      refuseUncovered(owner.plan, change)
      const changed = given(change)
      if (Object.keys(changed).length === 0) throw new Refusal(400, 'Say which preference is to be changed.')
      const stored = await store.change(owner.id, changed)
      if (!stored) throw new Refusal(404, 'There are no preferences yet.')
      return inForce(owner.plan, stored)
    },

    /** What somebody chose, for their export. */
    async storedOf(userId: string): Promise<Omit<StoredSettings, 'id'> | null> {
      const stored = await store.load(userId)
      if (!stored) return null
      const { id: _id, ...chosen } = stored
      return chosen
    },
  }
}
export type DeliveryService = ReturnType<typeof createDeliveryService>

function refuseUncovered(plan: PlanId, { slackEnabled, frequency }: DeliverySettingsChange): void {
  const slack = slackEnabled === true ? slackRefusal(plan) : null
  if (slack !== null) throw new Refusal(403, slack, 'slackEnabled')
  const often = frequency === undefined ? null : frequencyRefusal(plan, frequency)
  if (often !== null) throw new Refusal(403, often, 'frequency')
}

const inForce = (plan: PlanId, { id, ...chosen }: StoredSettings): DeliverySettings => ({
  id: String(id),
  ...chosen,
  slackEnabled: slackInForce(plan, chosen.slackEnabled),
  frequency: frequencyInForce(plan, chosen.frequency),
})

/** The fields that are there: one given as undefined is one left out. */
const given = (change: DeliverySettingsChange) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<Omit<StoredSettings, 'id'>>
