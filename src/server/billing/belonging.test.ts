import { describe, expect } from 'vitest'

import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { registered } from '../../../test/support/people.ts'
import { unzip } from '../../../test/support/unzip.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { createSubscriptionAnswer, subscription } from '../../contract/billing.ts'
import { user } from '../../contract/user.ts'

const test = appTest({ demo: false }).extend('cast', { scope: 'file' }, async ({ app }) => {
  const owner = await registered(app, 'owner')
  await pay(app, owner)
  return { owner, stranger: await registered(app, 'stranger'), visitor: app.visitor() }
})

const begin = async (person: Visitor): Promise<string> => {
  const begun = createSubscriptionAnswer.parse((await person.send('POST', '/api/create-subscription', { planType: 'pro' })).body)
  return 'clientSecret' in begun ? begun.clientSecret : ''
}
const pay = async (app: TestApp, person: Visitor) => app.stripe.pay(await begin(person))

const posts = [
  'create-subscription',
  'subscription/preview',
  'subscription/change',
  'subscription/resume',
  'subscription/refresh',
  'subscription/portal',
]

describe('a visitor', () => {
  test.for(posts)('has to log in for /api/%s', async (path, { cast }) => {
    const answer = await cast.visitor.send('POST', `/api/${path}`, { planType: 'pro' })
    expect(answer).toMatchObject({ status: 401, body: { message: 'Please log in.' } })
  })

  test("doesn't see a subscription", async ({ cast }) => {
    expect((await cast.visitor.get('/api/subscription')).status).toBe(401)
  })
})

describe('a stranger', () => {
  test("sees nothing of the owner's subscription", async ({ cast }) => {
    expect(subscription.parse((await cast.stranger.get('/api/subscription')).body)).toMatchObject({
      plan: 'free',
      status: 'none',
      card: null,
    })
    expect((await cast.owner.get('/api/subscription')).body).toMatchObject({ plan: 'pro', status: 'active' })
  })

  test("can't change, resume or manage it", async ({ cast }) => {
    await cast.owner.send('POST', '/api/subscription/change', { planType: 'free' })
    expect((await cast.stranger.send('POST', '/api/subscription/change', { planType: 'agency' })).status).toBe(409)
    expect((await cast.stranger.send('POST', '/api/subscription/change', { planType: 'free' })).status).toBe(200)
    expect((await cast.stranger.send('POST', '/api/subscription/resume')).status).toBe(409)
    expect((await cast.stranger.send('POST', '/api/subscription/portal')).status).toBe(409)
    expect((await cast.owner.get('/api/subscription')).body).toMatchObject({ plan: 'pro', nextPlan: 'free' })
    await cast.owner.send('POST', '/api/subscription/resume')
  })

  test("gets their own payment, never someone else's client secret", async ({ cast, app }) => {
    const other = await registered(app, 'other')
    const theirs = await begin(other)
    expect(await begin(cast.stranger)).not.toBe(theirs)
    await app.stripe.pay(theirs)
    expect(user.parse((await other.get('/api/user')).body).plan).toBe('pro')
    expect(user.parse((await cast.stranger.get('/api/user')).body).plan).toBe('free')
  })
})

test("the export contains the stored payment data, and nobody else's", async ({ cast, app }) => {
  const exported = async (person: Visitor): Promise<string> => {
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${app.url}/api/user/export`, { headers: { cookie } })
    return (await unzip(Buffer.from(await answer.arrayBuffer()))).get('subscription.json') ?? ''
  }
  const customer = (await app.stripe.customerOf('owner@example.test')).id
  const own = await exported(cast.owner)
  expect(JSON.parse(own)).toMatchObject({
    customerId: customer,
    subscriptions: [{ plan: 'pro', status: 'active', card: { last4: '4242' } }],
  })
  expect(await exported(await registered(app, 'curious'))).not.toContain(customer)
})

describe('deleting an account', () => {
  const remove = (person: Visitor, username: string) => person.send('DELETE', '/api/user', { username, password: 'a-good-password' })
  const stands = async (app: TestApp, customer: string) => {
    const { customers, subscriptions } = await app.stripe.state()
    return {
      customer: customers.some(({ id }) => id === customer),
      subscriptions: subscriptions.filter((each) => each.customer === customer).map(({ status }) => status),
    }
  }

  test('ends the subscription immediately and deletes the customer at Stripe', async ({ app }) => {
    const leaver = await registered(app, 'leaver')
    await pay(app, leaver)
    const { id } = await app.stripe.customerOf('leaver@example.test')
    expect((await remove(leaver, 'leaver')).status).toBeLessThan(300)
    await until(
      () => stands(app, id),
      (now) => !now.customer,
    )
    expect((await stands(app, id)).subscriptions).toEqual(['canceled'])
    await app.stripe.settled()
  })

  test("is retried while Stripe doesn't respond", { tags: ['full'] }, async ({ app }) => {
    const leaver = await registered(app, 'patient')
    await pay(app, leaver)
    const { id } = await app.stripe.customerOf('patient@example.test')
    await app.stripe.fail({ status: 500, times: 1_000 })
    expect((await remove(leaver, 'patient')).status).toBeLessThan(300)
    await until(
      async () => (await app.stripe.requests()).filter(({ path, params }) => path === '/v1/subscriptions' && params.includes(id)),
      (asked) => asked.length >= 3,
    )
    await app.stripe.stopFailing()
    const { sql } = await app.stores()
    // Its next try is half a minute away; here it is due now.
    await until(
      async () => {
        await sql(`UPDATE jobs.job SET start_after = now() WHERE name = 'billing-forget' AND state = 'retry'`)
        return stands(app, id)
      },
      (now) => !now.customer,
    )
    expect((await stands(app, id)).subscriptions).toEqual(['canceled'])
  })
})
