import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { registered } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { createSubscriptionAnswer, subscription } from '../../contract/billing.ts'

let app: TestApp
let person: Visitor
beforeEach(async () => {
  app = await startTestApp({ demo: false })
  person = await registered(app, 'payer')
})
afterEach(() => app.close())

const choose = () => person.send('POST', '/api/create-subscription', { planType: 'pro' })
const standing = async () => subscription.parse((await person.get('/api/subscription')).body)

/** A new price for Pro at Stripe, which takes over the lookup key. */
async function replacePrice(cents: number, product = 'prod_ranklark_pro'): Promise<void> {
  const body = new URLSearchParams({
    product,
    currency: 'usd',
    unit_amount: String(cents),
    'recurring[interval]': 'month',
    lookup_key: 'ranklark_pro_monthly',
    transfer_lookup_key: 'true',
  })
  const headers = { authorization: 'Bearer sk_test_ranklark_local_stand_in' }
  const answer = await fetch(`${app.stripe.url}/v1/prices`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
}

test('nobody is charged anything else than the plan card says', async () => {
  await replacePrice(1900)
  expect(await choose()).toMatchObject({ status: 502, body: { message: "Stripe's price ranklark_pro_monthly is not $9 a month." } })
  expect((await app.stripe.state()).subscriptions).toEqual([])
})

test('a subscription to an older price of the same product keeps its plan', { tags: ['full'] }, async () => {
  const begun = createSubscriptionAnswer.parse((await choose()).body)
  if ('clientSecret' in begun) await app.stripe.pay(begun.clientSecret)
  await replacePrice(900)
  await app.restart()
  await person.send('POST', '/api/subscription/refresh')
  expect(await standing()).toMatchObject({ plan: 'pro', status: 'active' })
  expect(await choose()).toMatchObject({ status: 409, body: { message: 'Your Pro plan is active already.' } })
})

test('a price that was archived, or is not there, is named', { tags: ['full'] }, async () => {
  const headers = { authorization: 'Bearer sk_test_ranklark_local_stand_in' }
  const change = (values: Record<string, string>) =>
    fetch(`${app.stripe.url}/v1/prices/price_ranklark_pro_monthly`, { method: 'POST', headers, body: new URLSearchParams(values) })
  await change({ active: 'false' })
  expect(await choose()).toMatchObject({ status: 502, body: { message: "Stripe's price ranklark_pro_monthly is archived." } })
  await change({ active: 'true', lookup_key: 'another_name' })
  await app.restart()
  expect(await choose()).toMatchObject({ status: 502, body: { message: 'Stripe has no price with the lookup key ranklark_pro_monthly.' } })
})
