import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { member } from '../../../test/support/people.ts'
import { cards } from '../../../test/support/stripe-control.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { createSubscriptionAnswer, subscription, subscriptionState } from '../../contract/billing.ts'
import { user } from '../../contract/user.ts'

let people = 0

const test = appTest({ demo: false }).extend('till', { scope: 'file' }, ({ app }) => {
  async function newcomer(confirmed = false) {
    const name = `payer-${++people}`
    return { person: await member(app, { email: `${name}@example.test`, password: 'a-good-password', confirmed }), email: emailOf(name) }
  }
  return { newcomer }
})
// A test's leftovers at Stripe must not affect the next one.
test.afterEach(async ({ app }) => {
  await app.stripe.stopFailing()
  await app.stripe.release()
})

const emailOf = (name: string) => `${name}@example.test`
const choose = (person: Visitor, planType: string) => person.send('POST', '/api/create-subscription', { planType })
async function secretFor(person: Visitor, planType: string): Promise<string> {
  const answer = await choose(person, planType)
  expect(answer.status).toBe(200)
  const body = createSubscriptionAnswer.parse(answer.body)
  return 'clientSecret' in body ? body.clientSecret : ''
}
const me = async (person: Visitor) => user.parse((await person.get('/api/user')).body)
const paidBy = async (person: Visitor) => subscription.parse((await person.get('/api/subscription')).body)
const refresh = async (person: Visitor) => subscriptionState.parse((await person.send('POST', '/api/subscription/refresh')).body)

describe('choosing a plan', () => {
  test('Free succeeds immediately, without calling Stripe', async ({ app, till: { newcomer } }) => {
    const { person } = await newcomer()
    await app.stripe.forgetRequests()
    expect(await choose(person, 'free')).toMatchObject({ status: 200, body: { success: true } })
    expect(await me(person)).toMatchObject({ plan: 'free', planChosen: true })
    expect(await app.stripe.requests()).toEqual([])
  })

  test('Pro returns what the payment form needs; the plan takes effect only once it is paid', async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer(true)
    const secret = await secretFor(person, 'pro')
    expect(secret).toMatch(/^pi_\w+_secret_\w+$/)
    expect(await me(person)).toMatchObject({ plan: 'free', planChosen: false })
    expect(await paidBy(person)).toMatchObject({ plan: 'free', status: 'incomplete', begunPlan: 'pro', card: null })

    expect(await app.stripe.pay(secret)).toMatchObject({ status: 'succeeded' })
    expect(await me(person)).toMatchObject({ plan: 'pro', planChosen: true, siteLimit: 5 })
    const paid = await paidBy(person)
    expect(paid).toMatchObject({
      plan: 'pro',
      status: 'active',
      begunPlan: null,
      nextPlan: null,
      card: { brand: 'visa', last4: '4242', expMonth: 12 },
    })
    const days = (Date.parse(paid.currentPeriodEnd ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(27)
    expect(days).toBeLessThan(32)
    expect(await app.mail.mailTo(email, { kind: 'plan-changed' })).toMatchObject({ subject: "You're on the Pro plan" })
  })

  test("an address that nobody has confirmed, which may be a stranger's, gets no email about a plan", async ({
    app,
    till: { newcomer },
  }) => {
    const [claimed, confirmed] = [await newcomer(), await newcomer(true)]
    for (const { person } of [claimed, confirmed]) await app.stripe.pay(await secretFor(person, 'pro'))
    await app.mail.mailTo(confirmed.email, { kind: 'plan-changed' })
    expect(await me(claimed.person)).toMatchObject({ plan: 'pro' })
    expect(await app.mail.mails(claimed.email)).toEqual([])
  })

  test('the customer at Stripe belongs to this person only', async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    await secretFor(person, 'agency')
    expect((await app.stripe.customerOf(email)).metadata).toEqual({ user_id: (await me(person)).id })
  })

  test('the customer at Stripe gets a changed email address', async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    await secretFor(person, 'pro')
    const { id } = await app.stripe.customerOf(email)
    const moved = `moved-${email}`
    expect((await person.send('PATCH', '/api/user', { email: moved })).status).toBe(200)
    await secretFor(person, 'pro')
    expect((await app.stripe.customerOf(moved)).id).toBe(id)
  })

  test('an unknown plan is refused', async ({ till: { newcomer } }) => {
    const { person } = await newcomer()
    expect(await choose(person, 'platinum')).toMatchObject({ status: 400, body: { field: 'planType' } })
  })

  test('the browser learns how to reach Stripe, but never the secret key', async ({ till: { newcomer } }) => {
    const { person } = await newcomer()
    const { checkout } = await paidBy(person)
    expect(checkout).toEqual({ publishableKey: 'pk_test_ranklark_local_stand_in', scriptUrl: null })
    expect(JSON.stringify((await person.get('/api/subscription')).body)).not.toMatch(/sk_test|whsec/)
  })
})

