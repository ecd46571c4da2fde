import { describe, expect, onTestFinished } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { newPerson, select } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { changePreview, createSubscriptionAnswer, subscription } from '../../contract/billing.ts'
import { type PlanId, user } from '../../contract/user.ts'

let people = 0

const test = appTest({ demo: false })
  // Nothing here needs data: every sync stops at its first request.
  .extend('withoutData', { scope: 'file', auto: true }, ({ app }) => app.google.fail({ error: 'loadQuota', times: 100_000, kind: 'query' }))
  .extend('till', { scope: 'file' }, ({ app }) => {
    /** Somebody with a paid plan and this many monitored sites, the first one selected. */
    async function payer(plan: PlanId, sites: number) {
      const email = `lapses-${++people}@example.test`
      const names = Array.from({ length: sites }, (_, i) => `https://site${i + 1}.lapses-${people}.example/`)
      const person = await newPerson(app, { email, sites: Object.fromEntries(names.map((name) => [name, 'empty' as const])) })
      await pay(person, plan)
      if (sites > 0) await person.send('POST', '/api/gsc-properties/monitor', { sites: names })
      expect((await sitesOf(person)).monitored).toHaveLength(sites)
      return { person, email, names }
    }
    async function pay(person: Visitor, planType: PlanId): Promise<void> {
      const begun = createSubscriptionAnswer.parse((await person.send('POST', '/api/create-subscription', { planType })).body)
      if ('clientSecret' in begun) await app.stripe.pay(begun.clientSecret)
    }
    /** The renewal and all retries fail, until Stripe gives up. */
    async function lapse(email: string): Promise<void> {
      await app.stripe.failCard(email)
      await app.stripe.advance({ days: 32 })
      await app.stripe.advance({ days: 30 })
    }
    const kinds = async (email: string) => (await app.mail.mails(email)).map(({ kind }) => kind).toReversed()
    return { payer, pay, lapse, kinds }
  })

const me = async (person: Visitor) => user.parse((await person.get('/api/user')).body)
const subscriptionNow = async (person: Visitor) => subscription.parse((await person.get('/api/subscription')).body)
const numbers = (names: (string | undefined)[]) => names.map((name) => Number(/site(\d+)/.exec(name ?? '')?.[1])).sort((a, b) => a - b)
async function sitesOf(person: Visitor) {
  const { gscProperties } = await me(person)
  const named = (wanted: 'monitored' | 'paused') => numbers((gscProperties ?? []).filter((each) => each[wanted]).map(({ name }) => name))
  return { monitored: named('monitored'), paused: named('paused') }
}

