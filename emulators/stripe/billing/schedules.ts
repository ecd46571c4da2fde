import { buildItem, buildPhase, buildSchedule } from '../objects/subscription.ts'
import type { Schedule, SchedulePhase, Subscription, SubscriptionItem } from '../objects/types.ts'
import { invalid } from '../wire/errors.ts'
import type { World } from '../world.ts'
import { endSubscription } from './cancel.ts'
import { changedItem } from './proration.ts'
import { updateSubscription } from './update.ts'
import type { ProrationBehavior } from './update.ts'

/** A schedule whose only phase is the subscription's current period. */
export function scheduleFrom(world: World, subscription: Subscription): Schedule {
  if (subscription.schedule !== null) {
    throw invalid(
      `You cannot migrate a subscription that is already attached to a schedule. The subscription is already attached to schedule: ${subscription.schedule}`,
    )
  }
  const [first] = subscription.items.data
  if (!first || !['active', 'past_due', 'trialing'].includes(subscription.status)) {
    throw invalid(`You can not migrate a subscription to a schedule if it is in \`${subscription.status}\` status.`)
  }
  const phase = buildPhase({
    start_date: first.current_period_start,
    end_date: first.current_period_end,
    currency: subscription.currency,
    items: subscription.items.data.map((item) => phaseItem(item.price.id, item.quantity ?? 1)),
  })
  const schedule = world.create('subscription_schedule', buildSchedule(world.clock.seconds(), subscription, phase))
  world.change(subscription, 'customer.subscription.updated', (changed) => (changed.schedule = schedule.id))
  return schedule
}

export function phaseItem(price: string, quantity: number): SchedulePhase['items'][number] {
  return { billing_thresholds: null, discounts: [], metadata: {}, plan: price, price, quantity, tax_rates: [] }
}

/** A phase's items: an item keeps its id if only its price changes. */
function itemsOf(world: World, subscription: Subscription, phase: SchedulePhase): SubscriptionItem[] {
  return phase.items.map((wanted, at) => {
    const price = world.store.get('price', wanted.price, 'phases')
    const same = subscription.items.data.find((item) => item.price.id === price.id) ?? subscription.items.data[at]
    const quantity = wanted.quantity ?? 1
    if (same) return changedItem(same, price, quantity)
    const [first] = subscription.items.data
    const period = { start: first?.current_period_start ?? phase.start_date, end: first?.current_period_end ?? phase.end_date }
    return buildItem(world.clock.seconds(), subscription.id, price, quantity, period)
  })
}

/** Applies a phase to a subscription. */
export function enterPhase(world: World, subscription: Subscription, phase: SchedulePhase): void {
  const items = itemsOf(world, subscription, phase)
  const same = subscription.items.data.map((item) => `${item.price.id} ${item.quantity}`).join()
  if (items.map((item) => `${item.price.id} ${item.quantity}`).join() === same) return
  const now = world.clock.seconds()
  const atBoundary = subscription.items.data.every((item) => item.current_period_end <= now || item.current_period_start >= now)
  updateSubscription(world, subscription, {
    items,
    proration: atBoundary ? 'none' : (phase.proration_behavior as ProrationBehavior),
    prorationDate: now,
    payment: 'allow_incomplete',
    offSession: true,
    apply: () => undefined,
    pendingMetadata: undefined,
  })
}

/** The current phase is over: starts the next one, or ends the schedule. */
export function nextPhase(world: World, schedule: Schedule): void {
  const over = schedule.current_phase
  const next = over && schedule.phases.find((phase) => phase.start_date >= over.end_date)
  const subscription = schedule.subscription === null ? undefined : world.store.find('subscription', schedule.subscription)
  if (!subscription) {
    world.change(schedule, 'subscription_schedule.updated', (changed) => (changed.current_phase = null))
    return
  }
  if (next) {
    world.change(schedule, 'subscription_schedule.updated', (changed) => {
      changed.current_phase = { start_date: next.start_date, end_date: next.end_date }
    })
    enterPhase(world, subscription, next)
    return
  }
  if (schedule.end_behavior !== 'cancel') {
    releaseSchedule(world, schedule)
    return
  }
  world.change(schedule, null, (changed) => {
    changed.status = 'completed'
    changed.completed_at = world.clock.seconds()
    changed.current_phase = null
  })
  world.emit('subscription_schedule.completed', schedule)
  endSubscription(world, subscription, null)
}

/** Releases the subscription, which continues unchanged. */
export function releaseSchedule(world: World, schedule: Schedule): Schedule {
  requireRunning(schedule, 'release')
  const id = schedule.subscription
  world.change(schedule, null, (changed) => {
    changed.status = 'released'
    changed.released_at = world.clock.seconds()
    changed.released_subscription = id
    changed.subscription = null
    changed.current_phase = null
  })
  const subscription = id === null ? undefined : world.store.find('subscription', id)
  if (subscription) world.change(subscription, 'customer.subscription.updated', (changed) => (changed.schedule = null))
  world.emit('subscription_schedule.released', schedule)
  return schedule
}

/** Ends the schedule and its subscription immediately. */
export function cancelSchedule(world: World, schedule: Schedule): Schedule {
  requireRunning(schedule, 'cancel')
  const subscription = schedule.subscription === null ? undefined : world.store.find('subscription', schedule.subscription)
  // Ending a subscription ends its schedule.
  if (subscription) endSubscription(world, subscription, 'cancellation_requested')
  return schedule
}

export function requireRunning(schedule: Schedule, what: 'release' | 'cancel' | 'update'): void {
  if (schedule.status === 'active' || schedule.status === 'not_started') return
  throw invalid(
    `You cannot ${what} a subscription schedule that is currently in the \`${schedule.status}\` status. It must be \`not_started\` or \`active\`.`,
  )
}
