import { expect } from 'vitest'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { leaveUnproven, registered } from '../support/people.ts'
import { totp } from '../support/totp.ts'
import type { Answer, Visitor } from '../support/visitor.ts'
import { twoFactorSetup } from '../../src/contract/account/profile.ts'

// How somebody might lock out another user: by guessing wrongly at their account, from one network and from many.

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false }).extend('victim', async ({ app }) => {
  const name = `kept-out${++people}`
  // Their network is recorded with their account.
  const owner = await registered(app, name)
  return { name, owner }
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const attackers = (n: number): string => `198.51.100.${n}`
const login = (app: TestApp, username: string, guess: string, address?: string): Promise<Answer> =>
  app.visitor().send('POST', '/api/auth/login', { username, password: guess }, address === undefined ? undefined : from(address))
const statuses = (answers: readonly Answer[], status: number) => answers.filter((answer) => answer.status === status).length

test('wrong passwords from one network are blocked there, and nowhere else', async ({ app, victim: { name } }) => {
  const guesses = await Promise.all(Array.from({ length: 15 }, (_, n) => login(app, name, `guess-${n}`, attackers(1))))
  expect(statuses(guesses, 429)).toBe(5)
  // Not even the right one works: guessing it reveals nothing.
  expect((await login(app, name, password, attackers(1))).status).toBe(429)
  expect((await login(app, name, password)).status).toBe(200)
  expect((await login(app, name, password, attackers(2))).status).toBe(200)
})

test(
  "wrong passwords from many networks block any other network, but not the owner's usual one",
  { tags: ['full'] },
  async ({ app, victim: { name } }) => {
    const floods = (username: string, first: number) =>
      Promise.all(Array.from({ length: 120 }, (_, n) => login(app, username, `guess-${n}`, attackers(first + Math.floor(n / 10)))))
    const guesses = await floods(name, 10)
    expect([statuses(guesses, 401), statuses(guesses, 429)]).toEqual([100, 20])
    expect((await login(app, name, password, attackers(90))).status).toBe(429)
    expect((await login(app, name, password)).status).toBe(200)
    // Nor one they logged in from once, until a thousand later logins: no attempt reads more of them.
    const { sql } = await app.stores()
    const logIn = (times: number, address: string) =>
      sql(
        `INSERT INTO audit_events (user_id, at, kind, actor, address, details)
       SELECT id, now(), 'signed-in', 'person', $2, '{"with":"password"}' FROM users, generate_series(1, $3::integer) WHERE username = $1`,
        [name, address, times],
      )
    await logIn(1, '203.0.113.50')
    expect((await login(app, name, password, '203.0.113.50')).status).toBe(200)
    await logIn(1_000, '203.0.113.51')
    expect((await login(app, name, password, '203.0.113.50')).status).toBe(429)
    expect((await login(app, name, password)).status).toBe(200)
    // It doesn't reveal whether there is such an account.
    const unknown = await floods(`nobody-${name}`, 30)
    expect([statuses(unknown, 401), statuses(unknown, 429)]).toEqual([100, 20])
    expect((await login(app, `nobody-${name}`, password)).status).toBe(429)
  },
)

test("guessing the password in a hijacked session doesn't use up the owner's own attempts", async ({ app, victim: { owner } }) => {
  const thief = app.visitor()
  for (const [name, value] of owner.cookies) thief.cookies.set(name, value)
  const prove = (who: Visitor, guess: string, address?: string) =>
    who.send('POST', '/api/user/proof', { password: guess }, address === undefined ? undefined : from(address))
  for (let n = 0; n < 10; n++) expect((await prove(thief, `guess-${n}`, attackers(50))).status).toBe(403)
  expect((await prove(thief, password, attackers(50))).status).toBe(429)
  expect((await prove(owner, password)).status).toBe(204)
})

test(
  "a hijacked session doesn't keep its owner from changing the password or second factor, or log them out elsewhere",
  { tags: ['full'] },
  async ({ app, victim: { name, owner } }) => {
    const thief = app.visitor()
    for (const [cookie, value] of owner.cookies) thief.cookies.set(cookie, value)
    const elsewhere = app.visitor()
    expect((await elsewhere.send('POST', '/api/auth/login', { username: name, password })).status).toBe(200)
    await leaveUnproven(app)
    const change = { currentPassword: 'a-guess-at-it', newPassword: 'the-password-of-a-thief' }
    const attempts = [
      ['POST', '/api/user/password', change],
      ['POST', '/api/user/proof', { password: 'a-guess-at-it' }],
      ['POST', '/api/user/two-factor', { password: 'a-guess-at-it' }],
      ['POST', '/api/user/two-factor/confirm', { code: '000000' }],
      ['POST', '/api/user/two-factor/recovery-codes', { password: 'a-guess-at-it' }],
      ['DELETE', '/api/user/two-factor', { password: 'a-guess-at-it' }],
      ['DELETE', '/api/user', { username: name, password: 'a-guess-at-it' }],
      ['DELETE', '/api/user/sessions', undefined],
    ] as const
    for (const [method, path, body] of attempts) {
      const answers: Answer[] = []
      for (let n = 0; n < 31; n++) answers.push(await thief.send(method, path, body, from(attackers(51))))
      expect({ path, last: answers.at(-1)?.status, inVain: statuses(answers, 204) }).toEqual({ path, last: 429, inVain: 0 })
    }
    expect(await thief.send('DELETE', '/api/user/sessions', undefined, from(attackers(52)))).toMatchObject({
      status: 403,
      body: { code: 'proof-needed' },
    })

    expect((await elsewhere.send('DELETE', '/api/user/sessions')).status).toBe(403)
    expect((await elsewhere.send('POST', '/api/user/proof', { password })).status).toBe(204)
    const setup = twoFactorSetup.parse((await elsewhere.send('POST', '/api/user/two-factor', { password })).body)
    expect((await elsewhere.send('POST', '/api/user/two-factor/confirm', { code: totp(setup.secret) })).status).toBe(200)
    expect((await elsewhere.send('POST', '/api/user/two-factor/recovery-codes', { password })).status).toBe(200)
    expect((await elsewhere.send('DELETE', '/api/user/two-factor', { password })).status).toBe(200)
    expect((await elsewhere.send('POST', '/api/user/password', { ...change, currentPassword: password })).status).toBe(204)
    expect((await elsewhere.send('DELETE', '/api/user/sessions')).status).toBe(204)
    expect((await thief.get('/api/user')).status).toBe(401)

    // Those that succeed are announced by email: an account has thirty an hour.
    const { sql } = await app.stores()
    await sql(`UPDATE attempts SET points = 30 WHERE key LIKE 'change-account%'`)
    const again = { currentPassword: change.newPassword, newPassword: password }
    expect((await elsewhere.send('POST', '/api/user/password', again)).status).toBe(429)
    expect((await elsewhere.send('POST', '/api/user/two-factor', { password: change.newPassword })).status).toBe(429)
  },
)

test(
  "somebody who has the password, and guesses at the codes, doesn't lock the owner out",
  { tags: ['full'] },
  async ({ app, victim: { name, owner } }) => {
    const setup = twoFactorSetup.parse((await owner.send('POST', '/api/user/two-factor', { password })).body)
    expect((await owner.send('POST', '/api/user/two-factor/confirm', { code: totp(setup.secret) })).status).toBe(200)
    const enter = (who: Visitor, code: string, address?: string) =>
      who.send('POST', '/api/auth/two-factor', { code, trustDevice: false }, address === undefined ? undefined : from(address))
    const near = [-30_000, 0, 30_000].map((ms) => totp(setup.secret, new Date(Date.now() + ms)))
    const wrong = ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? ''
    const guesses: Answer[] = []
    for (let n = 0; n < 40; n++) {
      // Each login allows five attempts; each network ten, and all networks together thirty.
      const address = attackers(70 + Math.floor(n / 10))
      const thief = app.visitor()
      await thief.send('POST', '/api/auth/login', { username: name, password }, from(address))
      guesses.push(await enter(thief, wrong, address))
    }
    expect([statuses(guesses, 401), statuses(guesses, 429)]).toEqual([30, 10])
    const visitor = app.visitor()
    await visitor.send('POST', '/api/auth/login', { username: name, password })
    expect((await enter(visitor, totp(setup.secret))).status).toBe(200)
  },
)

test("asking for links to set a new password again and again blocks that network, and not the account's owner", async ({
  app,
  victim: { name },
}) => {
  const forgot = (address?: string): Promise<Answer> =>
    app
      .visitor()
      .send('POST', '/api/auth/forgot-password', { email: `${name}@example.test` }, address === undefined ? undefined : from(address))
  const asked = await Promise.all(Array.from({ length: 8 }, () => forgot(attackers(130))))
  expect([statuses(asked, 202), statuses(asked, 429)]).toEqual([5, 3])
  expect((await forgot()).status).toBe(202)
  // From all networks together, it gets fifteen an hour.
  const others = await Promise.all(Array.from({ length: 15 }, (_, n) => forgot(attackers(140 + Math.floor(n / 5)))))
  expect([statuses(others, 202), statuses(others, 429)]).toEqual([9, 6])
})

test("registering with somebody else's address again and again blocks that network, and not the address's owner", async ({
  app,
  victim: { name },
}) => {
  const email = `owner-of-${name}@example.test`
  const register = (username: string, address?: string): Promise<Answer> =>
    app
      .visitor()
      .send(
        'POST',
        '/api/auth/register',
        { username, email, password: 'quite-another-password' },
        address === undefined ? undefined : from(address),
      )
  const taken = await Promise.all(Array.from({ length: 8 }, () => register(name, attackers(120))))
  expect([statuses(taken, 409), statuses(taken, 429)]).toEqual([5, 3])
  expect((await register(`owner-of-${name}`)).status).toBe(200)
})

test(
  'correct passwords count too, since each is hashed: 120 logins a minute from a network, 30 confirmations of an account',
  { tags: ['full'] },
  async ({ app, victim: { name, owner } }) => {
    const times = async (count: number, ask: () => Promise<Answer>) => {
      const found: number[] = []
      for (let at = 0; at < count; at += 1) found.push((await ask()).status)
      return found
    }
    const prove = (who: Visitor) => who.send('POST', '/api/user/proof', { password })
    expect(await times(31, () => prove(owner))).toEqual([...Array<number>(30).fill(204), 429])
    expect((await prove(await registered(app, `neighbor-of-${name}`))).status).toBe(204)
    expect(await times(121, () => login(app, name, password, attackers(200)))).toEqual([...Array<number>(120).fill(200), 429])
    const refused = await login(app, name, password, attackers(200))
    expect(refused.body).toEqual({ message: 'Too many people are logging in from your network right now. Please try again in a minute.' })
    expect((await login(app, name, password, attackers(201))).status).toBe(200)
  },
)
