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
  /** Whether this installation has an SMS provider. */
  hasSms: boolean
  /** Somebody changed when or where they get messages: reschedule what waits for them. */
  onChanged: (userId: string) => Promise<void>
}

/** The reason for people. */
export const noSmsProvider = "This installation has no SMS provider, so it can't send text messages. Ask your administrator to set one up."

/**
 * How somebody wants to get alerts. A choice outlives the plan that allowed it: it is suspended, and in force again with the next plan that
 * does.
 */
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
    /** The settings in force under the current plan; null until somebody saves some. */
    async inForce({ id, plan }: Owner): Promise<DeliverySettings | null> {
      const stored = await store.load(id)
      return stored && answer(plan, stored)
    },

    /** The settings in force, or defaults with an empty id if nothing was saved. */
    async settingsOf(userId: string, plan: HeldPlan, trx?: Db): Promise<DeliverySettings> {
      const stored = await store.load(userId, trx)
      return stored ? answer(plan, stored) : { id: '', ...defaultDelivery(plan) }
    },

    /** @throws Refusal 403 for what the plan doesn't include, 409 for SMS without a provider and if settings exist already */
    async create(owner: Owner, chosen: DeliverySettingsChange): Promise<DeliverySettings> {
      refuseUncovered(owner.plan, chosen)
      const stored = await store.create(owner.id, { ...defaultDelivery(owner.plan), ...given(chosen) })
      if (!stored) throw new Refusal(409, 'Preferences already exist. Update them instead.')
      await onChanged(owner.id)
      return answer(owner.plan, stored)
    },

    /**
     * @throws Refusal 400 if nothing is changed, 403 for what the plan doesn't include, 404 if there are none, 409 for SMS without a
     * provider
     */
    async change(owner: Owner, change: DeliverySettingsChange): Promise<DeliverySettings> {
      refuseUncovered(owner.plan, change)
      const changed = given(change)
      if (Object.keys(changed).length === 0) throw new Refusal(400, 'Include at least one preference to change.')
      const stored = await store.change(owner.id, changed)
      if (!stored) throw new Refusal(404, 'No preferences exist yet.')
      await onChanged(owner.id)
      return answer(owner.plan, stored)
    },

    /** Switches a channel on as part of another change, which owns the transaction and sends the notice. */
    async switchOn({ id, plan }: Owner, channel: ChannelName, trx: Db): Promise<void> {
      await store.put(id, defaultDelivery(plan), switched(channel, true), trx)
    },

    /** The opposite; if nothing was saved, everything but email is off anyway. */
    async switchOff(userId: string, channel: Exclude<ChannelName, 'email'>, trx: Db): Promise<void> {
      await store.change(userId, switched(channel, false), trx)
    },

    /** Turns email off on behalf of whoever holds the link. */
    async switchEmailOff({ id, plan }: Owner): Promise<void> {
      await store.put(id, defaultDelivery(plan), { emailEnabled: false })
      await onChanged(id)
    },

    /** Somebody's choices, for their export. */
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

/** The given fields: an undefined one counts as left out. */
const given = (change: DeliverySettingsChange) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<ChosenSettings>