describe('an abandoned payment', () => {
  test('resumes with the same client secret', async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    const first = await secretFor(person, 'pro')
    expect(await secretFor(person, 'pro')).toBe(first)
    expect(await app.stripe.subscriptionsOf(email)).toHaveLength(1)
  })

  test('can no longer be paid once another plan is chosen', async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    const pro = await secretFor(person, 'pro')
    const agency = await secretFor(person, 'agency')
    expect(agency).not.toBe(pro)
    expect((await app.stripe.subscriptionsOf(email)).map(({ status }) => status).sort()).toEqual(['incomplete', 'incomplete_expired'])
    expect(await app.stripe.confirm(pro)).toBe(400)
    await app.stripe.pay(agency)
    expect(await me(person)).toMatchObject({ plan: 'agency' })
  })

  test('is ended by choosing Free', async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    const secret = await secretFor(person, 'pro')
    expect(await choose(person, 'free')).toMatchObject({ status: 200, body: { success: true } })
    expect(await app.stripe.confirm(secret)).toBe(400)
    expect((await app.stripe.subscriptionsOf(email)).map(({ status }) => status)).toEqual(['incomplete_expired'])
    expect(await paidBy(person)).toMatchObject({ plan: 'free', status: 'none' })
  })

  test('starts over once Stripe has expired it', async ({ app, till: { newcomer } }) => {
    const { person } = await newcomer()
    const first = await secretFor(person, 'pro')
    await app.stripe.advance({ hours: 24 })
    expect(await paidBy(person)).toMatchObject({ status: 'none' })
    const second = await secretFor(person, 'pro')
    expect(second).not.toBe(first)
    await app.stripe.pay(second)
    expect(await me(person)).toMatchObject({ plan: 'pro' })
  })

  test('a double click starts one subscription', async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    const secrets = await Promise.all([secretFor(person, 'pro'), secretFor(person, 'pro'), secretFor(person, 'pro')])
    expect(new Set(secrets).size).toBe(1)
    expect(await app.stripe.subscriptionsOf(email)).toHaveLength(1)
  })

  test('two plans clicked at once leave only one that can be paid', async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    await Promise.all([choose(person, 'pro'), choose(person, 'agency')])
    expect((await app.stripe.subscriptionsOf(email)).filter(({ status }) => status === 'incomplete')).toHaveLength(1)
  })
})

describe('the card', () => {
  test('declined: the plan stays Free, and another card works in the same form', async ({ app, till: { newcomer } }) => {
    const { person } = await newcomer()
    const secret = await secretFor(person, 'pro')
    expect(await app.stripe.pay(secret, cards.declined)).toMatchObject({ status: 'requires_payment_method' })
    expect(await paidBy(person)).toMatchObject({ plan: 'free', status: 'incomplete' })
    expect(await secretFor(person, 'pro')).toBe(secret)
    await app.stripe.pay(secret)
    expect(await me(person)).toMatchObject({ plan: 'pro' })
  })

  test('requires 3-D Secure: the plan takes effect once the cardholder confirms', async ({ app, till: { newcomer } }) => {
    const { person } = await newcomer()
    const secret = await secretFor(person, 'pro')
    expect(await app.stripe.pay(secret, cards.asksEachTime)).toMatchObject({ status: 'requires_action' })
    expect(await me(person)).toMatchObject({ plan: 'free' })
    expect(await app.stripe.pay(secret, cards.asksEachTime, 'fail')).toMatchObject({ status: 'requires_payment_method' })
    expect(await me(person)).toMatchObject({ plan: 'free' })
    expect(await app.stripe.pay(secret, cards.asksEachTime, 'complete')).toMatchObject({ status: 'succeeded' })
    expect(await me(person)).toMatchObject({ plan: 'pro' })
  })
})

describe('without webhooks', () => {
  test('polling detects the payment', async ({ app, till: { newcomer } }) => {
    const { person } = await newcomer()
    const secret = await secretFor(person, 'pro')
    await app.stripe.hold()
    await app.stripe.pay(secret)
    expect(await me(person)).toMatchObject({ plan: 'free' })
    expect(await refresh(person)).toMatchObject({ user: { plan: 'pro' }, subscription: { plan: 'pro', status: 'active' } })
    await app.stripe.release()
    expect(await me(person)).toMatchObject({ plan: 'pro' })
  })

  test('polling without a payment activates nothing', async ({ till: { newcomer } }) => {
    const { person } = await newcomer()
    await secretFor(person, 'agency')
    expect(await refresh(person)).toMatchObject({ user: { plan: 'free' }, subscription: { status: 'incomplete' } })
  })

  test('polling is rate limited per person', async ({ till: { newcomer } }) => {
    const { person } = await newcomer()
    const other = (await newcomer()).person
    const statuses: number[] = []
    for (let i = 0; i < 32; i++) statuses.push((await person.send('POST', '/api/subscription/refresh')).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429])
    expect((await other.send('POST', '/api/subscription/refresh')).status).toBe(200)
  })
})

