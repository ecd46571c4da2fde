import { expect, test as vitest } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { registered } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { createSubscriptionAnswer, subscription } from '../../contract/billing.ts'

const test = vitest
  .extend('app', async ({}, { onCleanup }) => {
    const app = await startTestApp({ demo: false })
    onCleanup(() => app.close())
    return app
  })
  .extend('person', ({ app }) => registered(app, 'payer'))

const choose = (person: Visitor) => person.send('POST', '/api/create-subscription', { planType: 'pro' })
const subscriptionNow = async (person: Visitor) => subscription.parse((await person.get('/api/subscription')).body)

/** A new Stripe price for Pro, which takes over the lookup key. */
async function replacePrice(app: TestApp, cents: number, product = 'prod_ranklark_pro'): Promise<void> {
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

test('nobody is charged anything other than what the plan card says', async ({ app, person }) => {
  await replacePrice(app, 1900)
  expect(await choose(person)).toMatchObject({ status: 502, body: { message: "Stripe's price ranklark_pro_monthly is not $9 a month." } })
  expect((await app.stripe.state()).subscriptions).toEqual([])
})

test('a subscription at an older price of the same product keeps its plan', { tags: ['full'] }, async ({ app, person }) => {
  const begun = createSubscriptionAnswer.parse((await choose(person)).body)
  if ('clientSecret' in begun) await app.stripe.pay(begun.clientSecret)
  await replacePrice(app, 900)
  await app.restart()
  await person.send('POST', '/api/subscription/refresh')
  expect(await subscriptionNow(person)).toMatchObject({ plan: 'pro', status: 'active' })
  expect(await choose(person)).toMatchObject({ status: 409, body: { message: 'Your Pro plan is already active.' } })
})

test('the error names an archived or missing price', { tags: ['full'] }, async ({ app, person }) => {
  const headers = { authorization: 'Bearer sk_test_ranklark_local_stand_in' }
  const change = (values: Record<string, string>) =>
    fetch(`${app.stripe.url}/v1/prices/price_ranklark_pro_monthly`, { method: 'POST', headers, body: new URLSearchParams(values) })
  await change({ active: 'false' })
  expect(await choose(person)).toMatchObject({ status: 502, body: { message: "Stripe's price ranklark_pro_monthly is archived." } })
  await change({ active: 'true', lookup_key: 'another_name' })
  await app.restart()
  expect(await choose(person)).toMatchObject({
    status: 502,
    body: { message: 'Stripe has no price with the lookup key ranklark_pro_monthly.' },
  })
})
