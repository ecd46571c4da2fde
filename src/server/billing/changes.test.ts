import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { member } from '../../../test/support/people.ts'
import { cards } from '../../../test/support/stripe-control.ts'
import {
  type ChangeAnswer,
  changeAnswer,
  changePreview,
  createSubscriptionAnswer,
  portalAnswer,
  subscription,
  subscriptionState,
} from '../../contract/billing.ts'
import type { PlanId } from '../../contract/user.ts'

let people = 0

const test = appTest({ demo: false })
  .extend('own', async ({ app }) => {
    const name = `changer-${++people}`
    const person = await member(app, { email: `${name}@example.test`, password: 'a-good-password', confirmed: true })
    const email = `${name}@example.test`
    return { person, email }
  })
  .extend('plans', ({ app, own: { person, email } }) => {
    async function pay(planType: PlanId, card?: string, answer?: 'complete' | 'fail'): Promise<void> {
      const begun = await person.send('POST', '/api/create-subscription', { planType })
      const body = createSubscriptionAnswer.parse(begun.body)
      if ('clientSecret' in body) await app.stripe.pay(body.clientSecret, card, answer)
    }
    const send = (call: string, planType?: PlanId) => person.send('POST', `/api/subscription/${call}`, planType && { planType })
    async function change(planType: PlanId): Promise<ChangeAnswer> {
      const answer = await send('change', planType)
      expect(answer).toMatchObject({ status: 200 })
      await app.stripe.settled()
      return changeAnswer.parse(answer.body)
    }
    const preview = async (planType: PlanId) => changePreview.parse((await send('preview', planType)).body)
    const subscriptionNow = async () => subscription.parse((await person.get('/api/subscription')).body)
    const refresh = async () => subscriptionState.parse((await send('refresh')).body)
    const live = async () => (await app.stripe.subscriptionsOf(email)).find(({ status }) => status === 'active' || status === 'past_due')
    return { pay, send, change, preview, subscriptionNow, refresh, live }
  })