describe('someone with a plan', () => {
  test("can't buy it twice, and is sent to the settings to change it", async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    await app.stripe.pay(await secretFor(person, 'pro'))
    expect(await choose(person, 'pro')).toMatchObject({ status: 409, body: { message: 'Your Pro plan is already active.' } })
    expect(await choose(person, 'agency')).toMatchObject({
      status: 409,
      body: { message: 'Your Pro plan is active. Change it in Settings.' },
    })
    expect(await app.stripe.subscriptionsOf(email)).toHaveLength(1)
  })

  test('keeps it until the end of the paid period when choosing Free', async ({ app, till: { newcomer } }) => {
    const { person } = await newcomer()
    await app.stripe.pay(await secretFor(person, 'pro'))
    expect(await choose(person, 'free')).toMatchObject({ status: 200, body: { success: true } })
    expect(await paidBy(person)).toMatchObject({ plan: 'pro', status: 'active', nextPlan: 'free' })
  })
})

describe('when Stripe fails', () => {
  test('nothing is lost, the response names Stripe, and the next click works', async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    await app.stripe.fail({ connectionReset: true, times: 3, match: '/v1/customers' })
    expect(await choose(person, 'pro')).toMatchObject({ status: 502, body: { message: expect.stringContaining('Stripe') } })
    await app.stripe.stopFailing()
    await app.stripe.pay(await secretFor(person, 'pro'))
    expect(await me(person)).toMatchObject({ plan: 'pro' })
    expect(await app.stripe.subscriptionsOf(email)).toHaveLength(1)
  })

  test('a lost response blocks nobody, even with another address by then, and the customer is found again', async ({
    app,
    till: { newcomer },
  }) => {
    for (const moves of [false, true]) {
      const { person, email } = await newcomer()
      await app.stripe.fail({ connectionReset: true, executed: true, times: 3, match: 'POST /v1/customers' })
      expect(await choose(person, 'pro')).toMatchObject({ status: 502 })
      await app.stripe.stopFailing()
      const address = moves ? `moved-${email}` : email
      expect((await person.send('PATCH', '/api/user', { email: address })).status).toBe(200)
      await app.stripe.pay(await secretFor(person, 'pro'))
      expect(await me(person)).toMatchObject({ plan: 'pro' })
      expect((await app.stripe.state()).customers.filter((customer) => customer.email === address)).toHaveLength(1)
    }
  })

  test('a lost response creates no second customer or subscription', { tags: ['full'] }, async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    await app.stripe.fail({ connectionReset: true, executed: true, times: 1, match: 'POST /v1/customers' })
    await app.stripe.fail({ connectionReset: true, executed: true, times: 1, match: 'POST /v1/subscriptions' })
    await secretFor(person, 'pro')
    expect((await app.stripe.state()).customers.filter((customer) => customer.email === email)).toHaveLength(1)
    expect(await app.stripe.subscriptionsOf(email)).toHaveLength(1)
  })

  test('Free can still be chosen, even after starting a payment', { tags: ['full'] }, async ({ app, till: { newcomer } }) => {
    const fresh = await newcomer()
    const undecided = await newcomer()
    await secretFor(undecided.person, 'pro')
    await app.stripe.fail({ status: 500, times: 100 })
    for (const { person } of [fresh, undecided])
      expect(await choose(person, 'free')).toMatchObject({ status: 200, body: { success: true } })
    await app.stripe.stopFailing()
  })

  test(
    "Free can't be chosen with a paid plan, since it has to be ended at Stripe",
    { tags: ['full'] },
    async ({ app, till: { newcomer } }) => {
      const { person } = await newcomer()
      await app.stripe.pay(await secretFor(person, 'pro'))
      await app.stripe.fail({ status: 500, times: 100 })
      expect(await choose(person, 'free')).toMatchObject({ status: 502, body: { message: expect.stringContaining('Stripe') } })
      await app.stripe.stopFailing()
      expect(await paidBy(person)).toMatchObject({ plan: 'pro', nextPlan: null })
    },
  )

  test('a customer that was deleted at Stripe is created again', { tags: ['full'] }, async ({ app, till: { newcomer } }) => {
    const { person, email } = await newcomer()
    await secretFor(person, 'pro')
    const before = await app.stripe.customerOf(email)
    const headers = { authorization: 'Bearer sk_test_ranklark_local_stand_in' }
    await fetch(`${app.stripe.url}/v1/customers/${before.id}`, { method: 'DELETE', headers })
    await app.stripe.settled()
    await app.stripe.pay(await secretFor(person, 'pro'))
    expect(await me(person)).toMatchObject({ plan: 'pro' })
    expect((await app.stripe.customerOf(email)).id).not.toBe(before.id)
  })
})

test('the content security policy allows what Stripe requires, and nothing else', async ({ app }) => {
  const policy = (await app.visitor().get('/api/plans')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com")
  expect(policy).toContain("frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com")
  expect(policy).toContain("connect-src 'self' https://api.stripe.com")
  expect(policy).toContain("form-action 'self'")
})