describe('a renewal that fails', () => {
  test('leaves the plan and the sites while Stripe retries, and the owner gets one email', async ({ app, till: { payer, kinds } }) => {
    const { person, email } = await payer('pro', 3)
    await app.stripe.failCard(email, 'insufficient_funds')
    await app.stripe.advance({ days: 32 })
    expect(await subscriptionNow(person)).toMatchObject({ plan: 'pro', status: 'past_due', card: { last4: '4242' } })
    expect(await sitesOf(person)).toEqual({ monitored: [1, 2, 3], paused: [] })
    const mail = await app.mail.mailTo(email, { kind: 'payment-failed' })
    expect(mail.text).toMatch(/tr(y|ied) (it )?again/i)

    await app.stripe.advance({ days: 4 })
    await person.send('POST', '/api/subscription/refresh')
    expect(await subscriptionNow(person)).toMatchObject({ plan: 'pro', status: 'past_due' })
    expect((await kinds(email)).filter((kind) => kind === 'payment-failed')).toHaveLength(1)
  })

  test('is cleared once a retry succeeds', { tags: ['full'] }, async ({ app, till: { payer } }) => {
    const { person, email } = await payer('pro', 0)
    await app.stripe.failCard(email)
    await app.stripe.advance({ days: 32 })
    expect(await subscriptionNow(person)).toMatchObject({ status: 'past_due' })
    await app.stripe.failCard(email, null)
    await app.stripe.advance({ days: 4 })
    expect(await subscriptionNow(person)).toMatchObject({ plan: 'pro', status: 'active' })
  })

  test('followed by a cancellation ends the plan immediately, and the open invoice is no longer charged', async ({
    app,
    till: { payer },
  }) => {
    const { person, email } = await payer('pro', 2)
    await app.stripe.failCard(email)
    await app.stripe.advance({ days: 32 })
    expect(await app.stripe.invoicesOf(email)).toEqual(['paid', 'open'])
    const preview = await person.send('POST', '/api/subscription/preview', { planType: 'free' })
    expect(changePreview.parse(preview.body)).toEqual({ takesEffect: 'now', dueNow: 0, price: 0, at: null })
    expect(await person.send('POST', '/api/subscription/change', { planType: 'free' })).toMatchObject({
      status: 200,
      body: {
        outcome: 'changed',
        user: { plan: 'free', sitesMonitored: 1, sitesPaused: 1 },
        subscription: { plan: 'free', status: 'none', currentPeriodEnd: null, nextPlan: null },
      },
    })
    await app.mail.mailTo(email, { kind: 'plan-ended' })
    await app.stripe.failCard(email, null)
    await app.stripe.advance({ days: 40 })
    expect(await app.stripe.invoicesOf(email)).toEqual(['paid', 'void'])
    expect(await me(person)).toMatchObject({ plan: 'free' })
  })

  test(
    'followed by a cancellation works the same the next time, whatever was scheduled before',
    { tags: ['full'] },
    async ({ app, till: { payer } }) => {
      const { person, email } = await payer('agency', 0)
      await app.stripe.call('PUT', 'settings', { afterRetries: 'past_due' })
      await app.stripe.failCard(email)
      await app.stripe.advance({ days: 32 })
      await app.stripe.advance({ days: 30 })
      expect(await app.stripe.invoicesOf(email)).toEqual(['paid', 'open', 'open'])
      await app.stripe.call('PUT', 'settings', { afterRetries: 'cancel' })
      const planned = await person.send('POST', '/api/subscription/change', { planType: 'pro' })
      expect(planned).toMatchObject({ status: 200, body: { outcome: 'scheduled', subscription: { nextPlan: 'pro' } } })
      // By the other route, for choosing a first plan.
      expect((await person.send('POST', '/api/create-subscription', { planType: 'free' })).status).toBe(200)
      expect(await subscriptionNow(person)).toMatchObject({ plan: 'free', status: 'none', nextPlan: null })
      await app.stripe.failCard(email, null)
      await app.stripe.advance({ days: 40 })
      expect(await app.stripe.invoicesOf(email)).toEqual(['paid', 'void', 'void'])
    },
  )

  test('blocks an upgrade, but not a cancellation', { tags: ['full'] }, async ({ app, till: { payer } }) => {
    const { person, email } = await payer('pro', 0)
    await app.stripe.failCard(email)
    await app.stripe.advance({ days: 32 })
    expect(await person.send('POST', '/api/subscription/change', { planType: 'agency' })).toMatchObject({
      status: 409,
      body: { message: 'Your last payment failed. Update your card first, then change the plan.' },
    })
    expect((await person.send('POST', '/api/subscription/change', { planType: 'free' })).status).toBe(200)
  })
})

