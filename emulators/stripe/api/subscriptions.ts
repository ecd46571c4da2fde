import { endSubscription } from '../billing/cancel.ts'
import { createSubscription } from '../billing/create.ts'
import { findMethod } from '../billing/methods.ts'
import { refuseFinished, updateSubscription } from '../billing/update.ts'
import type { Subscription } from '../objects/types.ts'
import { invalid, missingObject } from '../wire/errors.ts'
import { pageOf } from '../wire/paging.ts'
import { mergeMetadata, parseParams } from '../wire/params.ts'
import type { World } from '../world.ts'
import type { Route } from './context.ts'
import { retrieveOnly } from './retrieve.ts'
import { cancelParams, changedItems, createParams, listParams, recurringPrice, updateParams } from './subscription-params.ts'
import type { UpdateParams } from './subscription-params.ts'

const ENDED = ['canceled', 'incomplete_expired']

function paymentSettings(
  given: UpdateParams['payment_settings'],
  before: Subscription['payment_settings'],
): Subscription['payment_settings'] {
  return {
    payment_method_options: before?.payment_method_options ?? null,
    payment_method_types: given?.payment_method_types ?? before?.payment_method_types ?? null,
    save_default_payment_method: given?.save_default_payment_method ?? before?.save_default_payment_method ?? 'off',
  }
}

/** What only works with an invoice that may stay unpaid. */
const PENDING_ALLOWS: readonly string[] = [
  'cancel_at_period_end',
  'expand',
  'items',
  'metadata',
  'off_session',
  'payment_behavior',
  'proration_behavior',
  'proration_date',
]

function refuseWithPending(params: UpdateParams): void {
  const given = Object.entries(params).filter(([, value]) => value !== undefined)
  const wrong = given.map(([name]) => name).filter((name) => !PENDING_ALLOWS.includes(name))
  if (params.payment_behavior !== 'pending_if_incomplete' || wrong.length === 0) return
  throw invalid(
    `When \`payment_behavior\` is \`pending_if_incomplete\`, you can only pass parameters supported by pending updates. Unsupported: ${wrong.join(', ')}.`,
    { param: wrong[0] ?? 'payment_behavior' },
  )
}

