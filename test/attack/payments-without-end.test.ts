import { expect } from 'vitest'
import { createSubscriptionAnswer, subscription } from '../../src/contract/billing.ts'
import { appTest } from '../support/app-test.ts'
import { member } from '../support/people.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'

// An account that starts payments without end and finishes none: each leaves a subscription at Stripe, whose rate limit everybody shares.

const aDay = 20
const ofNetwork = 100
let people = 0

const test = appTest({ demo: false }).extend('attack', async ({ app }) => {
  const { sql } = await app.stores()
  await sql('DELETE FROM attempts')
  const someone = async () => {
    const email = `payer${++people}@example.test`
    return { email, person: await member(app, { email, password: 'a-good-password' }) }
  }
  const choose = (who: Visitor, planType: string, address = '198.51.100.7') =>
    who.send('POST', '/api/create-subscription', { planType }, { headers: { 'x-forwarded-for': address } })
  /** This many have been started today: by the accounts that started any, or in their networks. */
  const used = (by: 'account' | 'address', count: number) =>
    sql('UPDATE attempts SET points = $1 WHERE key LIKE $2', [count, `subscription-${by}:%`])
  return { someone, choose, used }
})

test(
  'switching between plans starts at most twenty subscriptions a day; the last one can still be paid',
  { tags: ['full'] },
  async ({ app, attack: { someone, choose, used } }) => {
    const { person, email } = await someone()
    const secretFor = async (plan: string): Promise<string> => {
      const answer = await choose(person, plan)
      expect(answer.status).toBe(200)
      const begun = createSubscriptionAnswer.parse(answer.body)
      return 'clientSecret' in begun ? begun.clientSecret : ''
    }
    await secretFor('agency')
    await secretFor('pro')
    await used('account', aDay - 1)
    const last = await secretFor('agency')
    expect(await choose(person, 'pro')).toMatchObject({
      status: 429,
      body: {
        message:
          'Too many payments were started today from this account or network. You can still pay for the plan you chose last. Choose another one tomorrow.',
      },
    })
    expect(await app.stripe.subscriptionsOf(email)).toHaveLength(3)
    expect((await app.stripe.subscriptionsOf(email)).filter(({ status }) => status === 'incomplete')).toHaveLength(1)

    // Asking for the plan chosen last is not a new start, and others have their own.
    expect(await choose(person, 'agency')).toMatchObject({ status: 200, body: { clientSecret: last } })
    expect((await choose((await someone()).person, 'pro')).status).toBe(200)
    await app.stripe.pay(last)
    expect((await person.get('/api/subscription')).body).toMatchObject({ plan: 'agency', status: 'active' })
  },
)

test("one network's accounts start a hundred a day, and other networks aren't affected", async ({ attack: { someone, choose, used } }) => {
  expect((await choose((await someone()).person, 'pro')).status).toBe(200)
  await used('address', ofNetwork)
  const { person } = await someone()
  expect((await choose(person, 'pro')).status).toBe(429)
  expect((await choose(person, 'pro', '203.0.113.9')).status).toBe(200)
})

test("what an account is refused doesn't use up its network's daily limit", async ({ app, attack: { someone, choose, used } }) => {
  const { person } = await someone()
  const [own, office] = ['2001:db8:1:2::3', '2001:db8:1:2::4']
  expect((await choose(person, 'pro', own)).status).toBe(200)
  await used('account', aDay)
  const { sql } = await app.stores()
  const ofNetworks = () => sql<{ points: number }>("SELECT points FROM attempts WHERE key ~ '^subscription-(address|wide):'")
  for (const plan of ['agency', 'agency', 'agency']) expect((await choose(person, plan, own)).status).toBe(429)
  expect((await ofNetworks()).map(({ points }) => points)).toEqual([1, 1])
  expect((await choose((await someone()).person, 'pro', office)).status).toBe(200)
  expect((await ofNetworks()).map(({ points }) => points)).toEqual([2, 2])
})

test(
  'subscriptions that are over are read without their details, and at most a hundred of them',
  { tags: ['full'] },
  async ({ app, attack: { someone, choose } }) => {
    const { person, email } = await someone()
    for (const plan of ['pro', 'agency', 'pro']) expect((await choose(person, plan)).status).toBe(200)
    await app.stripe.settled()
    await app.stripe.forgetRequests()
    expect((await person.send('POST', '/api/subscription/refresh')).status).toBe(200)
    const lists = (await app.stripe.requests()).filter(({ path }) => path === '/v1/subscriptions')
    const params = lists.map((each) => new URLSearchParams(each.params))
    expect(params.map((each) => [each.get('status'), each.get('limit'), each.toString().includes('expand')])).toEqual([
      [null, '100', true],
      ['ended', '100', false],
    ])
    const { sql } = await app.stores()
    const stored = await sql<{ status: string }>(
      'SELECT status FROM subscriptions JOIN users ON users.id = user_id WHERE email = $1 ORDER BY subscriptions.created_at, status',
      [email],
    )
    expect(stored.map(({ status }) => status).sort()).toEqual(['incomplete', 'incomplete_expired', 'incomplete_expired'])

    await app.stripe.forgetRequests()
    expect((await person.send('POST', '/api/subscription/preview', { planType: 'agency' })).status).toBe(200)
    expect((await app.stripe.requests()).filter(({ path }) => path === '/v1/subscriptions')).toHaveLength(1)
  },
)

test(
  'thirty requests for a price at once wait for one another or are refused; somebody else is answered meanwhile',
  { tags: ['full'] },
  async ({ app, attack: { someone, choose } }) => {
    const [attacker, other] = [await someone(), await someone()]
    for (const { person } of [attacker, other]) expect((await choose(person, 'pro')).status).toBe(200)
    await app.stripe.settled()
    await app.stripe.forgetRequests()
    const asked = async () => (await app.stripe.requests()).filter(({ path }) => path === '/v1/subscriptions').length
    await app.stripe.call('POST', 'fail', { match: 'GET /v1/subscriptions', hang: true, times: 1 })
    const preview = (who: Visitor) => who.send('POST', '/api/subscription/preview', { planType: 'agency' })
    const previews = Array.from({ length: 30 }, () => preview(attacker.person))
    await until(asked, (count) => count > 0)
    expect((await preview(other.person)).status).toBe(200)
    // The attacker's first, which Stripe doesn't answer, and the other person's.
    expect(await asked()).toBe(2)
    const statuses = (await Promise.all(previews)).map(({ status }) => status)
    expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length]).toEqual([11, 19])
    expect(subscription.parse((await attacker.person.get('/api/subscription')).body).status).toBe('incomplete')
  },
)

test('the same plan asked for again and again is counted too, by network; neither others nor giving up the plan are affected', async ({
  app,
  attack: { someone, choose },
}) => {
  const { person } = await someone()
  expect((await choose(person, 'pro')).status).toBe(200)
  const { sql } = await app.stores()
  await sql("UPDATE attempts SET points = 300 WHERE key LIKE 'checkout-address:%'")
  await app.stripe.settled()
  await app.stripe.forgetRequests()
  expect((await choose(person, 'pro')).status).toBe(429)
  expect((await choose((await someone()).person, 'pro')).status).toBe(429)
  expect((await app.stripe.requests()).filter(({ path }) => path === '/v1/subscriptions')).toEqual([])
  expect((await choose((await someone()).person, 'pro', '203.0.113.9')).status).toBe(200)
  expect((await choose(person, 'free')).status).toBe(200)
})
