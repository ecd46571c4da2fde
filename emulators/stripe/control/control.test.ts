import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { clientOf, errorOf, openBench, paidSubscription } from '../testing.ts'
import type { Bench } from '../testing.ts'

let bench: Bench

beforeAll(async () => {
  bench = await openBench()
})
afterEach(() => bench.control('DELETE', 'fail'))
afterAll(() => bench.close())

test("calls fail as requested, in Stripe’s shape, and the next ones don't", async () => {
  await bench.control('POST', 'fail', { status: 429, times: 1, after: 1, match: 'POST /v1/customers' })
  await bench.stripe.customers.create()
  await bench.stripe.customers.list()
  expect(await errorOf(bench.stripe.customers.create())).toMatchObject({ type: 'StripeRateLimitError', statusCode: 429 })
  await bench.stripe.customers.create()
  await bench.control('POST', 'fail', { status: 402, code: 'card_declined', message: 'No.' })
  expect(await errorOf(bench.stripe.customers.list())).toMatchObject({ type: 'StripeCardError', code: 'card_declined', message: 'No.' })
  await bench.control('POST', 'fail', {})
  expect(await errorOf(bench.stripe.customers.list())).toMatchObject({ type: 'StripeAPIError', statusCode: 500 })
})

test("a lost response can be repeated with the first call's key", async () => {
  await bench.control('POST', 'fail', { connectionReset: true, executed: true, match: 'POST /v1/customers' })
  const patient = clientOf(bench.standIn, { maxNetworkRetries: 1 })
  const made = await patient.customers.create({ email: 'lost@example.com' })
  expect(made.lastResponse.headers['idempotent-replayed']).toBe('true')
  expect((await patient.customers.list({ email: 'lost@example.com' })).data.map(({ id }) => id)).toEqual([made.id])
})

test("a hanging call ends with its caller's timeout", async () => {
  await bench.control('POST', 'fail', { hang: true })
  const hasty = clientOf(bench.standIn, { maxNetworkRetries: 0, timeout: 100 })
  expect(await errorOf(hasty.customers.list())).toMatchObject({ type: 'StripeConnectionError' })
})

test('the log shows the calls, without card numbers', async () => {
  await bench.control('DELETE', 'requests')
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' }
  await bench.stripe.paymentMethods.create({ type: 'card', card })
  const { total, last } = await bench.control<{ total: number; last: { path: string; params: string; status: number }[] }>(
    'GET',
    'requests',
  )
  expect(total).toBe(1)
  expect(last[0]).toMatchObject({ path: '/v1/payment_methods', status: 200 })
  expect(last[0]?.params).not.toContain('4242')
})

test('the clock only moves forward, and invalid input is refused', async () => {
  await expect(bench.control('PUT', 'clock', { now: '2001-01-01T00:00:00Z' })).rejects.toThrow('400')
  await expect(bench.control('POST', 'advance', { days: 'x' })).rejects.toThrow('400')
  await expect(bench.control('PUT', 'card', { customer: 'cus_none' })).rejects.toThrow('404')
  await expect(bench.control('POST', 'nonsense')).rejects.toThrow('404')
})

test('a reset leaves the prices and the webhook endpoint, and nothing else', async () => {
  await paidSubscription(bench)
  await bench.control('POST', 'reset')
  expect((await bench.stripe.customers.list()).data).toEqual([])
  expect((await bench.stripe.prices.list()).data).toHaveLength(2)
  await bench.types()
  await bench.stripe.customers.create()
  expect(await bench.types()).toEqual(['customer.created'])
})
