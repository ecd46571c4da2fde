import { createHmac } from 'node:crypto'
import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { member } from '../../../test/support/people.ts'
import { createSubscriptionAnswer, subscription } from '../../contract/billing.ts'
import type { PlanId } from '../../contract/user.ts'
import { user } from '../../contract/user.ts'

let people = 0

const test = appTest({ demo: false })
  .extend('own', async ({ app }) => {
    const name = `subscriber-${++people}`
    const person = await member(app, { email: `${name}@example.test`, password: 'a-good-password', confirmed: true })
    const email = `${name}@example.test`
    return { person, email }
  })
  .extend('hooks', ({ app, own: { person, email } }) => {
    async function pay(planType: PlanId): Promise<void> {
      const answer = await person.send('POST', '/api/create-subscription', { planType })
      const body = createSubscriptionAnswer.parse(answer.body)
      if ('clientSecret' in body) await app.stripe.pay(body.clientSecret)
    }
    const plan = async () => user.parse((await person.get('/api/user')).body).plan
    const paidFor = async () => subscription.parse((await person.get('/api/subscription')).body)
    const cancelNow = async () => {
      const [first] = await app.stripe.subscriptionsOf(email)
      const headers = { authorization: 'Bearer sk_test_ranklark_local_stand_in' }
      await fetch(`${app.stripe.url}/v1/subscriptions/${first!.id}`, { method: 'DELETE', headers })
      await app.stripe.settled()
    }
    /** Ids of one type's events, latest last. */
    const eventsOf = async (type: string) => (await app.stripe.events()).filter((event) => event.type === type).map(({ id }) => id)
    return { pay, plan, paidFor, cancelNow, eventsOf }
  })

describe('events that arrive', () => {
  test('in reverse order result in the right plan', async ({ app, hooks: { pay, plan, cancelNow } }) => {
    await app.stripe.hold()
    await pay('pro')
    expect(await plan()).toBe('free')
    await app.stripe.release({ order: 'reversed' })
    expect(await plan()).toBe('pro')

    await app.stripe.hold()
    await cancelNow()
    await pay('agency')
    await app.stripe.release({ order: 'reversed' })
    expect(await plan()).toBe('agency')
  })

  test('three times each result in the right plan and one email', async ({ app, own: { email }, hooks: { pay, plan, eventsOf } }) => {
    await app.stripe.hold()
    await pay('pro')
    await app.stripe.release({ times: 3 })
    expect(await plan()).toBe('pro')
    await app.mail.mailTo(email, { kind: 'plan-changed' })
    await app.stripe.redeliver((await eventsOf('invoice.paid')).at(-1)!, 3)
    expect((await app.mail.mails(email)).filter(({ kind }) => kind === 'plan-changed')).toHaveLength(1)
  })

  test(
    "after their subscription has ended don't restore its plan",
    { tags: ['full'] },
    async ({ app, hooks: { pay, plan, cancelNow, eventsOf } }) => {
      await pay('pro')
      const paid = (await eventsOf('invoice.paid')).at(-1)!
      const updated = (await eventsOf('customer.subscription.updated')).at(-1)!
      await cancelNow()
      expect(await plan()).toBe('free')
      await (await app.stores()).sql('DELETE FROM stripe_events')
      expect(await app.stripe.redeliver(paid)).toEqual([200])
      expect(await app.stripe.redeliver(updated)).toEqual([200])
      expect(await plan()).toBe('free')
    },
  )

  test('again are recognized, without calling Stripe', async ({ app, hooks: { pay, eventsOf } }) => {
    await pay('pro')
    const paid = (await eventsOf('invoice.paid')).at(-1)!
    await app.stripe.forgetRequests()
    expect(await app.stripe.redeliver(paid, 2)).toEqual([200, 200])
    expect(await app.stripe.requests()).toEqual([])
  })

  test(
    'at the same time as clicks result in the right plan',
    { tags: ['full'] },
    async ({ app, own: { person }, hooks: { pay, paidFor } }) => {
      await app.stripe.hold()
      await pay('agency')
      await Promise.all([
        app.stripe.release({ order: 'reversed', times: 2 }),
        ...Array.from({ length: 5 }, () => person.send('POST', '/api/subscription/refresh')),
      ])
      expect(await paidFor()).toMatchObject({ plan: 'agency', status: 'active' })
    },
  )
})

