import type { Stripe } from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorOf, newSubscription, openBench } from '../testing.ts'
import type { Bench } from '../testing.ts'

let bench: Bench

beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

interface Paid {
  readonly status: string
  readonly error: Stripe.PaymentIntent.LastPaymentError | null
}

const pay = (subscription: string, card: string, authenticate?: 'complete' | 'fail') =>
  bench.control<Paid>('POST', 'pay', { subscription, card, ...(authenticate ? { authenticate } : {}) })

test.each(['4242424242424242', '5555555555554444', '378282246310005'])('%s pays', async (card) => {
  const { subscription } = await newSubscription(bench)
  expect(await pay(subscription.id, card)).toMatchObject({ status: 'succeeded', error: null })
  const paid = await bench.stripe.subscriptions.retrieve(subscription.id, { expand: ['default_payment_method', 'latest_invoice'] })
  expect(paid.status).toBe('active')
  expect(paid.default_payment_method).toMatchObject({ card: { last4: card.slice(-4) }, customer: paid.customer })
  expect(paid.latest_invoice).toMatchObject({ status: 'paid', amount_paid: 900, amount_remaining: 0 })
})

test.each([
  ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
  ['4000000000000069', 'expired_card', 'expired_card', 'Your card has expired.'],
  ['4000000000000127', 'incorrect_cvc', 'incorrect_cvc', "Your card's security code is incorrect."],
  ['4000000000000341', 'card_declined', 'generic_decline', 'Your card was declined.'],
])('%s is declined with %s', async (card, code, decline_code, message) => {
  const { subscription } = await newSubscription(bench)
  const result = await pay(subscription.id, card)
  expect(result).toMatchObject({ status: 'requires_payment_method', error: { type: 'card_error', code, decline_code, message } })
  expect((await bench.stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete')
})

test.each(['4000002500003155', '4000002760003184'])('%s challenges the cardholder first', async (card) => {
  const { subscription } = await newSubscription(bench)
  expect((await pay(subscription.id, card)).status).toBe('requires_action')
  const failing = await newSubscription(bench)
  expect(await pay(failing.subscription.id, card, 'fail')).toMatchObject({
    status: 'requires_payment_method',
    error: { code: 'payment_intent_authentication_failure' },
  })
  expect((await pay(failing.subscription.id, card, 'complete')).status).toBe('succeeded')
})

test('4000008400001629 is declined although the cardholder agreed', async () => {
  const { subscription } = await newSubscription(bench)
  expect(await pay(subscription.id, '4000008400001629', 'complete')).toMatchObject({
    status: 'requires_payment_method',
    error: { code: 'card_declined' },
  })
})

test('an invalid number, and a past date, are refused when the card is created', async () => {
  const make = (card: Partial<Stripe.PaymentMethodCreateParams.Card>) =>
    errorOf(
      bench.stripe.paymentMethods.create({
        type: 'card',
        card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123', ...card },
      }),
    )
  expect(await make({ number: '4242424242424241' })).toMatchObject({ statusCode: 402, code: 'incorrect_number', param: 'number' })
  expect(await make({ exp_year: 2020 })).toMatchObject({ code: 'invalid_expiry_year' })
  expect(await make({ exp_month: 13 })).toMatchObject({ code: 'invalid_expiry_month' })
  expect(await make({ cvc: '1' })).toMatchObject({ code: 'invalid_cvc' })
  expect(await make({ number: '4111111111111111' })).toMatchObject({ code: 'card_declined', decline_code: 'test_mode_live_card' })
})

test("…0341 can be attached to a customer, …0002 can't", async () => {
  const { stripe } = bench
  const customer = await stripe.customers.create()
  const kept = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
  expect(kept.customer).toBe(customer.id)
  expect(await errorOf(stripe.paymentMethods.attach('pm_card_visa_chargeDeclined', { customer: customer.id }))).toMatchObject({
    statusCode: 402,
    code: 'card_declined',
  })
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: kept.id } })
  const { id: price } = await bench.price('ranklark_pro_monthly')
  const subscription = await stripe.subscriptions.create({ customer: customer.id, items: [{ price }] })
  expect(subscription.status).toBe('incomplete')
  const detached = await stripe.paymentMethods.detach(kept.id)
  expect(detached.customer).toBeNull()
  expect((await stripe.customers.retrieve(customer.id)) as Stripe.Customer).toMatchObject({
    invoice_settings: { default_payment_method: null },
  })
})

test('a setup intent attaches a card, after a challenge if there is one', async () => {
  const { stripe } = bench
  const customer = await stripe.customers.create()
  const setup = await stripe.setupIntents.create({ customer: customer.id, allowed_payment_method_types: ['card'] })
  expect(setup.status).toBe('requires_payment_method')
  expect(await errorOf(stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa_chargeDeclined' }))).toMatchObject({
    code: 'card_declined',
    setup_intent: { status: 'requires_payment_method', last_setup_error: { code: 'card_declined' } },
  })
  const asked = await stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_authenticationRequired' })
  expect(asked).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } })
  const answer = new URLSearchParams({ client_secret: asked.client_secret ?? '', outcome: 'complete' })
  expect((await fetch(`${bench.standIn.url}/v3/challenge`, { method: 'POST', body: answer })).status).toBe(200)
  expect((await stripe.setupIntents.retrieve(setup.id)).status).toBe('succeeded')
  expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(1)
})
