import type { Stripe } from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorOf, newSubscription, openBench, paidSubscription } from '../testing.ts'
import type { Bench } from '../testing.ts'

let bench: Bench
let agency: string

beforeEach(async () => {
  bench = await openBench({ now: () => Date.parse('2026-03-01T12:00:00Z') })
  agency = (await bench.price('ranklark_agency_monthly')).id
})
afterEach(() => bench.close())

const latest = (type: string) => bench.received.findLast((event) => event.type === type)

test('a first payment: incomplete, then active, with events', async () => {
  const { subscription, invoice, customer, item } = await newSubscription(bench, { metadata: { plan: 'pro' } })
  expect(subscription).toMatchObject({
    status: 'incomplete',
    metadata: { plan: 'pro' },
    cancel_at_period_end: false,
    billing_mode: { type: 'flexible' },
  })
  expect(subscription.items.data[0]).toMatchObject({
    id: item,
    current_period_start: Date.parse('2026-03-01T12:00:00Z') / 1000,
    current_period_end: Date.parse('2026-04-01T12:00:00Z') / 1000,
  })
  expect(invoice).toMatchObject({
    status: 'open',
    billing_reason: 'subscription_create',
    amount_due: 900,
    parent: { subscription_details: { subscription: subscription.id, metadata: { plan: 'pro' } } },
  })
  expect(await bench.types()).toEqual([
    'customer.created',
    'invoice.created',
    'customer.subscription.created',
    'payment_intent.created',
    'invoice.finalized',
  ])
  await bench.control('POST', 'pay', { subscription: subscription.id })
  expect(await bench.types()).toEqual([
    'payment_method.attached',
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoice_payment.paid',
    'customer.subscription.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
  ])
  expect(latest('customer.subscription.updated')?.data).toMatchObject({
    object: { status: 'active', customer: customer.id },
    previous_attributes: { status: 'incomplete', default_payment_method: null },
  })
})

test('a first payment not made within 23 hours expires', async () => {
  const { subscription, invoice } = await newSubscription(bench)
  await bench.control('POST', 'advance', { hours: 22 })
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete')
  await bench.control('POST', 'advance', { hours: 2 })
  expect(await bench.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    status: 'incomplete_expired',
    ended_at: expect.any(Number),
  })
  expect((await bench.stripe.invoices.retrieve(invoice.id)).status).toBe('void')
  expect(latest('customer.subscription.updated')?.data.previous_attributes).toMatchObject({ status: 'incomplete' })
  expect(await bench.types()).toContain('invoice.voided')
})

test('without a card, or with a declined one, only what was requested happens', async () => {
  const { stripe } = bench
  const customer = await stripe.customers.create()
  const items = [{ price: agency }]
  expect(await errorOf(stripe.subscriptions.create({ customer: customer.id, items }))).toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
  })
  const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: bad.id } })
  expect(
    await errorOf(stripe.subscriptions.create({ customer: customer.id, items, payment_behavior: 'error_if_incomplete' })),
  ).toMatchObject({
    statusCode: 402,
    code: 'card_declined',
  })
  expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([])
  expect((await stripe.subscriptions.create({ customer: customer.id, items })).status).toBe('incomplete')
  expect((await stripe.subscriptions.list({ customer: customer.id, status: 'incomplete' })).data).toHaveLength(1)
})

test('an upgrade costs the difference for the rest of the period, as in the preview', async () => {
  const { subscription, item } = await paidSubscription(bench)
  await bench.control('POST', 'advance', { days: 15, hours: 12 })
  const proration_date = Date.parse('2026-03-17T00:00:00Z') / 1000
  const change = { items: [{ id: item, price: agency }], proration_behavior: 'always_invoice' as const, proration_date }
  const preview = await bench.stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: change })
  expect(preview.lines.data.map(({ amount, description }) => [amount, description])).toEqual([
    [-450, 'Unused time on Ranklark Pro after 17 Mar 2026'],
    [1450, 'Remaining time on Ranklark Agency after 17 Mar 2026'],
  ])
  expect(preview).toMatchObject({
    amount_due: 1000,
    status: 'draft',
    parent: { subscription_details: { subscription_proration_date: proration_date } },
  })
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).items.data[0]?.price.lookup_key).toBe('ranklark_pro_monthly')

  const changed = await bench.stripe.subscriptions.update(subscription.id, {
    ...change,
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  })
  expect(changed.items.data[0]).toMatchObject({ id: item, price: { lookup_key: 'ranklark_agency_monthly' } })
  expect(changed).toMatchObject({
    status: 'active',
    pending_update: null,
    latest_invoice: { status: 'paid', amount_paid: 1000, billing_reason: 'subscription_update' },
  })
  await bench.types()
  expect(latest('customer.subscription.updated')?.data.previous_attributes).toHaveProperty('items')
})

test('a preview without a change is the next renewal', async () => {
  const { subscription } = await paidSubscription(bench)
  const preview = await bench.stripe.invoices.createPreview({ subscription: subscription.id })
  expect(preview).toMatchObject({ amount_due: 900, billing_reason: 'upcoming' })
  expect(preview.lines.data[0]?.period.start).toBe(subscription.items.data[0]?.current_period_end)
})

