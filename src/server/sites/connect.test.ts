import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { comeBack, consent, leaveForGoogle, throughConsent } from '../../../test/support/consent.ts'
import { newPerson } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { session, user } from '../../contract/user.ts'

const test = appTest({ today: '2026-03-18', demo: false }).extend('accountOfAnn', { scope: 'file', auto: true }, ({ app }) =>
  app.google.account('ann@example.test', { 'https://ann.example/': 'empty' }),
)

const sessionOf = async (visitor: Visitor) => session.parse((await visitor.get('/api/auth/session')).body)
const me = async (visitor: Visitor) => user.parse((await visitor.get('/api/user')).body)

describe('a visitor who comes with a Google account', () => {
  test('is signed in as a new user with the properties of that account', async ({ app }) => {
    const ann = app.visitor()
    expect(await throughConsent(ann, { account: 'ann@example.test', redirect: '/onboarding/sites' })).toBe(
      '/onboarding/sites?connected=true',
    )
    expect((await sessionOf(ann)).authenticated).toBe(true)
    expect(await me(ann)).toMatchObject({ email: 'ann@example.test', plan: 'free', selectedProperty: null, accessToken: 'redacted' })
    expect((await me(ann)).gscProperties?.map((property) => property.name)).toEqual(['https://ann.example/'])
  })

  test('is the same user next time, from another browser', async ({ app }) => {
    const first = app.visitor()
    await throughConsent(first, { account: 'ann@example.test' })
    const second = app.visitor()
    await throughConsent(second, { account: 'ann@example.test' })
    expect((await me(second)).id).toBe((await me(first)).id)
  })

  test('who presses Cancel stays a visitor and is told that it failed', async ({ app }) => {
    const visitor = app.visitor()
    expect(await throughConsent(visitor, { account: 'ann@example.test', cancel: true })).toBe('/login?error=auth_failed')
    expect((await sessionOf(visitor)).authenticated).toBe(false)
  })
})

describe('scopes', () => {
  test('without the Search Console box nothing is connected, and the user is told', async ({ app }) => {
    const bob = await newPerson(app, { email: 'bob@example.test', sites: { 'https://bob.example/': 'empty' } })
    await bob.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
    expect(await throughConsent(bob, { account: 'bob@example.test', untick: true, redirect: '/account' })).toBe('/account?connected=false')
    expect(await me(bob)).toMatchObject({ accessToken: null, refreshToken: null, gscProperties: null })
  })

  test("a working connection isn't lost by a later consent without the box", async ({ app }) => {
    const eve = await newPerson(app, { email: 'eve@example.test', sites: { 'https://eve.example/': 'empty' } })
    await app.google.call('POST', 'tokens/revoke', { account: 'eve@example.test' })
    expect(await throughConsent(eve, { account: 'eve@example.test', untick: true })).toBe('/dashboard?connected=false')
    expect((await me(eve)).accessToken).toBe('redacted')
  })
})

test('our refresh token stays in use if Google sends none', async ({ app }) => {
  const carl = await newPerson(app, { email: 'carl@example.test', sites: { 'https://carl.example/': 'empty' } })
  expect(await throughConsent(carl, { account: 'carl@example.test', remembered: true })).toBe('/dashboard?connected=true')
  await app.google.call('POST', 'tokens/expire-access', { account: 'carl@example.test' })
  expect((await carl.get('/api/gsc-properties')).status).toBe(200)
})

