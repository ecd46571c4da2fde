import type { Stripe } from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorOf, openBench, paidSubscription } from '../testing.ts'
import type { Bench } from '../testing.ts'
import { periodEnd } from './periods.ts'

let bench: Bench

beforeEach(async () => {
  bench = await openBench({ now: () => Date.parse('2026-01-31T12:00:00Z') })
})
afterEach(() => bench.close())

const seconds = (text: string): number => Date.parse(text) / 1000
const stateOf = async (id: string) => (await bench.stripe.subscriptions.retrieve(id)).status
const advance = (days: number) => bench.control('POST', 'advance', { days })

test('a period ends on the day of the anchor, or on the last day of a shorter month', () => {
  const month = { interval: 'month', interval_count: 1 }
  const anchor = seconds('2026-01-31T12:00:00Z')
  const ends = ['2026-02-28T12:00:00Z', '2026-03-31T12:00:00Z', '2026-04-30T12:00:00Z'].map(seconds)
  expect(periodEnd(anchor, anchor, month)).toBe(ends[0])
  expect(periodEnd(anchor, ends[0]!, month)).toBe(ends[1])
  expect(periodEnd(anchor, ends[1]!, month)).toBe(ends[2])
  expect(periodEnd(seconds('2024-02-29T00:00:00Z'), seconds('2024-02-29T00:00:00Z'), { interval: 'year', interval_count: 1 })).toBe(
    seconds('2025-02-28T00:00:00Z'),
  )
})

test('a renewal: a draft for an hour, then charged', async () => {
  const { subscription } = await paidSubscription(bench)
  await bench.types()
  await bench.control('PUT', 'clock', { now: '2026-02-28T12:30:00Z' })
  const renewed = await bench.stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(renewed.items.data[0]?.current_period_end).toBe(seconds('2026-03-31T12:00:00Z'))
  expect(renewed.latest_invoice).toMatchObject({ status: 'draft', automatically_finalizes_at: seconds('2026-02-28T13:00:00Z') })
  expect(await bench.types()).toEqual(['invoice.created', 'customer.subscription.updated'])
  await bench.control('POST', 'advance', { hours: 1 })
  expect(await bench.types()).toEqual([
    'payment_intent.created',
    'invoice.finalized',
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoice_payment.paid',
    'invoice.paid',
    'invoice.payment_succeeded',
  ])
})

test('a renewal that fails: past due, retried, and finally canceled', async () => {
  const { subscription, customer } = await paidSubscription(bench)
  await bench.control('PUT', 'card', { customer: customer.id, problem: 'insufficient_funds' })
  await advance(29)
  expect(await stateOf(subscription.id)).toBe('past_due')
  const { data } = await bench.stripe.invoices.list({ subscription: subscription.id, status: 'open' })
  expect(data[0]).toMatchObject({ attempt_count: 1, next_payment_attempt: seconds('2026-03-03T13:00:00Z') })
  await advance(3)
  expect((await bench.stripe.invoices.retrieve(data[0]!.id)).attempt_count).toBe(2)
  await bench.types()
  await advance(12)
  expect(await bench.types()).toEqual([
    'charge.failed',
    'payment_intent.payment_failed',
    'invoice.payment_failed',
    'charge.failed',
    'payment_intent.payment_failed',
    'invoice.payment_failed',
    'invoice.updated',
    'customer.subscription.deleted',
  ])
  expect(await bench.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
    status: 'canceled',
    cancellation_details: { reason: 'payment_failed' },
  })
})

test('a failed renewal is paid by a later attempt, or with another card', async () => {
  const { subscription, customer } = await paidSubscription(bench)
  await bench.control('PUT', 'card', { customer: customer.id })
  await advance(29)
  await bench.control('PUT', 'card', { customer: customer.id, problem: null })
  await advance(3)
  expect(await stateOf(subscription.id)).toBe('active')

  await bench.control('PUT', 'card', { customer: customer.id })
  await advance(31)
  expect(await stateOf(subscription.id)).toBe('past_due')
  const [open] = (await bench.stripe.invoices.list({ subscription: subscription.id, status: 'open' })).data
  expect(await errorOf(bench.stripe.invoices.pay(open!.id))).toMatchObject({ statusCode: 402, code: 'card_declined' })
  await bench.control('PUT', 'card', { customer: customer.id, problem: null })
  expect((await bench.stripe.invoices.pay(open!.id)).status).toBe('paid')
  expect(await stateOf(subscription.id)).toBe('active')
})

test('canceled immediately while a renewal is unpaid: it is no longer collected, but can be paid until it is void', async () => {
  const { subscription, customer } = await paidSubscription(bench)
  await bench.control('PUT', 'card', { customer: customer.id })
  await advance(29)
  const ended = await bench.stripe.subscriptions.cancel(subscription.id, { expand: ['latest_invoice'] })
  expect(ended).toMatchObject({ status: 'canceled', latest_invoice: { status: 'open', auto_advance: false, next_payment_attempt: null } })
  await bench.control('PUT', 'card', { customer: customer.id, problem: null })
  await advance(20)
  const [open] = (await bench.stripe.invoices.list({ subscription: subscription.id, status: 'open' })).data
  expect(open?.attempt_count).toBe(1)
  expect((await bench.stripe.invoices.voidInvoice(open!.id)).status).toBe('void')
  expect(await errorOf(bench.stripe.invoices.pay(open!.id))).toMatchObject({ statusCode: 400 })
})

