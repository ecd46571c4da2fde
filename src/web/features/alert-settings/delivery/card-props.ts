import type { KeyboardEvent } from 'react'
import type { DeliveryChannels } from '../../../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../../../contract/delivery/delivery.ts'
import { channelAvailability, smsRefusal } from '../../../../core/billing/entitlements.ts'
import { plans } from '../../../../core/billing/plans.ts'
import type { HeldPlan } from '../../../../contract/user.ts'
import type { SettingsDraft } from './use-settings-draft.ts'
import type { DeliveryDraft } from './use-delivery-draft.ts'

/** The common input of all cards. */
export type CardProps = Omit<DeliveryDraft, 'isDirty' | 'save'> & { channels: DeliveryChannels }

/** Why a channel isn't available; null if it is. */
export function lockOf(plan: HeldPlan, channel: 'slack' | 'sms' | 'webhook', locked: string | null) {
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
