import { newId } from '../ids.ts'
import { buildItem, buildSubscription } from '../objects/subscription.ts'
import type { PaymentMethod, Price, Subscription } from '../objects/types.ts'
import { invalid } from '../wire/errors.ts'
import type { World } from '../world.ts'
import { collect, defaultMethod, draftInvoice, finalize, noCard, periodLines, refuseUnpaid } from './invoices.ts'
import { customerOf } from './methods.ts'
import { periodEnd } from './periods.ts'

export interface NewSubscription {
  readonly customer: string
  readonly items: readonly { readonly price: Price; readonly quantity: number; readonly metadata: Record<string, string> }[]
  readonly behavior: 'allow_incomplete' | 'default_incomplete' | 'error_if_incomplete'
  readonly offSession: boolean
  readonly defaultMethod: PaymentMethod | null
  readonly fields: Partial<Subscription>
}

/** Creates a subscription with its first invoice. It is incomplete until that is paid. */
export function createSubscription(world: World, wanted: NewSubscription): Subscription {
  const customer = customerOf(world, wanted.customer, 'customer')
  const [first] = wanted.items
  const interval = first?.price.recurring
  if (!first || !interval)
    throw invalid('The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.')
  if (wanted.items.some(({ price }) => price.recurring?.interval !== interval.interval || price.currency !== first.price.currency)) {
    throw invalid('All prices on a subscription must have the same interval and currency.')
  }
  if (wanted.defaultMethod && wanted.defaultMethod.customer !== customer.id) {
    throw invalid(
      `The customer does not have a payment method with the ID ${wanted.defaultMethod.id}. The payment method must be attached to the customer.`,
      { param: 'default_payment_method' },
    )
  }
  const now = world.clock.seconds()
  const id = newId('sub')
  const period = { start: now, end: periodEnd(now, now, interval) }
  const items = wanted.items.map((item) => buildItem(now, id, item.price, item.quantity, period, item.metadata))
  const subscription = buildSubscription(
    now,
    {
      ...wanted.fields,
      id,
      customer: customer.id,
      currency: first.price.currency,
      default_payment_method: wanted.defaultMethod?.id ?? null,
    },
    items,
  )
  if (subscription.cancel_at_period_end) {
    subscription.cancel_at = period.end
    subscription.canceled_at = now
    subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason: 'cancellation_requested' }
  }
  const due = items.some((item) => (item.price.unit_amount ?? 0) > 0)
  if (due && wanted.behavior !== 'default_incomplete' && !defaultMethod(world, subscription)) throw noCard(world, customer)

  world.create('subscription', subscription, null)
  const invoice = draftInvoice(world, subscription, 'subscription_create', periodLines(world, subscription, items, period))
  subscription.latest_invoice = invoice.id
  world.emit('customer.subscription.created', subscription)
  finalize(world, invoice)
  if (invoice.status === 'paid' || wanted.behavior === 'default_incomplete') return subscription

  const attempt = collect(world, invoice, { offSession: wanted.offSession })
  if (wanted.behavior === 'error_if_incomplete') refuseUnpaid(world, invoice, attempt)
  return subscription
}
