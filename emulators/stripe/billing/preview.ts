import { newId } from '../ids.ts'
import { buildInvoice } from '../objects/invoice.ts'
import type { Invoice, InvoiceLine, Subscription, SubscriptionItem } from '../objects/types.ts'
import { invalid } from '../wire/errors.ts'
import type { World } from '../world.ts'
import { periodLines, settleBalance } from './invoices.ts'
import { customerOf } from './methods.ts'
import { periodEnd } from './periods.ts'
import { prorationLines } from './proration.ts'
import type { ProrationBehavior } from './update.ts'

export interface PreviewedChange {
  readonly items: SubscriptionItem[] | undefined
  readonly proration: ProrationBehavior
  readonly prorationDate: number
  readonly cancels: boolean
}

/** The next invoice, with a hypothetical change. Nothing is stored. */
export function previewInvoice(world: World, subscription: Subscription, change: PreviewedChange): Invoice {
  const customer = customerOf(world, subscription.customer)
  const now = world.clock.seconds()
  const items = change.items ?? subscription.items.data
  const prorations = change.items && change.proration !== 'none' ? prorationLines(world, subscription, items, change.prorationDate) : []
  const waiting = world.store.secrets.pendingLines[subscription.id] ?? []
  const atOnce = change.proration === 'always_invoice' && prorations.length > 0
  if (!atOnce && (change.cancels || subscription.ended_at !== null)) {
    throw invalid(`No upcoming invoices for customer: ${customer.id}`, { code: 'invoice_upcoming_none' })
  }
  const lines = atOnce ? [...waiting, ...prorations] : [...waiting, ...prorations, ...nextPeriod(world, subscription, items)]
  const reason = atOnce ? 'subscription_update' : 'upcoming'
  const invoice = buildInvoice(now, customer, subscription, reason, lines, newId('upcoming_in'))
  const { due, left } = settleBalance(invoice.total, customer.balance)
  const details = invoice.parent?.subscription_details
  if (details && prorations.length > 0) details.subscription_proration_date = change.prorationDate
  return {
    ...invoice,
    amount_due: due,
    amount_remaining: due,
    ending_balance: left,
    next_payment_attempt: atOnce ? now : (subscription.items.data[0]?.current_period_end ?? now),
  }
}

function nextPeriod(world: World, subscription: Subscription, items: readonly SubscriptionItem[]): InvoiceLine[] {
  const [first] = items
  if (!first?.price.recurring) return []
  const start = first.current_period_end
  const end = periodEnd(subscription.billing_cycle_anchor, start, first.price.recurring)
  return periodLines(world, subscription, items, { start, end })
}
