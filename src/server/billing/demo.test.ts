import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { withoutHistory } from '../../../test/support/app.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { createSubscriptionAnswer, subscription, subscriptionState } from '../../contract/billing.ts'

const test = appTest({ today: '2026-11-10', ...withoutHistory }).extend('demo', { scope: 'file' }, ({ app }) => app.demo())

const subscriptionNow = async (demo: Visitor) => subscription.parse((await demo.get('/api/subscription')).body)
async function begin(demo: Visitor, planType: string): Promise<string> {
  const begun = createSubscriptionAnswer.parse((await demo.send('POST', '/api/create-subscription', { planType })).body)
  return 'clientSecret' in begun ? begun.clientSecret : ''
}

test('the demo pays at the stand-in, with its script, and loads nothing from elsewhere', async ({ app, demo }) => {
  expect(await subscriptionNow(demo)).toMatchObject({
    plan: 'pro',
    status: 'none',
    checkout: { publishableKey: 'pk_test_ranklark_local_stand_in', scriptUrl: `${app.stripe.url}/v3/stripe.js` },
  })
  const policy = (await demo.get('/api/plans')).headers.get('content-security-policy') ?? ''
  for (const directive of ['script-src', 'frame-src', 'connect-src']) expect(policy).toContain(`${directive} 'self' ${app.stripe.url};`)
  expect(policy).not.toContain('stripe.com')
})

test('the server registers its webhook URL with the stand-in', async ({ app }) => {
  const { webhooks } = (await app.stripe.call('GET', 'state')) as { webhooks: { url: string }[] }
  expect(webhooks.map(({ url }) => url)).toEqual([`${app.url}/api/stripe/webhook`])
})

test('the demo account keeps its granted plan when a payment is started and abandoned', async ({ demo }) => {
  await begin(demo, 'agency')
  const { user } = subscriptionState.parse((await demo.send('POST', '/api/subscription/refresh')).body)
  expect(user).toMatchObject({ plan: 'pro', sitesMonitored: 3 })
})

test('a payment reported only by webhook activates the plan', async ({ app, demo }) => {
  await app.stripe.pay(await begin(demo, 'agency'))
  expect(await subscriptionNow(demo)).toMatchObject({ plan: 'agency', status: 'active' })
})
