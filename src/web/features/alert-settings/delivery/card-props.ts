import { type KeyboardEvent, useState } from 'react'
import type { ChannelName, DeliveryChannels } from '../../../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../../../contract/delivery/delivery.ts'
import { channelAvailability, smsRefusal } from '../../../../core/billing/entitlements.ts'
import { plans } from '../../../../core/billing/plans.ts'
import type { HeldPlan } from '../../../../contract/user.ts'
import type { Typed } from './destination-form.ts'
import type { SettingsDraft } from './use-settings-draft.ts'
import type { DeliveryDraft } from './use-delivery-draft.ts'

/** The common input of all cards. */
export type CardProps = Omit<DeliveryDraft, 'isDirty' | 'save'> & { channels: DeliveryChannels }

/** A channel with a destination to connect, test and disconnect; email always has one. */
export type ConnectedChannel = Exclude<ChannelName, 'email'>

/** What is typed to connect a channel: its destination, and what goes with it. */
const inputs: Record<ConnectedChannel, { destination: keyof Typed; other?: keyof Typed }> = {
  slack: { destination: 'webhookUrl', other: 'channel' },
  sms: { destination: 'number', other: 'code' },
  webhook: { destination: 'url' },
}

/** A channel's switch, and connecting or replacing its destination; `save` sends the input and returns whether it was accepted. */
export function useChannel({ plan, draft, destinations, channels }: CardProps, channel: ConnectedChannel, save: () => Promise<boolean>) {
  const { form } = destinations
  const [replacing, setReplacing] = useState(false)
  const field = `${channel}Enabled` as const
  const on = draft.settings[field]
  const locked = lockOf(plan, channel, channels[channel].locked)

  /** Keeps the current destination. */
  function keep(): void {
    setReplacing(false)
    form.resetField(inputs[channel].destination)
  }

  function toggle(turnedOn: boolean): void {
    draft.change({ [field]: turnedOn })
    if (turnedOn) return
    keep()
    const { other } = inputs[channel]
    if (other !== undefined) form.resetField(other)
  }

  return {
    /** The common input of its `ChannelCard`. */
    card: { on, onToggle: toggle, locked, problem: channels[channel].problem, refusal: refusalOf(draft, field) },
    isLocked: locked !== null,
    off: locked !== null || !on,
    replacing,
    replace: () => setReplacing(true),
    keep,
    async connect(): Promise<void> {
      if (await save()) setReplacing(false)
    },
  }
}

/** Why a channel isn't available; null if it is. */
export function lockOf(plan: HeldPlan, channel: ConnectedChannel, locked: string | null) {
  if (plan !== null && !plans[plan][channel]) return { reason: channelAvailability(channel), byPlan: true }
  return locked === null ? null : { reason: locked, byPlan: false }
}

/** OPEN-POINTS 12: if SMS is locked for a reason other than the plan, this installation doesn't have it. */
export const hasSms = (plan: HeldPlan, locked: string | null): boolean => locked === null || locked === smsRefusal(plan)

/** The server's refusal of a field in the last attempt to save. */
export const refusalOf = ({ refusal }: SettingsDraft, ...fields: (keyof DeliverySettings)[]): string | undefined =>
  refusal !== null && fields.some((field) => field === refusal.field) ? refusal.message : undefined

/** The Enter key acts like the button next to the field, not like the form around the whole page. */
export const onEnter = (act: () => unknown) => ({
  onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return
    event.preventDefault()
    act()
  },
})
