import type { Subscription } from '../objects/types.ts'
import type { World } from '../world.ts'
import { voidInvoice } from './invoices.ts'
import { dropPendingUpdate } from './update.ts'

export type CancelReason = 'cancellation_requested' | 'payment_failed'

/** Ends a subscription now. One that was never paid for expires instead. @param reason null keeps the existing one */
export function endSubscription(world: World, subscription: Subscription, reason: CancelReason | null): Subscription {
  const now = world.clock.seconds()
  dropPendingUpdate(world, subscription)
  leaveSchedule(world, subscription)
  delete world.store.secrets.pendingLines[subscription.id]
  if (subscription.status === 'incomplete') {
    world.change(subscription, 'customer.subscription.updated', (ended) => {
      ended.status = 'incomplete_expired'
      ended.canceled_at = now
      ended.ended_at = now
    })
    const invoice = subscription.latest_invoice === null ? undefined : world.store.find('invoice', subscription.latest_invoice)
    if (invoice?.status === 'open') voidInvoice(world, invoice)
    return subscription
  }
  world.change(subscription, null, (ended) => {
    ended.status = 'canceled'
    ended.canceled_at ??= now
    ended.ended_at = now
    if (reason) ended.cancellation_details = { comment: null, feedback: null, feedback_option: null, ...ended.cancellation_details, reason }
  })
  for (const invoice of world.store.all('invoice')) {
    // The debt remains, but is no longer collected.
    if (invoice.parent?.subscription_details?.subscription !== subscription.id) continue
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    world.change(invoice, 'invoice.updated', (changed) => {
      changed.auto_advance = false
      changed.next_payment_attempt = null
      changed.automatically_finalizes_at = null
    })
  }
  world.emit('customer.subscription.deleted', subscription)
  return subscription
}

function leaveSchedule(world: World, subscription: Subscription): void {
  const schedule = subscription.schedule === null ? undefined : world.store.find('subscription_schedule', subscription.schedule)
  if (!schedule || schedule.status !== 'active') return
  world.change(schedule, null, (changed) => {
    changed.status = 'canceled'
    changed.canceled_at = world.clock.seconds()
    changed.current_phase = null
  })
  world.emit('subscription_schedule.canceled', schedule)
}
