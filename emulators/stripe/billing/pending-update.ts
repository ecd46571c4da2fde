import type { Subscription, SubscriptionItem } from '../objects/types.ts'
import type { World } from '../world.ts'

const HOURS_TO_PAY = 23

/** Records a change that takes effect once its invoice is paid. */
export function setPendingUpdate(
  world: World,
  subscription: Subscription,
  { items, metadata, cancels }: { items: SubscriptionItem[]; metadata: Record<string, string> | null; cancels: boolean | null },
): void {
  subscription.pending_update = {
    billing_cycle_anchor: null,
    cancel_at_period_end: cancels,
    discount: null,
    discounts: null,
    expires_at: world.clock.seconds() + HOURS_TO_PAY * 3600,
    metadata,
    subscription_items: items,
    trial_end: null,
    trial_from_plan: null,
  }
}

/** Applies the recorded change. */
export function applyPendingUpdate(subscription: Subscription): void {
  const update = subscription.pending_update
  if (!update) return
  if (update.subscription_items) subscription.items.data = structuredClone(update.subscription_items)
  if (update.metadata) subscription.metadata = { ...subscription.metadata, ...update.metadata }
  if (update.cancel_at_period_end !== null) {
    const cancels = update.cancel_at_period_end
    subscription.cancel_at_period_end = cancels
    subscription.cancel_at = cancels ? (subscription.items.data[0]?.current_period_end ?? null) : null
    subscription.canceled_at = cancels ? update.expires_at - HOURS_TO_PAY * 3600 : null
  }
  subscription.pending_update = null
}
