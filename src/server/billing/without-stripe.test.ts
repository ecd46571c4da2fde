import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { newPerson, registered } from '../../../test/support/people.ts'
import { changePreview, plans, subscription, subscriptionState } from '../../contract/billing.ts'
import { user } from '../../contract/user.ts'

// An installation to which nobody gave Stripe's keys.
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false, stripe: false })
  await app.google.fail({ error: 'loadQuota', times: 100_000, kind: 'query' })
})
afterAll(() => app.close())

const notSetUp = { status: 409, body: { message: 'Card payment is not set up on this installation.' } }

test('the catalogue is for everyone, visitors too', async () => {
  const answer = await app.visitor().get('/api/plans')
  expect(plans.parse(answer.body).map(({ id, price, siteLimit, popular }) => [id, price, siteLimit, popular ?? false])).toEqual([
    ['free', 0, 1, false],
    ['pro', 9, 5, true],
    ['agency', 29, 25, false],
  ])
})

test('Free can be chosen, and is noted as chosen', async () => {
  const person = await registered(app, 'chooses-free')
  expect(user.parse((await person.get('/api/user')).body)).toMatchObject({ plan: 'free', planChosen: false })
  const answer = await person.send('POST', '/api/create-subscription', { planType: 'free' })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  expect(user.parse((await person.get('/api/user')).body)).toMatchObject({ plan: 'free', planChosen: true })
})

test('a paid plan cannot be chosen, and the answer says why', async () => {
  const person = await registered(app, 'wants-to-pay')
  expect(await person.send('POST', '/api/create-subscription', { planType: 'pro' })).toMatchObject(notSetUp)
  for (const call of ['preview', 'change'] as const)
    expect(await person.send('POST', `/api/subscription/${call}`, { planType: 'agency' })).toMatchObject(notSetUp)
  for (const call of ['resume', 'portal'] as const) expect(await person.send('POST', `/api/subscription/${call}`)).toMatchObject(notSetUp)
  expect(user.parse((await person.get('/api/user')).body)).toMatchObject({ plan: 'free', planChosen: false })
})

test('there is nothing to pay with, and asking anew changes nothing', async () => {
  const person = await registered(app, 'looks')
  const nothing = { plan: 'free', status: 'none', currentPeriodEnd: null, nextPlan: null, card: null, checkout: null }
  expect(subscription.parse((await person.get('/api/subscription')).body)).toEqual(nothing)
  expect(subscriptionState.parse((await person.send('POST', '/api/subscription/refresh')).body).subscription).toEqual(nothing)
})

test('a plan that was given can be given up for Free at once; the surplus sites pause', async () => {
  const sites = { 'https://one.example/': 'empty', 'https://two.example/': 'empty', 'https://three.example/': 'empty' } as const
  const person = await newPerson(app, { email: 'given@example.test', plan: 'pro', sites })
  const chosen = Object.keys(sites)
  await person.send('POST', '/api/gsc-properties/monitor', { sites: chosen })
  const preview = await person.send('POST', '/api/subscription/preview', { planType: 'free' })
  expect(changePreview.parse(preview.body)).toEqual({ takesEffect: 'now', dueNow: 0, price: 0, at: null })

  const answer = await person.send('POST', '/api/subscription/change', { planType: 'free' })
  expect(answer).toMatchObject({ status: 200, body: { outcome: 'changed', clientSecret: null } })
  const state = subscriptionState.parse(answer.body)
  expect(state.user).toMatchObject({ plan: 'free', siteLimit: 1, sitesMonitored: 1, sitesPaused: 2, selectedProperty: chosen[0] })
  expect(state.user.gscProperties?.filter(({ paused }) => paused).map(({ name }) => name)).toEqual(chosen.slice(1).sort())
})

test('the pages may load nothing from Stripe', async () => {
  const policy = (await app.visitor().get('/api/plans')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toMatch(/stripe|script-src|frame-src|connect-src/)
})

test('a message that says it is from Stripe is not taken', async () => {
  const answer = await app.visitor().send('POST', '/api/stripe/webhook', { type: 'invoice.paid' })
  expect(answer.status).toBe(400)
  const signed = { headers: { 'stripe-signature': 't=1,v1=00' } }
  expect(await app.visitor().send('POST', '/api/stripe/webhook', { type: 'invoice.paid' }, signed)).toMatchObject(notSetUp)
})
