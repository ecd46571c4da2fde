import { buildLine } from '../objects/invoice.ts'
import { planOf } from '../objects/catalog.ts'
import type { InvoiceLine, Price, Subscription, SubscriptionItem } from '../objects/types.ts'
import type { World } from '../world.ts'
import { productName, unitAmount } from './invoices.ts'

const dayOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-GB', { day: '2-digit', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** An item after a change of its price or quantity. */
export function changedItem(item: SubscriptionItem, price: Price, quantity: number): SubscriptionItem {
  return { ...structuredClone(item), price: structuredClone(price), plan: planOf(price), quantity }
}

/**
 * What a mid-period change of items credits and charges, to the second as Stripe counts: credit for the unused time of the old items,
 * charge for the same time of the new ones.
 */
export function prorationLines(world: World, subscription: Subscription, next: readonly SubscriptionItem[], at: number): InvoiceLine[] {
  const credits: InvoiceLine[] = []
  const charges: InvoiceLine[] = []
  for (const item of next) {
    const was = subscription.items.data.find((each) => each.id === item.id)
    if (was && was.price.id === item.price.id && was.quantity === item.quantity) continue
    if (was) credits.push(partLine(world, subscription, was, at, -1))
    charges.push(partLine(world, subscription, item, at, 1))
  }
  const gone = subscription.items.data.filter((was) => !next.some((item) => item.id === was.id))
  return [...credits, ...gone.map((was) => partLine(world, subscription, was, at, -1)), ...charges]
}

function partLine(world: World, subscription: Subscription, item: SubscriptionItem, at: number, sign: 1 | -1): InvoiceLine {
  const { current_period_start: start, current_period_end: end } = item
  const share = Math.min(1, Math.max(0, (end - at) / (end - start)))
  const quantity = item.quantity ?? 1
  const what = `${quantity > 1 ? `${quantity} × ` : ''}${productName(world, item.price)} after ${dayOf(at)}`
  return buildLine({
    subscription: subscription.id,
    item: item.id,
    price: item.price,
    amount: sign * Math.round(unitAmount(item.price) * quantity * share),
    quantity,
    period: { start: at, end },
    description: `${sign < 0 ? 'Unused' : 'Remaining'} time on ${what}`,
    proration: true,
    metadata: subscription.metadata,
  })
}
