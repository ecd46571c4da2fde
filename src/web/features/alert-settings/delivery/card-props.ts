import type { KeyboardEvent } from 'react'
import type { DeliveryChannels } from '../../../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../../../contract/delivery/delivery.ts'
import { channelAvailability, smsRefusal } from '../../../../core/billing/entitlements.ts'
import { plans } from '../../../../core/billing/plans.ts'
import type { HeldPlan } from '../../../../contract/user.ts'
import type { SettingsDraft } from './use-settings-draft.ts'
import type { DeliveryDraft } from './use-delivery-draft.ts'

/** What every card works on. */
export type CardProps = Omit<DeliveryDraft, 'isDirty' | 'save'> & { channels: DeliveryChannels }

/** Why a channel cannot be had; null when it can. */
export function lockOf(plan: HeldPlan, channel: 'slack' | 'sms' | 'webhook', locked: string | null) {
  if (plan !== null && !plans[plan][channel]) return { reason: channelAvailability(channel), byPlan: true }
  return locked === null ? null : { reason: locked, byPlan: false }
}

/** OPEN-POINTS 12: locked for another reason than the plan, SMS is something that this installation does not have. */
export const hasSms = (plan: HeldPlan, locked: string | null): boolean => locked === null || locked === smsRefusal(plan)

/** What the server said of a field the last time it refused to save. */
export const refusalOf = ({ refusal }: SettingsDraft, ...fields: (keyof DeliverySettings)[]): string | undefined =>
  refusal !== null && fields.some((field) => field === refusal.field) ? refusal.message : undefined

/** The Enter key does what the button beside the field does, and not what the form around the whole page does. */
export const onEnter = (act: () => unknown) => ({
  onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter') return
    event.preventDefault()
    act()
  },
})
