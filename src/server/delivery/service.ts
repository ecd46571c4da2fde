import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings, DeliverySettingsChange } from '../../contract/delivery/delivery.ts'
import type { HeldPlan } from '../../contract/user.ts'
import { frequencyInForce, slackInForce, smsInForce, webhookInForce } from '../../core/billing/delivery.ts'
import { frequencyRefusal, slackRefusal, smsRefusal, webhookRefusal } from '../../core/billing/entitlements.ts'
import { defaultDelivery } from '../../core/delivery/defaults.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { ChosenSettings, DeliveryStore, StoredSettings } from './store.ts'

export type Owner = { id: string; plan: HeldPlan }

export type DeliveryDeps = {
  store: DeliveryStore
  /** Whether this installation can send text messages. */
  hasSms: boolean
  /** Somebody chose otherwise when or where to be told: what waits for them is scheduled anew. */
  onChanged: (userId: string) => Promise<void>
}

/** Why there is no SMS on an installation, in words. */
export const noSmsProvider = "This installation has no SMS provider, so it can't send text messages."

/** How somebody wants to be told of alerts. A choice outlives a plan that covered it: it rests, and is in force again with the next one that does. */
export function createDeliveryService({ store, hasSms, onChanged }: DeliveryDeps) {
  const inForce = (plan: HeldPlan, chosen: Omit<StoredSettings, 'id'>): Omit<DeliverySettings, 'id'> => ({
    ...chosen,
    slackEnabled: slackInForce(plan, chosen.slackEnabled),
    smsEnabled: hasSms && smsInForce(plan, chosen.smsEnabled),
    webhookEnabled: webhookInForce(plan, chosen.webhookEnabled),
    frequency: frequencyInForce(plan, chosen.frequency),
  })
  const answer = (plan: HeldPlan, { id, ...chosen }: StoredSettings): DeliverySettings => ({ id: String(id), ...inForce(plan, chosen) })

  function refuseUncovered(plan: HeldPlan, { slackEnabled, smsEnabled, webhookEnabled, frequency }: DeliverySettingsChange): void {
    const refuse = (field: string, reason: string | null): void => {
      if (reason !== null) throw new Refusal(403, reason, field)
    }
    if (slackEnabled === true) refuse('slackEnabled', slackRefusal(plan))
    if (smsEnabled === true) refuse('smsEnabled', smsRefusal(plan))
    if (webhookEnabled === true) refuse('webhookEnabled', webhookRefusal(plan))
    if (frequency !== undefined) refuse('frequency', frequencyRefusal(plan, frequency))
    if (smsEnabled === true && !hasSms) throw new Refusal(409, noSmsProvider, 'smsEnabled')
  }

  return {
    /** What is in force under the present plan; null until somebody has saved some. */
    async inForce({ id, plan }: Owner): Promise<DeliverySettings | null> {
      const stored = await store.load(id)
      return stored && answer(plan, stored)
    },

    /** What is in force, with the defaults where nothing was saved; these have an empty id. */
    async settingsOf(userId: string, plan: HeldPlan, trx?: Db): Promise<DeliverySettings> {
      const stored = await store.load(userId, trx)
      return stored ? answer(plan, stored) : { id: '', ...defaultDelivery(plan) }
    },

    /** @throws Refusal 403 for what the plan does not cover, 409 for SMS without a provider and when there are some already */
    async create(owner: Owner, chosen: DeliverySettingsChange): Promise<DeliverySettings> {
      refuseUncovered(owner.plan, chosen)
      const stored = await store.create(owner.id, { ...defaultDelivery(owner.plan), ...given(chosen) })
      if (!stored) throw new Refusal(409, 'Preferences already exist. Update them instead.')
      await onChanged(owner.id)
      return answer(owner.plan, stored)
    },

    /** @throws Refusal 400 when nothing is changed, 403 for what the plan does not cover, 404 when there are none, 409 for SMS without a provider */
    async change(owner: Owner, change: DeliverySettingsChange): Promise<DeliverySettings> {
      refuseUncovered(owner.plan, change)
      const changed = given(change)
      if (Object.keys(changed).length === 0) throw new Refusal(400, 'Include at least one preference to change.')
      const stored = await store.change(owner.id, changed)
      if (!stored) throw new Refusal(404, 'No preferences exist yet.')
      await onChanged(owner.id)
      return answer(owner.plan, stored)
    },

    /** Switches a channel on as part of another change, whose transaction this is and who tells of it. */
    async switchOn({ id, plan }: Owner, channel: ChannelName, trx: Db): Promise<void> {
      await store.put(id, defaultDelivery(plan), switched(channel, true), trx)
    },

    /** The same the other way; where nothing was saved, all but mail is off anyway. */
    async switchOff(userId: string, channel: Exclude<ChannelName, 'email'>, trx: Db): Promise<void> {
      await store.change(userId, switched(channel, false), trx)
    },

    /** No more mail, for whoever holds the link to say so. */
    async switchEmailOff({ id, plan }: Owner): Promise<void> {
      await store.put(id, defaultDelivery(plan), { emailEnabled: false })
      await onChanged(id)
    },

    /** What somebody chose, for their export. */
    async storedOf(userId: string): Promise<ChosenSettings | null> {
      const stored = await store.load(userId)
      if (!stored) return null
      const { id: _id, ...chosen } = stored
      return chosen
    },
  }
}
export type DeliveryService = ReturnType<typeof createDeliveryService>

const switched = (channel: ChannelName, on: boolean): Partial<ChosenSettings> => ({ [`${channel}Enabled`]: on })

/** The fields that are there: one given as undefined is one left out. */
const given = (change: DeliverySettingsChange) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<ChosenSettings>