describe('a subscription that lapses', () => {
  test('falls back to Free: the selected site stays, the others are paused, nothing is deleted, and an email lists them', async ({
    app,
    till: { payer, lapse, kinds },
  }) => {
    const { person, email, names } = await payer('pro', 5)
    await select(person, names[2]!)
    await lapse(email)
    expect(await me(person)).toMatchObject({ plan: 'free', siteLimit: 1, sitesMonitored: 1, sitesPaused: 4, selectedProperty: names[2] })
    expect(await sitesOf(person)).toEqual({ monitored: [3], paused: [1, 2, 4, 5] })
    expect(await subscriptionNow(person)).toMatchObject({ plan: 'free', status: 'none' })
    const mail = await app.mail.mailTo(email, { kind: 'plan-ended' })
    expect(numbers(mail.text.match(/site\d+\.lapses/g) ?? [])).toEqual([1, 2, 4, 5])
    expect(await kinds(email)).toEqual(['plan-changed', 'payment-failed', 'plan-ended'])
  })

  test('lets the owner choose which site stays', { tags: ['full'] }, async ({ till: { payer, lapse } }) => {
    const { person, email, names } = await payer('pro', 3)
    await lapse(email)
    const answer = await person.send('POST', '/api/gsc-properties/monitor', { sites: [names[1]] })
    expect(answer).toMatchObject({ status: 200, body: { user: { selectedProperty: names[1], sitesMonitored: 1, sitesPaused: 2 } } })
    expect(await sitesOf(person)).toEqual({ monitored: [2], paused: [1, 3] })
    const tooMany = await person.send('POST', '/api/gsc-properties/monitor', { sites: names.slice(0, 2) })
    expect(tooMany).toMatchObject({ status: 403, body: { message: 'Your Free plan allows up to 1 site(s).' } })
  })

  test('and is bought again resumes the paused sites', async ({ app, till: { payer, pay, lapse } }) => {
    const { person, email } = await payer('pro', 4)
    await lapse(email)
    await app.stripe.failCard(email, null)
    await pay(person, 'pro')
    expect(await me(person)).toMatchObject({ plan: 'pro', sitesMonitored: 4, sitesPaused: 0 })
    const { sql } = await app.stores()
    const [row] = await sql<{ count: string }>(
      `SELECT count(*) FROM properties WHERE paused_at IS NOT NULL AND user_id = (SELECT id FROM users WHERE email = $1)`,
      [email],
    )
    expect(Number(row?.count)).toBe(0)
  })

  test(
    'and stays unpaid at Stripe is ended when a new one is bought, so nobody pays twice',
    { tags: ['full'] },
    async ({ app, till: { payer, pay, lapse } }) => {
      const { person, email } = await payer('pro', 0)
      await app.stripe.call('PUT', 'settings', { afterRetries: 'unpaid' })
      await lapse(email)
      await app.stripe.call('PUT', 'settings', { afterRetries: 'cancel' })
      expect((await app.stripe.subscriptionsOf(email)).map(({ status }) => status)).toEqual(['unpaid'])
      expect(await subscriptionNow(person)).toMatchObject({ plan: 'free', status: 'none' })
      await app.stripe.failCard(email, null)
      await pay(person, 'pro')
      expect((await app.stripe.subscriptionsOf(email)).map(({ status }) => status).sort()).toEqual(['active', 'canceled'])
    },
  )

  test("to a smaller plan pauses the sites that plan doesn't cover", { tags: ['full'] }, async ({ app, till: { payer } }) => {
    const { person } = await payer('agency', 7)
    await person.send('POST', '/api/subscription/change', { planType: 'pro' })
    expect(await sitesOf(person)).toEqual({ monitored: [1, 2, 3, 4, 5, 6, 7], paused: [] })
    await app.stripe.settled()
    await app.stripe.advance({ days: 32 })
    expect(await sitesOf(person)).toEqual({ monitored: [1, 2, 3, 4, 5], paused: [6, 7] })
  })
})

describe('without webhooks', () => {
  const review = (app: TestApp) => app.send('billing-review')

  test('the nightly check finds what changed', async ({ app, till: { payer, lapse } }) => {
    const { person, email } = await payer('pro', 2)
    await app.stripe.hold()
    onTestFinished(async () => void (await app.stripe.release()))
    await lapse(email)
    expect(await me(person)).toMatchObject({ plan: 'pro' })
    // Others come first, two seconds apart.
    await (await app.stores()).sql(`DELETE FROM stripe_customers WHERE user_id <> (SELECT id FROM users WHERE email = $1)`, [email])
    await review(app)
    await until(
      () => me(person),
      ({ plan, sitesPaused }) => plan === 'free' && sitesPaused === 1,
    )
    expect(await sitesOf(person)).toMatchObject({ paused: [2] })
  })
})

test(
  'the consequences of a change are completed even if the server stopped in between',
  { tags: ['full'] },
  async ({ app, till: { payer } }) => {
    const { person, email } = await payer('pro', 3)
    await app.mail.mailTo(email, { kind: 'plan-changed' })
    const { sql } = await app.stores()
    const [id] = await sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [email])
    // As left by a transaction whose process ended right after it: the plan and the job are stored, nothing else was done.
    await sql(`UPDATE people SET plan = 'free' WHERE user_id = $1`, [id?.id])
    expect(await sitesOf(person)).toEqual({ monitored: [1, 2, 3], paused: [] })
    const emails = [{ kind: 'plan-ended', plan: 'pro', at: null }]
    await app.send('billing-change', { userId: id?.id ?? '', from: 'pro', to: 'free', letters: emails })
    await until(
      () => sitesOf(person),
      ({ paused }) => paused.length === 2,
    )
    await app.mail.mailTo(email, { kind: 'plan-ended' })
  },
)