describe('an upgrade', () => {
  test('costs the prorated difference, takes effect immediately, and keeps the next billing date', async ({
    app,
    own: { email },
    plans: { pay, change, preview, subscriptionNow },
  }) => {
    await pay('pro')
    const { currentPeriodEnd } = await subscriptionNow()
    expect(await preview('agency')).toEqual({ takesEffect: 'now', dueNow: 20, price: 29, at: currentPeriodEnd })
    expect(await change('agency')).toMatchObject({
      outcome: 'changed',
      clientSecret: null,
      user: { plan: 'agency', siteLimit: 25 },
      subscription: { plan: 'agency', status: 'active', nextPlan: null, currentPeriodEnd },
    })
    expect(await app.mail.mailTo(email, { subject: "You're on the Agency plan" })).toBeDefined()
  })

  test('in the middle of a period costs about half as much', { tags: ['full'] }, async ({ app, plans: { pay, preview } }) => {
    await pay('pro')
    await app.stripe.advance({ days: 15 })
    const { dueNow } = await preview('agency')
    expect(dueNow).toBeGreaterThan(9)
    expect(dueNow).toBeLessThan(11)
  })

  test('that needs 3-D Secure takes effect only after the cardholder confirms', async ({
    app,
    plans: { pay, change, subscriptionNow },
  }) => {
    await pay('pro', cards.asksEachTime, 'complete')
    const asked = await change('agency')
    expect(asked).toMatchObject({ outcome: 'action_required', user: { plan: 'pro' }, subscription: { plan: 'pro', status: 'active' } })
    expect(await app.stripe.pay(asked.clientSecret ?? '', cards.asksEachTime, 'complete')).toMatchObject({ status: 'succeeded' })
    expect(await subscriptionNow()).toMatchObject({ plan: 'agency', status: 'active' })
  })

  test(
    'that needs 3-D Secure is also detected without webhooks, by polling',
    { tags: ['full'] },
    async ({ app, plans: { pay, change, subscriptionNow, refresh } }) => {
      await pay('pro', cards.asksEachTime, 'complete')
      const { clientSecret } = await change('agency')
      await app.stripe.hold()
      await app.stripe.pay(clientSecret ?? '', cards.asksEachTime, 'complete')
      expect(await subscriptionNow()).toMatchObject({ plan: 'pro' })
      expect(await refresh()).toMatchObject({ user: { plan: 'agency' }, subscription: { plan: 'agency' } })
      await app.stripe.release()
    },
  )

  test(
    'abandoned during 3-D Secure leaves the plan unchanged, and can be restarted',
    { tags: ['full'] },
    async ({ app, plans: { pay, change, subscriptionNow } }) => {
      await pay('pro', cards.asksEachTime, 'complete')
      const first = await change('agency')
      const second = await change('agency')
      expect(second).toMatchObject({ outcome: 'action_required', user: { plan: 'pro' } })
      expect(second.clientSecret).not.toBe(first.clientSecret)
      expect(await app.stripe.confirm(first.clientSecret ?? '')).toBe(400)
      await app.stripe.advance({ hours: 24 })
      expect(await subscriptionNow()).toMatchObject({ plan: 'pro', status: 'active', nextPlan: null })
      expect(await app.stripe.confirm(second.clientSecret ?? '')).toBe(400)
    },
  )

  test("with a declined card leaves the plan unchanged and shows Stripe's message", async ({
    app,
    own: { email },
    plans: { pay, send, change, subscriptionNow },
  }) => {
    await pay('pro')
    await app.stripe.failCard(email, 'insufficient_funds')
    expect(await send('change', 'agency')).toMatchObject({ status: 409, body: { message: 'Your card has insufficient funds.' } })
    await app.stripe.settled()
    expect(await subscriptionNow()).toMatchObject({ plan: 'pro', status: 'active' })
    await app.stripe.failCard(email, null)
    expect(await change('agency')).toMatchObject({ outcome: 'changed', user: { plan: 'agency' } })
  })

  test('undoes a cancellation', { tags: ['full'] }, async ({ app, plans: { pay, change, subscriptionNow } }) => {
    await pay('pro')
    await change('free')
    expect(await change('agency')).toMatchObject({ outcome: 'changed', subscription: { plan: 'agency', nextPlan: null } })
    await app.stripe.advance({ days: 40 })
    expect(await subscriptionNow()).toMatchObject({ plan: 'agency', status: 'active' })
  })

  test('costs nothing while the plan is set to end on a certain day, and is possible once that is undone', async ({
    app,
    plans: { pay, send, change, subscriptionNow, live, refresh },
  }) => {
    await pay('pro')
    const { id } = (await live())!
    const headers = { authorization: 'Bearer sk_test_ranklark_local_stand_in', 'content-type': 'application/x-www-form-urlencoded' }
    const end = Date.parse((await subscriptionNow()).currentPeriodEnd!) / 1000 + 86_400
    const ended = await fetch(`${app.stripe.url}/v1/subscriptions/${id}`, { method: 'POST', headers, body: `cancel_at=${end}` })
    expect(ended.status).toBe(200)
    expect(await refresh()).toMatchObject({ subscription: { plan: 'pro', nextPlan: 'free' } })
    for (const call of ['preview', 'change'])
      expect(await send(call, 'agency')).toMatchObject({
        status: 409,
        body: { message: 'Your Pro plan is set to end. Choose “Keep Pro” first, then upgrade.' },
      })
    expect(await refresh()).toMatchObject({ subscription: { plan: 'pro', nextPlan: 'free' } })
    expect((await send('resume')).status).toBe(200)
    expect(await change('agency')).toMatchObject({ outcome: 'changed', subscription: { plan: 'agency', nextPlan: null } })
  })

  test(
    'that is declined leaves a cancellation in place',
    { tags: ['full'] },
    async ({ app, own: { email }, plans: { pay, send, change, subscriptionNow } }) => {
      await pay('pro')
      await change('free')
      await app.stripe.failCard(email)
      expect(await send('change', 'agency')).toMatchObject({ status: 409, body: { message: 'Your card was declined.' } })
      await app.stripe.settled()
      expect(await subscriptionNow()).toMatchObject({ plan: 'pro', nextPlan: 'free' })
    },
  )

  test('requested twice at once is charged once', async ({ app, own: { email }, plans: { pay, send } }) => {
    await pay('pro')
    const answers = await Promise.all([send('change', 'agency'), send('change', 'agency')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const updates = (await app.stripe.requests()).filter(
      ({ params }) => params.includes('pending_if_incomplete') && params.includes('agency'),
    )
    expect(updates.length).toBeGreaterThan(0)
    expect(await app.stripe.subscriptionsOf(email)).toHaveLength(1)
  })
})

describe('a downgrade', () => {
  test('costs nothing now and takes effect at the end of the paid period', async ({
    app,
    plans: { pay, change, preview, subscriptionNow },
  }) => {
    await pay('agency')
    const { currentPeriodEnd } = await subscriptionNow()
    expect(await preview('pro')).toEqual({ takesEffect: 'period_end', dueNow: 0, price: 9, at: currentPeriodEnd })
    expect(await change('pro')).toMatchObject({
      outcome: 'scheduled',
      user: { plan: 'agency' },
      subscription: { plan: 'agency', nextPlan: 'pro', currentPeriodEnd },
    })
    await app.stripe.advance({ days: 32 })
    expect(await subscriptionNow()).toMatchObject({ plan: 'pro', status: 'active', nextPlan: null })
    await app.stripe.advance({ days: 62 })
    expect(await subscriptionNow()).toMatchObject({ plan: 'pro', status: 'active' })
  })

  test('can be undone', async ({ app, plans: { pay, send, change, subscriptionNow } }) => {
    await pay('agency')
    await change('pro')
    expect(subscriptionState.parse((await send('resume')).body).subscription).toMatchObject({ plan: 'agency', nextPlan: null })
    await app.stripe.settled()
    await app.stripe.advance({ days: 32 })
    expect(await subscriptionNow()).toMatchObject({ plan: 'agency', status: 'active' })
  })

  test(
    'is replaced by a cancellation, and the other way around',
    { tags: ['full'] },
    async ({ app, plans: { pay, change, subscriptionNow } }) => {
      await pay('agency')
      await change('pro')
      expect(await change('free')).toMatchObject({ outcome: 'scheduled', subscription: { plan: 'agency', nextPlan: 'free' } })
      expect(await change('pro')).toMatchObject({ outcome: 'scheduled', subscription: { plan: 'agency', nextPlan: 'pro' } })
      await app.stripe.advance({ days: 32 })
      expect(await subscriptionNow()).toMatchObject({ plan: 'pro', status: 'active', nextPlan: null })
    },
  )

  test('is undone by choosing the current plan', { tags: ['full'] }, async ({ plans: { pay, send, change } }) => {
    await pay('agency')
    await change('pro')
    expect(await change('agency')).toMatchObject({ outcome: 'changed', subscription: { plan: 'agency', nextPlan: null } })
    expect(await send('change', 'agency')).toMatchObject({ status: 409, body: { message: 'Your Agency plan is already active.' } })
  })

  test(
    'that Stripe could only schedule partly leaves nothing behind',
    { tags: ['full'] },
    async ({ app, plans: { pay, send, change, live } }) => {
      await pay('agency')
      await app.stripe.fail({ status: 400, times: 1, after: 1, match: 'POST /v1/subscription_schedules' })
      expect((await send('change', 'pro')).status).toBe(502)
      await app.stripe.stopFailing()
      expect((await live())?.schedule).toBeNull()
      expect(await change('pro')).toMatchObject({ outcome: 'scheduled' })
    },
  )
})

describe('a cancellation', () => {
  test('costs nothing and keeps the plan until the end of the period, then the account is on Free', async ({
    app,
    own: { email },
    plans: { pay, change, preview, subscriptionNow },
  }) => {
    await pay('pro')
    const { currentPeriodEnd } = await subscriptionNow()
    expect(await preview('free')).toEqual({ takesEffect: 'period_end', dueNow: 0, price: 0, at: currentPeriodEnd })
    expect(await change('free')).toMatchObject({ outcome: 'scheduled', subscription: { plan: 'pro', nextPlan: 'free' } })
    await app.stripe.advance({ days: 32 })
    expect(await subscriptionNow()).toMatchObject({ plan: 'free', status: 'none', currentPeriodEnd: null, nextPlan: null, card: null })
    expect(await app.mail.mailTo(email, { kind: 'plan-ended' })).toMatchObject({ subject: 'Your Pro plan has ended' })
  })

  test('can be undone, once', { tags: ['full'] }, async ({ app, plans: { pay, send, change, subscriptionNow } }) => {
    await pay('pro')
    await change('free')
    expect(subscriptionState.parse((await send('resume')).body).subscription).toMatchObject({ plan: 'pro', nextPlan: null })
    expect(await send('resume')).toMatchObject({ status: 409, body: { message: 'There is no scheduled change to undo.' } })
    await app.stripe.settled()
    await app.stripe.advance({ days: 32 })
    expect(await subscriptionNow()).toMatchObject({ plan: 'pro', status: 'active' })
  })

  test("doesn't prevent buying the plan again later", { tags: ['full'] }, async ({ app, plans: { pay, change, subscriptionNow } }) => {
    await pay('pro')
    await change('free')
    await app.stripe.advance({ days: 32 })
    await pay('agency')
    expect(await subscriptionNow()).toMatchObject({ plan: 'agency', status: 'active' })
  })
})

describe('without a paid plan', () => {
  test('there is nothing to change, undo or manage', async ({ plans: { send, change, preview } }) => {
    expect(await send('change', 'pro')).toMatchObject({
      status: 409,
      body: { message: 'You have no paid plan to change. Choose a plan and pay for it first.' },
    })
    expect((await send('resume')).status).toBe(409)
    expect(await send('portal')).toMatchObject({ status: 409, body: { message: 'You have no payments to manage yet.' } })
    expect(await preview('pro')).toEqual({ takesEffect: 'now', dueNow: 9, price: 9, at: null })
    expect(await change('free')).toMatchObject({ outcome: 'changed', user: { plan: 'free', planChosen: true } })
  })
})

describe('card and invoices', () => {
  test("are on Stripe's own page, which links back to the settings", async ({ app, plans: { pay, send } }) => {
    await pay('pro')
    const { url } = portalAnswer.parse((await send('portal')).body)
    expect(new URL(url).origin).toBe(app.stripe.url)
    const asked = (await app.stripe.requests()).findLast(({ path }) => path === '/v1/billing_portal/sessions')
    expect(new URLSearchParams(asked?.params).get('return_url')).toBe(`${app.url}/settings`)
  })
})

test('when Stripe fails, the response says so and nothing changes', { tags: ['full'] }, async ({ app, plans: { pay, send, refresh } }) => {
  await pay('pro')
  await app.stripe.fail({ status: 500, times: 100 })
  for (const call of ['preview', 'change'] as const) {
    const answer = await send(call, 'agency')
    expect(answer).toMatchObject({ status: 502, body: { message: expect.stringContaining('Stripe') } })
  }
  expect((await send('portal')).status).toBe(502)
  await app.stripe.stopFailing()
  expect(await refresh()).toMatchObject({ subscription: { plan: 'pro', status: 'active' } })
})