/** A subscription with a schedule is ended through the schedule. */
function refuseUnderSchedule(subscription: Subscription, params: UpdateParams): void {
  if (subscription.schedule === null || (params.cancel_at_period_end === undefined && params.cancel_at === undefined)) return
  throw invalid(
    `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
  )
}

function applyCancellation(world: World, subscription: Subscription, params: UpdateParams): void {
  const now = world.clock.seconds()
  const at = params.cancel_at_period_end ? (subscription.items.data[0]?.current_period_end ?? now) : params.cancel_at
  if (params.cancel_at_period_end !== undefined) subscription.cancel_at_period_end = params.cancel_at_period_end
  if (params.cancel_at_period_end === undefined && at === undefined) return
  const ends = typeof at === 'number'
  subscription.cancel_at = ends ? at : null
  subscription.canceled_at = ends ? now : null
  const details = { comment: null, feedback: null, feedback_option: null, ...subscription.cancellation_details }
  subscription.cancellation_details = { ...details, reason: ends ? 'cancellation_requested' : null }
}

function update(world: World, subscription: Subscription, params: UpdateParams): Subscription {
  const onlyNotes = Object.entries(params).every(
    ([name, value]) => value === undefined || ['metadata', 'cancellation_details', 'expand', 'payment_behavior'].includes(name),
  )
  if (!onlyNotes) refuseFinished(subscription)
  refuseWithPending(params)
  refuseUnderSchedule(subscription, params)
  if (params.items && subscription.status === 'incomplete') {
    throw invalid('You cannot change the items of a subscription whose first invoice was not paid yet.', { param: 'items' })
  }
  const method =
    params.default_payment_method === undefined ? undefined : findMethod(world, params.default_payment_method, 'default_payment_method')
  if (method && method.customer !== subscription.customer) throw missingObject('payment_method', method.id, 'default_payment_method')
  const pending = params.payment_behavior === 'pending_if_incomplete'
  return updateSubscription(world, subscription, {
    items: params.items && changedItems(world, subscription, params.items),
    proration: params.proration_behavior ?? 'create_prorations',
    prorationDate: params.proration_date ?? world.clock.seconds(),
    payment: params.payment_behavior,
    offSession: params.off_session ?? false,
    pendingCancel: pending ? params.cancel_at_period_end : undefined,
    pendingMetadata: pending && params.metadata !== undefined ? mergeMetadata({}, params.metadata) : undefined,
    apply: (changed) => {
      changed.metadata = mergeMetadata(changed.metadata, params.metadata)
      if (method) changed.default_payment_method = method.id
      if (params.description !== undefined) changed.description = params.description
      if (params.payment_settings) changed.payment_settings = paymentSettings(params.payment_settings, changed.payment_settings)
      applyCancellation(world, changed, params)
      if (params.cancellation_details) {
        const { comment = null, feedback = null } = params.cancellation_details
        changed.cancellation_details = { feedback_option: null, reason: null, ...changed.cancellation_details, comment, feedback }
      }
    },
  })
}

export const subscriptionRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/subscriptions',
    run: ({ world, params: form }) => {
      const params = parseParams(createParams, form)
      const { payment_behavior: behavior } = params
      if (behavior === 'pending_if_incomplete') {
        throw invalid('`pending_if_incomplete` can only be used when updating a subscription.', { param: 'payment_behavior' })
      }
      const items = params.items.map((item, at) => ({
        price: recurringPrice(world, item.price, `items[${at}][price]`),
        quantity: item.quantity,
        metadata: mergeMetadata({}, item.metadata),
      }))
      const create = () =>
        createSubscription(world, {
          customer: params.customer,
          items,
          behavior,
          offSession: params.off_session ?? false,
          defaultMethod:
            params.default_payment_method === undefined ? null : findMethod(world, params.default_payment_method, 'default_payment_method'),
          fields: {
            metadata: mergeMetadata({}, params.metadata),
            description: params.description ?? null,
            cancel_at_period_end: params.cancel_at_period_end ?? false,
            payment_settings: paymentSettings(params.payment_settings, null),
          },
        })
      return behavior === 'error_if_incomplete' ? world.store.atomically(create) : create()
    },
  },
  {
    method: 'GET',
    path: '/v1/subscriptions',
    run: ({ world, params: form }) => {
      const params = parseParams(listParams, form)
      if (params.customer !== undefined) world.store.get('customer', params.customer, 'customer')
      const wanted = (status: string): boolean => {
        if (params.status === undefined) return !ENDED.includes(status)
        return params.status === 'all' || (params.status === 'ended' ? ENDED.includes(status) : status === params.status)
      }
      const found = world.store
        .all('subscription')
        .filter(
          (each) =>
            wanted(each.status) &&
            (params.customer === undefined || each.customer === params.customer) &&
            (params.price === undefined || each.items.data.some((item) => item.price.id === params.price)),
        )
      return pageOf(found, params, '/v1/subscriptions')
    },
  },
  retrieveOnly('subscription', '/v1/subscriptions/:'),
  {
    method: 'POST',
    path: '/v1/subscriptions/:',
    run: ({ world, params: form }, id) => {
      const params = parseParams(updateParams, form)
      const change = () => update(world, world.store.get('subscription', id), params)
      return params.payment_behavior === 'error_if_incomplete' ? world.store.atomically(change) : change()
    },
  },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/:',
    run: ({ world, params: form }, id) => {
      const { cancellation_details: details } = parseParams(cancelParams, form)
      const subscription = world.store.get('subscription', id)
      // As with Stripe: this call doesn't find an ended subscription.
      if (subscription.ended_at !== null) throw missingObject('subscription', id)
      if (details) {
        const { comment = null, feedback = null } = details
        subscription.cancellation_details = { feedback_option: null, reason: null, ...subscription.cancellation_details, comment, feedback }
      }
      return endSubscription(world, subscription, 'cancellation_requested')
    },
  },
]
