import { z } from 'zod'
import { buildItem } from '../objects/subscription.ts'
import type { Price, Subscription, SubscriptionItem } from '../objects/types.ts'
import { changedItem } from '../billing/proration.ts'
import { invalid, missingObject, wrongParam } from '../wire/errors.ts'
import { expand, flag, integer, mergeMetadata, metadata, paging, text, unsettable } from '../wire/params.ts'
import type { World } from '../world.ts'

const paymentSettings = z.strictObject({
  save_default_payment_method: z.enum(['off', 'on_subscription']).optional(),
  payment_method_types: z.array(z.enum(['card'])).optional(),
})
const automaticTax = z.strictObject({ enabled: z.enum(['false']).transform(() => false) })
const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none'])

const createItem = z.strictObject({ price: text, quantity: integer.default(1), metadata: metadata.optional() })
const updateItem = z.strictObject({
  id: text.optional(),
  price: text.optional(),
  quantity: integer.optional(),
  deleted: flag.optional(),
  clear_usage: flag.optional(),
  metadata: metadata.optional(),
})
export type UpdateItem = z.output<typeof updateItem>

const shared = {
  automatic_tax: automaticTax.optional(),
  cancel_at_period_end: flag.optional(),
  collection_method: z.enum(['charge_automatically']).optional(),
  default_payment_method: text.optional(),
  description: unsettable.optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_settings: paymentSettings.optional(),
  proration_behavior: prorationBehavior.optional(),
  expand,
}
export const createParams = z.strictObject({
  ...shared,
  customer: text,
  currency: text.optional(),
  items: z.array(createItem).min(1),
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
    .default('allow_incomplete'),
  billing_mode: z.strictObject({ type: z.enum(['classic', 'flexible']) }).optional(),
})
export const updateParams = z.strictObject({
  ...shared,
  cancel_at: z.union([z.literal('').transform(() => null), integer]).optional(),
  cancellation_details: z.strictObject({ comment: unsettable.optional(), feedback: unsettable.optional() }).optional(),
  items: z.array(updateItem).optional(),
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'])
    .default('allow_incomplete'),
  proration_date: integer.optional(),
})
export type UpdateParams = z.output<typeof updateParams>
export const listParams = z.strictObject({
  ...paging,
  customer: text.optional(),
  price: text.optional(),
  collection_method: text.optional(),
  status: z
    .enum(['active', 'all', 'canceled', 'ended', 'incomplete', 'incomplete_expired', 'past_due', 'paused', 'trialing', 'unpaid'])
    .optional(),
})
export const cancelParams = z.strictObject({
  cancellation_details: z.strictObject({ comment: unsettable.optional(), feedback: unsettable.optional() }).optional(),
  invoice_now: flag.optional(),
  prorate: flag.optional(),
  expand,
})
/** A hypothetical change, as `subscription_details` of a preview. */
export const previewDetails = z.strictObject({
  items: z.array(updateItem).optional(),
  proration_behavior: prorationBehavior.optional(),
  proration_date: integer.optional(),
  cancel_at_period_end: flag.optional(),
  cancel_now: flag.optional(),
})

export function recurringPrice(world: World, id: string, param: string): Price {
  const price = world.store.find('price', id)
  if (!price) throw missingObject('price', id, param)
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', { code: 'resource_missing', param })
  if (!price.recurring) {
    throw wrongParam('The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.', param)
  }
  return price
}

/** A subscription's items with the changes of a call. */
export function changedItems(world: World, subscription: Subscription, changes: readonly UpdateItem[]): SubscriptionItem[] {
  const items = structuredClone(subscription.items.data)
  for (const [at, change] of changes.entries()) {
    const position = items.findIndex((item) => item.id === change.id)
    const known = items[position]
    const price = change.price === undefined ? known?.price : recurringPrice(world, change.price, `items[${at}][price]`)
    if (change.id !== undefined && !known) throw missingObject('subscription_item', change.id, `items[${at}][id]`)
    if (!price) throw wrongParam(`Missing required param: items[${at}][price].`, `items[${at}][price]`, 'parameter_missing')
    if (price.recurring?.interval !== (items[0]?.price.recurring?.interval ?? price.recurring?.interval)) {
      throw invalid('This stand-in does not change the billing interval of a subscription.', { param: `items[${at}][price]` })
    }
    if (known && change.deleted) items.splice(position, 1)
    else if (known) {
      const next = changedItem(known, price, change.quantity ?? known.quantity ?? 1)
      items[position] = { ...next, metadata: mergeMetadata(next.metadata, change.metadata) }
    } else if (items.some((item) => item.price.id === price.id)) {
      throw invalid(`Cannot add multiple subscription items with the same plan: ${price.id}`, { param: `items[${at}][price]` })
    } else {
      const [first] = items
      const period = { start: first?.current_period_start ?? 0, end: first?.current_period_end ?? 0 }
      items.push(buildItem(world.clock.seconds(), subscription.id, price, change.quantity ?? 1, period, mergeMetadata({}, change.metadata)))
    }
  }
  if (items.length === 0)
    throw invalid('A subscription must have at least one active plan. To remove all, cancel the subscription instead.')
  return items
}
