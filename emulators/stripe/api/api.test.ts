import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf, errorOf, newSubscription, openBench } from '../testing.ts'
import type { Bench } from '../testing.ts'

let bench: Bench

beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

const raw = (path: string, headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(`${bench.standIn.url}${path}`, { ...init, headers: { authorization: `Bearer ${bench.standIn.secretKey}`, ...headers } })

test('a call without a key, with a wrong one, or with the publishable one is refused', async () => {
  const keyless = await fetch(`${bench.standIn.url}/v1/customers`)
  expect(keyless.status).toBe(401)
  expect(await keyless.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  const wrong = clientOf({ ...bench.standIn, secretKey: 'sk_test_wrong_wrong_wrong' })
  expect(await errorOf(wrong.customers.list())).toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 })
  const publishable = clientOf({ ...bench.standIn, secretKey: bench.standIn.publishableKey })
  expect(await errorOf(publishable.customers.list())).toMatchObject({ code: 'secret_key_required' })
})

test('missing, unknown or malformed parameters are named', async () => {
  const { stripe } = bench
  const unknown = await errorOf(stripe.customers.create({ nonsense: '1' } as never))
  expect(unknown).toMatchObject({ type: 'StripeInvalidRequestError', statusCode: 400, code: 'parameter_unknown', param: 'nonsense' })
  expect(unknown.message).toBe('Received unknown parameter: nonsense')
  expect(await errorOf(stripe.subscriptions.create({ items: [] } as never))).toMatchObject({ code: 'parameter_missing', param: 'customer' })
  const customer = await stripe.customers.create()
  expect(await errorOf(stripe.subscriptions.create({ customer: customer.id, items: [{ prize: 'x' }] } as never))).toMatchObject({
    code: 'parameter_missing',
    param: 'items[0][price]',
  })
  const wrong = await errorOf(stripe.subscriptions.create({ customer: customer.id, items: [{ price: 'p' }], payment_behavior: 'never' }))
  expect(wrong).toMatchObject({ param: 'payment_behavior' })
  expect(wrong.message).toMatch(/^Invalid payment_behavior: must be one of allow_incomplete, .*, or pending_if_incomplete$/)
  expect(await errorOf(stripe.customers.list({ limit: 'many' as never }))).toMatchObject({
    code: 'parameter_invalid_integer',
    param: 'limit',
  })
  expect(await errorOf(stripe.subscriptions.create({ customer: '', items: [{ price: 'p' }] }))).toMatchObject({
    code: 'parameter_invalid_empty',
  })
})

test('an unknown id is 404 in the path and 400 as a parameter', async () => {
  const { stripe } = bench
  expect(await errorOf(stripe.customers.retrieve('cus_none'))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
    message: "No such customer: 'cus_none'",
  })
  expect(await errorOf(stripe.paymentIntents.retrieve('pi_none'))).toMatchObject({ statusCode: 404, param: 'intent' })
  const customer = await stripe.customers.create()
  expect(await errorOf(stripe.subscriptions.create({ customer: customer.id, items: [{ price: 'price_none' }] }))).toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'items[0][price]',
  })
  expect(await errorOf(stripe.subscriptions.list({ customer: 'cus_none' }))).toMatchObject({ statusCode: 400, param: 'customer' })
  expect((await raw('/v1/nothing', {})).status).toBe(404)
})

test('every response names its request and the version, and another version is refused', async () => {
  const response = await raw('/v1/customers', {})
  expect(response.headers.get('request-id')).toMatch(/^req_/)
  expect(response.headers.get('stripe-version')).toBe('2026-10-28.endive')
  expect((await raw('/v1/customers', { 'stripe-version': '2019-01-01' })).status).toBe(400)
  const customer = await bench.stripe.customers.create()
  expect(customer.lastResponse.requestId).toMatch(/^req_/)
})

test('the same idempotency key repeats the response, and refuses other parameters', async () => {
  const { stripe } = bench
  const options = { idempotencyKey: 'once' }
  const first = await stripe.customers.create({ email: 'once@example.com' }, options)
  const second = await stripe.customers.create({ email: 'once@example.com' }, options)
  expect(second.id).toBe(first.id)
  expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect(second.lastResponse.headers['original-request']).toBe(first.lastResponse.requestId)
  expect((await stripe.customers.list({ email: 'once@example.com' })).data).toHaveLength(1)
  expect(await errorOf(stripe.customers.create({ email: 'other@example.com' }, options))).toMatchObject({
    type: 'StripeIdempotencyError',
    statusCode: 400,
    rawType: 'idempotency_error',
  })
})

test('a declined card gives the same response for its key; an invalid parameter leaves the key unused', async () => {
  const { stripe } = bench
  const { clientSecret } = await newSubscription(bench)
  const intent = clientSecret.split('_secret_')[0] ?? ''
  const confirm = () =>
    stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa_chargeDeclined' }, { idempotencyKey: 'declined' })
  const [first, second] = [await errorOf(confirm()), await errorOf(confirm())]
  expect(second).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'generic_decline', charge: first.charge })
  expect(await errorOf(stripe.customers.create({ x: 1 } as never, { idempotencyKey: 'free' }))).toMatchObject({ statusCode: 400 })
  expect((await stripe.customers.create({}, { idempotencyKey: 'free' })).id).toMatch(/^cus_/)
})