describe('the callback from Google', () => {
  const account = 'frank@example.test'
  let frank: Visitor
  test.beforeAll(async ({ app }) => {
    frank = await newPerson(app, { email: account, sites: { 'https://frank.example/': 'empty' } })
    await frank.send('PATCH', '/api/user', { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null })
  })
  const stillDisconnected = async () => expect((await me(frank)).accessToken).toBeNull()

  test('a state other than ours is refused', async () => {
    const back = await consent(await leaveForGoogle(frank), { account })
    back.searchParams.set('state', 'forged')
    expect(await comeBack(frank, back)).toBe('/dashboard?connected=false')
    await stillDisconnected()
  })

  test('a missing state is refused', async () => {
    const back = await consent(await leaveForGoogle(frank), { account })
    back.searchParams.delete('state')
    expect(await comeBack(frank, back)).toBe('/dashboard?connected=false')
    await stillDisconnected()
  })

  test('in a browser that never left is refused', async ({ app }) => {
    const back = await consent(await leaveForGoogle(frank), { account })
    expect(await comeBack(app.visitor(), back)).toBe('/login?error=auth_failed')
    await stillDisconnected()
  })

  test('signed in as another user is refused', async ({ app }) => {
    const grace = await newPerson(app, { email: 'grace@example.test' })
    const back = await consent(await leaveForGoogle(frank), { account })
    for (const [name, value] of frank.cookies) if (!name.includes('session')) grace.cookies.set(name, value)
    expect(await comeBack(grace, back)).toBe('/dashboard?connected=renewed')
    expect((await me(grace)).email).toBe('grace@example.test')
    await stillDisconnected()
  })

  test('with an altered cookie is refused', async () => {
    const back = await consent(await leaveForGoogle(frank), { account })
    const [name, value] = [...frank.cookies].find(([each]) => each.includes('google'))!
    frank.cookies.set(name, `${value.slice(0, -4)}AAAA`)
    expect(await comeBack(frank, back)).toBe('/dashboard?connected=false')
    await stillDisconnected()
  })

  test('too late is refused', async ({ app }) => {
    const back = await consent(await leaveForGoogle(frank), { account })
    app.google.advance(16 * 60_000)
    expect(await comeBack(frank, back)).toBe('/dashboard?connected=false')
    await stillDisconnected()
  })

  test('with a code from another flow (PKCE) is refused', async ({ app }) => {
    const stolen = (await consent(await leaveForGoogle(app.visitor()), { account })).searchParams.get('code')!
    const back = await consent(await leaveForGoogle(frank), { account })
    back.searchParams.set('code', stolen)
    expect(await comeBack(frank, back)).toBe('/dashboard?connected=false')
    await stillDisconnected()
  })

  test('works once: a replayed callback changes nothing', async () => {
    const back = await consent(await leaveForGoogle(frank), { account })
    const cookies = new Map(frank.cookies)
    expect(await comeBack(frank, back)).toBe('/dashboard?connected=true')
    expect(await comeBack(frank, back)).toBe('/dashboard?connected=false')
    for (const [name, value] of cookies) frank.cookies.set(name, value)
    expect(await comeBack(frank, back)).toBe('/dashboard?connected=false')
    expect((await me(frank)).accessToken).toBe('redacted')
  })

  test('when Google itself fails, it says so without an error page', async ({ app }) => {
    const back = await consent(await leaveForGoogle(frank), { account })
    await app.google.fail({ error: 'invalidGrant', times: 1, kind: 'token' })
    expect(await comeBack(frank, back)).toBe('/dashboard?connected=false')
    expect(await comeBack(frank, new URL('http://localhost/api/auth/google/callback?state=a&state=b&code=c&code=d'))).toBe(
      '/dashboard?connected=false',
    )
  })
})

describe('where the browser is redirected afterwards', () => {
  const allowed = ['/dashboard', '/account', '/onboarding/sites']
  test.for(allowed)('%s, as requested', async (redirect, { app }) => {
    expect(await throughConsent(app.visitor(), { account: 'ann@example.test', redirect })).toBe(`${redirect}?connected=true`)
  })

  const foreign = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/dashboard/../..//evil.example',
    'javascript:alert(1)',
    '/dashboard@evil.example',
    '/nowhere',
    '',
  ]
  test.for(foreign)('never %j', async (redirect, { app }) => {
    expect(await throughConsent(app.visitor(), { account: 'ann@example.test', redirect })).toBe('/dashboard?connected=true')
  })

  test("the callback doesn't take a destination from its URL", async ({ app }) => {
    const visitor = app.visitor()
    const back = await consent(await leaveForGoogle(visitor), { account: 'ann@example.test' })
    back.searchParams.set('redirect', 'https://evil.example/')
    expect(await comeBack(visitor, back)).toBe('/dashboard?connected=true')
  })
})

test('the request to Google: read-only access, offline, with state and PKCE', async ({ app }) => {
  const page = await leaveForGoogle(app.visitor())
  const query = Object.fromEntries(page.searchParams)
  expect(query).toMatchObject({ response_type: 'code', access_type: 'offline', prompt: 'consent', code_challenge_method: 'S256' })
  expect(query['scope']!.split(' ').toSorted()).toEqual(['email', 'https://www.googleapis.com/auth/webmasters.readonly', 'openid'])
  expect(query['state']!.length).toBeGreaterThanOrEqual(32)
  expect(query['code_challenge']!.length).toBe(43)
})