describe("a message that isn't from Stripe", () => {
  test.for(['wrongSecret', 'missing', 'old', 'otherBody'] as const)(
    '(%s) is refused and changes nothing',
    async (signature, { app, own: { email }, hooks: { pay, plan } }) => {
      await pay('pro')
      const [held] = await app.stripe.subscriptionsOf(email)
      await app.stripe.forgetRequests()
      const object = { ...held, object: 'subscription', status: 'canceled' }
      expect(await app.stripe.forge({ type: 'customer.subscription.deleted', object, signature })).toEqual([400])
      expect(await app.stripe.requests()).toEqual([])
      expect(await plan()).toBe('pro')
    },
  )

  test('with nothing that Stripe sends is refused', async ({ app }) => {
    const bodies = ['', '{}', 'not json', '[]', '\0']
    for (const rawBody of bodies) {
      const answer = await app
        .visitor()
        .send('POST', '/api/stripe/webhook', undefined, { rawBody, headers: { 'stripe-signature': 't=1,v1=ab' } })
      expect(answer.status).toBe(400)
    }
    expect((await app.visitor().send('POST', '/api/stripe/webhook', undefined, { rawBody: 'x'.repeat(2_000_000) })).status).toBe(413)
  })
})

describe('even a signed message', () => {
  const signed = async (app: TestApp, event: object, extra: Record<string, string> = {}) => {
    const rawBody = JSON.stringify(event)
    const at = Math.floor(Date.now() / 1000)
    const v1 = createHmac('sha256', app.stripe.webhookSecret).update(`${at}.${rawBody}`).digest('hex')
    const headers = { 'stripe-signature': `t=${at},v1=${v1}`, ...extra }
    return (await app.visitor().send('POST', '/api/stripe/webhook', undefined, { rawBody, headers })).status
  }
  const about = (object: object, type = 'customer.subscription.updated') => ({
    id: `evt_${++people}`,
    object: 'event',
    type,
    data: { object },
  })

  test('only determines whose subscriptions are read from Stripe', async ({ app, own: { email }, hooks: { pay, plan } }) => {
    await pay('pro')
    const [held] = await app.stripe.subscriptionsOf(email)
    expect(await signed(app, about({ ...held, object: 'subscription', status: 'canceled' }))).toBe(200)
    expect(await plan()).toBe('pro')
  })

  test('about an unknown customer is acknowledged and ignored', async ({ app }) => {
    await app.stripe.forgetRequests()
    expect(await signed(app, about({ id: 'sub_1', object: 'subscription', customer: 'cus_unknown' }))).toBe(200)
    expect(await signed(app, about({ id: 'cus_unknown', object: 'customer' }, 'customer.deleted'))).toBe(200)
    expect(await app.stripe.requests()).toEqual([])
  })

  test('of an unrelated type is acknowledged and ignored', async ({ app, own: { email }, hooks: { pay } }) => {
    await pay('pro')
    const customer = (await app.stripe.customerOf(email)).id
    await app.stripe.forgetRequests()
    expect(await signed(app, about({ id: 'ch_1', object: 'charge', customer }, 'charge.succeeded'))).toBe(200)
    expect(await signed(app, about({ id: 'po_1', object: 'payout' }, 'payout.paid'))).toBe(200)
    expect(await signed(app, about({ object: 'subscription', customer: null }))).toBe(200)
    expect(await app.stripe.requests()).toEqual([])
  })

  test('is refused when a browser sends it from another site', async ({ app }) => {
    expect(await signed(app, about({ customer: 'cus_unknown' }), { origin: 'https://evil.example' })).toBe(403)
  })
})

test(
  "an event that arrives while Stripe can't be reached isn't acknowledged; its redelivery sets the plan",
  { tags: ['full'] },
  async ({ app, hooks: { pay, plan, eventsOf } }) => {
    await app.stripe.call('PUT', 'settings', { webhookRetrySeconds: [600] })
    await app.stripe.hold()
    await pay('pro')
    await app.stripe.fail({ status: 500, times: 1_000, match: 'GET /v1/subscriptions' })
    await app.stripe.release()
    expect(await plan()).toBe('free')
    const paid = (await eventsOf('invoice.paid')).at(-1)!
    expect(await app.stripe.redeliver(paid)).toEqual([500])
    await app.stripe.stopFailing()
    expect(await app.stripe.redeliver(paid)).toEqual([200])
    expect(await plan()).toBe('pro')
  },
)

test("unreadable prices don't cost anyone their plan", { tags: ['full'] }, async ({ app, own: { person }, hooks: { pay, plan } }) => {
  await pay('pro')
  await app.stripe.fail({ status: 500, times: 1_000, match: 'GET /v1/prices' })
  await app.restart()
  const refused = await person.send('POST', '/api/subscription/refresh')
  expect(refused.status).toBe(502)
  expect(await plan()).toBe('pro')
  await app.stripe.stopFailing()
})