test('lists come in pages, newest first', async () => {
  const { stripe } = bench
  const made = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) made.push((await stripe.customers.create({ email: 'page@example.com', name })).id)
  const first = await stripe.customers.list({ email: 'page@example.com', limit: 2 })
  expect(first.data.map(({ name }) => name)).toEqual(['e', 'd'])
  expect(first.has_more).toBe(true)
  const all = []
  for await (const each of stripe.customers.list({ email: 'page@example.com', limit: 2 })) all.push(each.id)
  expect(all).toEqual(made.toReversed())
  const before = await stripe.customers.list({ email: 'page@example.com', ending_before: made[2]!, limit: 1 })
  expect(before.data.map(({ name }) => name)).toEqual(['d'])
})

test('a customer is changed, found by email, and deleted with their subscriptions', async () => {
  const { stripe } = bench
  const { customer, subscription } = await newSubscription(bench)
  const changed = await stripe.customers.update(customer.id, { name: 'Ada', metadata: { user: '', plan: 'pro' } })
  expect(changed).toMatchObject({ name: 'Ada', metadata: { plan: 'pro' } })
  expect(await stripe.customers.del(customer.id)).toEqual({ id: customer.id, object: 'customer', deleted: true })
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true })
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('incomplete_expired')
  expect(await errorOf(stripe.customers.update(customer.id, { name: 'X' }))).toMatchObject({ statusCode: 404 })
  expect((await stripe.customers.list({ email: 'ada@example.com' })).data.map(({ id }) => id)).not.toContain(customer.id)
})

test('a customer can come with a card, unless it is declined', async () => {
  const { stripe } = bench
  const customer = await stripe.customers.create({ email: 'card@example.com', payment_method: 'pm_card_visa' })
  const { data } = await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })
  expect(data).toMatchObject([{ customer: customer.id, card: { brand: 'visa', last4: '4242' } }])
  const refused = stripe.customers.create({ email: 'refused@example.com', payment_method: 'pm_card_visa_chargeDeclined' })
  expect(await errorOf(refused)).toMatchObject({ statusCode: 402, code: 'card_declined' })
  expect((await stripe.customers.list({ email: 'refused@example.com' })).data).toEqual([])
})

test('a setup script finds the prices by lookup key, and can create its own', async () => {
  const { stripe } = bench
  const { data } = await stripe.prices.list({ lookup_keys: ['ranklark_pro_monthly', 'ranklark_agency_monthly'], expand: ['data.product'] })
  expect(data.map(({ lookup_key, unit_amount, currency }) => [lookup_key, unit_amount, currency]).sort()).toEqual([
    ['ranklark_agency_monthly', 2900, 'usd'],
    ['ranklark_pro_monthly', 900, 'usd'],
  ])
  expect(data[0]?.product).toMatchObject({ object: 'product', name: 'Ranklark Agency' })
  const product = await stripe.products.create({ name: 'Extra' })
  const made = { product: product.id, currency: 'usd', unit_amount: 500, recurring: { interval: 'month' as const }, lookup_key: 'extra' }
  const price = await stripe.prices.create(made)
  expect(price).toMatchObject({ type: 'recurring', recurring: { interval: 'month', interval_count: 1 }, unit_amount: 500 })
  expect(await errorOf(stripe.prices.create(made))).toMatchObject({ code: 'resource_already_exists' })
  expect((await stripe.prices.create({ ...made, unit_amount: 600, transfer_lookup_key: true })).lookup_key).toBe('extra')
  expect((await stripe.prices.retrieve(price.id)).lookup_key).toBeNull()
})

test("expanded objects are shown in full, and other fields can't be expanded", async () => {
  const { stripe } = bench
  const { subscription, invoice } = await newSubscription(bench)
  expect(invoice.confirmation_secret?.client_secret).toMatch(/^pi_.+_secret_/)
  const plain = await stripe.invoices.retrieve(invoice.id)
  expect(plain).not.toHaveProperty('confirmation_secret')
  expect(plain).not.toHaveProperty('payments')
  const expanded = await stripe.subscriptions.retrieve(subscription.id, {
    expand: ['customer', 'latest_invoice.payments', 'items.data.price', 'default_payment_method', 'schedule'],
  })
  expect(expanded.customer).toMatchObject({ object: 'customer', email: 'ada@example.com' })
  expect(expanded.latest_invoice).toMatchObject({ payments: { data: [{ status: 'open', payment: { type: 'payment_intent' } }] } })
  expect(expanded.default_payment_method).toBeNull()
  expect(await errorOf(stripe.subscriptions.retrieve(subscription.id, { expand: ['metadata_x'] }))).toMatchObject({ param: 'expand' })
})

test('a browser sees its own intent, with the client secret, and nothing about the customer', async () => {
  const { clientSecret } = await newSubscription(bench)
  const id = clientSecret.split('_secret_')[0]
  const get = (secret: string) =>
    fetch(`${bench.standIn.url}/v1/payment_intents/${id}?key=${bench.standIn.publishableKey}&client_secret=${secret}`)
  const own = (await (await get(clientSecret)).json()) as Record<string, unknown>
  expect(own).toMatchObject({ id, status: 'requires_payment_method' })
  expect(own).not.toHaveProperty('customer')
  expect((await get('pi_x_secret_x')).status).toBe(400)
})