test('an upgrade with a pending payment waits, and happens once it is paid', async () => {
  const { subscription, item } = await paidSubscription(bench, '4000002760003184')
  const change = {
    items: [{ id: item, price: agency }],
    proration_behavior: 'always_invoice' as const,
    payment_behavior: 'pending_if_incomplete' as const,
  }
  const waiting = await bench.stripe.subscriptions.update(subscription.id, {
    ...change,
    metadata: { plan: 'agency' },
    expand: ['latest_invoice.confirmation_secret'],
  })
  const { data } = waiting.items
  expect(data[0]?.price.lookup_key).toBe('ranklark_pro_monthly')
  expect(waiting).toMatchObject({
    status: 'active',
    metadata: {},
    pending_update: { metadata: { plan: 'agency' }, subscription_items: [{ id: item, price: { lookup_key: 'ranklark_agency_monthly' } }] },
    latest_invoice: { status: 'open', amount_due: 2000 },
  })
  const secret = (waiting.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret ?? ''
  expect((await bench.stripe.paymentIntents.retrieve(secret.split('_secret_')[0] ?? '')).status).toBe('requires_action')
  await fetch(`${bench.standIn.url}/v3/challenge`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: secret, outcome: 'complete' }),
  })
  const applied = await bench.stripe.subscriptions.retrieve(subscription.id)
  expect(applied).toMatchObject({ pending_update: null, metadata: { plan: 'agency' } })
  expect(applied.items.data[0]?.price.lookup_key).toBe('ranklark_agency_monthly')
  expect(await bench.types()).toContain('customer.subscription.pending_update_applied')
})

test('an unpaid upgrade is dropped after 23 hours', async () => {
  const { subscription, item, customer } = await paidSubscription(bench)
  await bench.control('PUT', 'card', { customer: customer.id, problem: 'insufficient_funds' })
  await bench.types()
  const waiting = await bench.stripe.subscriptions.update(subscription.id, {
    items: [{ id: item, price: agency }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
  expect(waiting).toMatchObject({ status: 'active', pending_update: { expires_at: expect.any(Number) } })
  await bench.control('POST', 'advance', { hours: 24 })
  expect(await bench.types()).toEqual(
    expect.arrayContaining(['invoice.payment_failed', 'invoice.voided', 'customer.subscription.pending_update_expired']),
  )
  const after = await bench.stripe.subscriptions.retrieve(subscription.id)
  expect(after).toMatchObject({ status: 'active', pending_update: null })
  expect(after.items.data[0]?.price.lookup_key).toBe('ranklark_pro_monthly')
})

test('error_if_incomplete changes nothing if the card is declined', async () => {
  const { subscription, item, customer } = await paidSubscription(bench)
  await bench.control('PUT', 'card', { customer: customer.id })
  const change = { items: [{ id: item, price: agency }], proration_behavior: 'always_invoice' as const }
  expect(
    await errorOf(bench.stripe.subscriptions.update(subscription.id, { ...change, payment_behavior: 'error_if_incomplete' })),
  ).toMatchObject({ statusCode: 402 })
  const after = await bench.stripe.subscriptions.retrieve(subscription.id)
  expect(after.items.data[0]?.price.lookup_key).toBe('ranklark_pro_monthly')
  expect((await bench.stripe.subscriptions.update(subscription.id, change)).status).toBe('past_due')
})

test('prorations not billed immediately wait for the renewal; credit is used for it', async () => {
  const { subscription, item } = await paidSubscription(bench)
  await bench.control('POST', 'advance', { days: 15, hours: 12 })
  await bench.stripe.subscriptions.update(subscription.id, { items: [{ id: item, price: agency }] })
  await bench.control('POST', 'advance', { days: 16 })
  const renewed = await bench.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(renewed.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 2900 + 1000, billing_reason: 'subscription_cycle' })

  const { id: pro } = await bench.price('ranklark_pro_monthly')
  await bench.stripe.subscriptions.update(subscription.id, { items: [{ id: item, price: pro }], proration_behavior: 'always_invoice' })
  const customer = (await bench.stripe.customers.retrieve(renewed.customer as string)) as Stripe.Customer
  expect(customer.balance).toBeLessThan(-1800)
  await bench.control('POST', 'advance', { days: 31 })
  const { data } = await bench.stripe.invoices.list({ customer: customer.id, status: 'paid', limit: 1 })
  expect(data[0]).toMatchObject({ total: 900, amount_due: 0, amount_paid: 0 })
})

test('canceled at the end of the period it continues until then; immediately it ends now', async () => {
  const { stripe } = bench
  const { subscription } = await paidSubscription(bench)
  const end = subscription.items.data[0]?.current_period_end
  const cancelled = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  expect(cancelled).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
    cancel_at: end,
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect(await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })).toMatchObject({
    cancel_at: null,
    canceled_at: null,
  })
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await bench.types()
  await bench.control('POST', 'advance', { days: 32 })
  expect(await bench.types()).toEqual(['customer.subscription.deleted'])
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled', ended_at: end })
  expect((await stripe.subscriptions.list({ customer: subscription.customer as string })).data).toEqual([])
  expect((await stripe.subscriptions.list({ customer: subscription.customer as string, status: 'all' })).data).toHaveLength(1)

  const other = await paidSubscription(bench)
  expect((await stripe.subscriptions.cancel(other.subscription.id, { prorate: false })).status).toBe('canceled')
  expect(await errorOf(stripe.subscriptions.cancel(other.subscription.id))).toMatchObject({ statusCode: 404 })
  expect(await errorOf(stripe.subscriptions.update(other.subscription.id, { cancel_at_period_end: true }))).toMatchObject({
    code: 'invalid_canceled_subscription_fields',
  })
})
