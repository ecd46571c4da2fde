import { escapeHtml } from '../../lib/http.ts'
import type { Reply } from '../../lib/http.ts'
import { defaultMethod, dollars, productName } from '../billing/invoices.ts'
import type { Customer, PaymentMethod, PortalSession, Subscription } from '../objects/types.ts'
import type { World } from '../world.ts'
import { dayOf, htmlTable, page } from './layout.ts'

export const runningOf = (world: World, customer: string): Subscription[] =>
  world.store.all('subscription').filter((each) => each.customer === customer && ['active', 'past_due', 'unpaid'].includes(each.status))

/** The customer's default card. */
export function cardOf(world: World, customer: Customer): PaymentMethod | undefined {
  const subscription = runningOf(world, customer.id).at(-1)
  const id = customer.invoice_settings.default_payment_method
  return subscription ? defaultMethod(world, subscription) : id === null ? undefined : world.store.find('payment_method', id)
}

const button = (action: string, label: string, subscription = ''): string =>
  `<form method="post"><input type="hidden" name="action" value="${action}"><input type="hidden" name="subscription" value="${subscription}"><button type="submit">${label}</button></form>`

function planSection(world: World, subscription: Subscription): string {
  const [item] = subscription.items.data
  if (!item) return ''
  const price = `${dollars(item.price.unit_amount ?? 0, subscription.currency)} per ${escapeHtml(item.price.recurring?.interval ?? 'month')}`
  const end = dayOf(item.current_period_end)
  const canceled = subscription.cancel_at !== null
  const overdue = subscription.status === 'active' ? '' : '<p class="problem">The last payment failed.</p>'
  return `<section><h2>Current plan</h2><p><strong>${escapeHtml(productName(world, item.price))}</strong><br>${price}</p>${overdue}
<p>${canceled ? `Your plan will be canceled on ${dayOf(subscription.cancel_at ?? item.current_period_end)}.` : `Your plan renews on ${end}.`}</p>
${canceled ? button('renew', 'Renew plan', subscription.id) : button('cancel', 'Cancel plan', subscription.id)}</section>`
}

function cardSection(method: PaymentMethod | undefined, problem: string | null): string {
  const card = method?.card
  const present = card
    ? `<p>${escapeHtml(card.brand.charAt(0).toUpperCase() + card.brand.slice(1))} •••• ${escapeHtml(card.last4)}, expires ${card.exp_month}/${card.exp_year}</p>`
    : '<p class="muted">No card.</p>'
  const field = (name: string, label: string, autocomplete: string) =>
    `<label for="${name}">${label}</label><input id="${name}" name="${name}" inputmode="numeric" autocomplete="${autocomplete}" required>`
  return `<section><h2>Payment method</h2>${present}
<form method="post"><input type="hidden" name="action" value="card">
${field('number', 'Card number', 'cc-number')}${field('expiry', 'Expiration date (MM / YY)', 'cc-exp')}${field('cvc', 'Security code', 'cc-csc')}
${problem === null ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`}
<div><button type="submit" class="primary">Save card</button></div></form></section>`
}

function invoiceSection(world: World, customer: Customer): string {
  const rows = world.store
    .all('invoice')
    .filter((invoice) => invoice.customer === customer.id && invoice.status !== 'draft')
    .toReversed()
    .map((invoice) => [
      `<a href="/i/${invoice.id}">${dayOf(invoice.created)}</a>`,
      escapeHtml(invoice.number ?? ''),
      dollars(invoice.total, invoice.currency),
      escapeHtml(invoice.status ?? ''),
    ])
  const body = rows.length > 0 ? htmlTable(['Date', 'Number', 'Amount', 'Status'], rows) : '<p class="muted">No invoices yet.</p>'
  return `<section><h2>Invoice history</h2>${body}</section>`
}

/** Stripe's page for a customer: plan, card, invoices. */
export function portalPage(world: World, session: PortalSession, customer: Customer, notice: { done?: string; problem?: string }): Reply {
  const back = session.return_url === null ? '' : `<p><a href="${escapeHtml(session.return_url)}">Return</a></p>`
  const plans = runningOf(world, customer.id).map((subscription) => planSection(world, subscription))
  return page(
    'Billing',
    `<main>${back}<h1>Billing</h1><p class="muted">A local stand-in for Stripe’s customer portal, for ${escapeHtml(customer.email ?? customer.id)}.</p>
${notice.done === undefined ? '' : `<p class="done" role="status">${escapeHtml(notice.done)}</p>`}
${plans.join('') || '<section><h2>Current plan</h2><p class="muted">No plan.</p></section>'}
${cardSection(cardOf(world, customer), notice.problem ?? null)}${invoiceSection(world, customer)}</main>`,
  )
}

/** The bank's challenge, shown in the portal itself. */
export function portalQuestion(intent: string): Reply {
  return page(
    '3D Secure 2 Test Page',
    `<main><h1>3D Secure 2 Test Page</h1><section><p>Your bank wants to confirm it's you. This is a local stand-in; no bank is contacted.</p>
<form method="post"><input type="hidden" name="action" value="authenticate"><input type="hidden" name="intent" value="${escapeHtml(intent)}">
<button type="submit" class="primary" name="outcome" value="complete">Complete authentication</button>
<button type="submit" name="outcome" value="fail">Fail authentication</button></form></section></main>`,
  )
}