test('canceled at the end of the period while a renewal is unpaid: it is still retried', async () => {
  const { subscription, customer } = await paidSubscription(bench)
  await bench.control('PUT', 'card', { customer: customer.id })
  await advance(29)
  await bench.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await bench.control('PUT', 'card', { customer: customer.id, problem: null })
  await advance(3)
  expect((await bench.stripe.invoices.list({ subscription: subscription.id, status: 'open' })).data).toEqual([])
  expect(await stateOf(subscription.id)).toBe('active')
})

test('a card that always challenges leaves the renewal to its owner', async () => {
  const { subscription } = await paidSubscription(bench, '4000002760003184')
  await bench.types()
  await advance(29)
  expect(await bench.types()).toContain('invoice.payment_action_required')
  expect(await stateOf(subscription.id)).toBe('past_due')
  const [open] = (await bench.stripe.invoices.list({ subscription: subscription.id, status: 'open', expand: ['data.confirmation_secret'] }))
    .data
  const body = new URLSearchParams({ client_secret: open?.confirmation_secret?.client_secret ?? '', outcome: 'complete' })
  expect((await fetch(`${bench.standIn.url}/v3/challenge`, { method: 'POST', body })).status).toBe(200)
  expect(await stateOf(subscription.id)).toBe('active')
})

test('a card that challenged once is charged without its owner from then on', async () => {
  const { subscription } = await paidSubscription(bench, '4000002500003155')
  await advance(29)
  expect(await stateOf(subscription.id)).toBe('active')
})

test('after the last attempt a subscription can also be left unpaid', async () => {
  await bench.control('PUT', 'settings', { retryDays: [1], afterRetries: 'unpaid' })
  const { subscription, customer } = await paidSubscription(bench)
  await bench.control('PUT', 'card', { customer: customer.id })
  await advance(31)
  expect(await stateOf(subscription.id)).toBe('unpaid')
})

test('a schedule changes the price at the end of the period, without proration', async () => {
  const { stripe } = bench
  const { subscription } = await paidSubscription(bench)
  const [pro, agency] = [await bench.price('ranklark_pro_monthly'), await bench.price('ranklark_agency_monthly')]
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const [now] = schedule.phases
  expect(now).toMatchObject({ items: [{ price: pro.id, quantity: 1 }], end_date: subscription.items.data[0]?.current_period_end })
  const updated = await stripe.subscriptionSchedules.update(schedule.id, {
    end_behavior: 'release',
    phases: [
      { items: [{ price: pro.id }], start_date: now!.start_date, end_date: now!.end_date },
      { items: [{ price: agency.id }], duration: { interval: 'month' }, proration_behavior: 'none' },
    ],
  })
  expect(updated.phases.map(({ items }) => items[0]?.price)).toEqual([pro.id, agency.id])
  expect((await stripe.subscriptions.retrieve(subscription.id, { expand: ['schedule'] })).schedule).toMatchObject({
    id: schedule.id,
    status: 'active',
  })
  expect(await errorOf(stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }))).toMatchObject({ statusCode: 400 })

  await advance(29)
  const renewed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })
  expect(renewed.items.data[0]).toMatchObject({ id: subscription.items.data[0]?.id, price: { id: agency.id } })
  expect(renewed.latest_invoice).toMatchObject({ amount_paid: 2900, lines: { data: [{ amount: 2900 }] } })
  await bench.types()
  await advance(31)
  expect(await bench.types()).toContain('subscription_schedule.released')
  expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
    status: 'released',
    released_subscription: subscription.id,
  })
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active', schedule: null })
})

test('a released schedule leaves the subscription unchanged; a canceled one ends it', async () => {
  const { stripe } = bench
  const { subscription } = await paidSubscription(bench)
  const first = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  expect(await errorOf(stripe.subscriptionSchedules.create({ from_subscription: subscription.id }))).toMatchObject({ statusCode: 400 })
  expect((await stripe.subscriptionSchedules.release(first.id)).status).toBe('released')
  expect(await errorOf(stripe.subscriptionSchedules.release(first.id))).toMatchObject({ statusCode: 400 })
  expect((await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })).schedule).toBeNull()
  const second = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  expect((await stripe.subscriptionSchedules.cancel(second.id)).status).toBe('canceled')
  expect(await stateOf(subscription.id)).toBe('canceled')
})

test('the portal cancels a subscription with a scheduled change, and releases the schedule', async () => {
  const { stripe } = bench
  const { subscription, customer } = await paidSubscription(bench)
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
  const { url } = await stripe.billingPortal.sessions.create({ customer: customer.id })
  const body = new URLSearchParams({ action: 'cancel', subscription: subscription.id })
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
  expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ cancel_at_period_end: true, schedule: null })
  expect((await stripe.subscriptionSchedules.retrieve(schedule.id)).status).toBe('released')
  expect((await fetch(`${url}x`)).status).toBe(404)
})

test('the passage of time triggers renewals, too', async () => {
  let now = Date.parse('2026-01-31T12:00:00Z')
  const living = await openBench({ now: () => now })
  const { subscription } = await paidSubscription(living)
  now += 29 * 86_400_000
  const renewed: Stripe.Subscription = await living.stripe.subscriptions.retrieve(subscription.id)
  expect(renewed.items.data[0]?.current_period_start).toBe(seconds('2026-02-28T12:00:00Z'))
  await living.close()
})
