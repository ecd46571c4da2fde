import { createHmac } from 'node:crypto'
import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { type TestApp, withoutHistory } from '../../../test/support/app.ts'
import { registered } from '../../../test/support/people.ts'
import type { Answer, Visitor } from '../../../test/support/visitor.ts'
import { session } from '../../contract/user.ts'

const right = { username: 'demo', password: 'demo-password' }
let addresses = 0

/** The limit counts attempts by address, so each test uses another one. */
const test = appTest({ today: '2026-03-18', ...withoutHistory })
  .extend('from', ({}) => ({ headers: { 'x-forwarded-for': `10.0.0.${++addresses}` } }))
  .extend(
    'login',
    ({ from }) =>
      (visitor: Visitor, form: object) =>
        visitor.send('POST', '/api/auth/login', form, from),
  )

type Login = (visitor: Visitor, form: object) => Promise<Answer>
const sessionOf = async (visitor: Visitor) => session.parse((await visitor.get('/api/auth/session')).body)

describe('signing in', () => {
  test('returns the user and opens a session that lasts', async ({ app, login }) => {
    const visitor = app.visitor()
    expect(await sessionOf(visitor)).toEqual({ authenticated: false, user: null, demo: true, mail: true, billing: 'stripe' })
    expect(await login(visitor, right)).toMatchObject({ status: 200, body: { user: { username: 'demo', plan: 'pro' } } })
    expect(await sessionOf(visitor)).toMatchObject({ authenticated: true, user: { username: 'demo' }, demo: true })
  })

  test("doesn't distinguish a wrong password from an unknown name", async ({ app, login }) => {
    const wrongPassword = await login(app.visitor(), { ...right, password: 'not-the-password' })
    const unknownName = await login(app.visitor(), { username: 'nobody', password: 'not-the-password' })
    expect(wrongPassword).toMatchObject({ status: 401, body: { message: 'Invalid username or password' } })
    expect(unknownName.status).toBe(401)
    expect(unknownName.body).toEqual(wrongPassword.body)
    expect(unknownName.headers.getSetCookie()).toEqual([])
  })

  test('ignores case and surrounding spaces in the name', async ({ app, login }) => {
    expect((await login(app.visitor(), { ...right, username: '  DEMO ' })).status).toBe(200)
  })

  test('says which field is wrong, in the words of the specification', async ({ app, login }) => {
    expect(await login(app.visitor(), { ...right, username: 'ab' })).toMatchObject({
      status: 400,
      body: { message: 'Username must be at least 3 characters', field: 'username' },
    })
    expect(await login(app.visitor(), { ...right, password: '12345' })).toMatchObject({
      status: 400,
      body: { message: 'Password must be at least 6 characters', field: 'password' },
    })
  })

  test.for(['demo\0', "demo' OR 1=1 --", '👤👤👤', 'demo%', 'x'.repeat(64)])(
    'a name like %j is just an unknown name',
    async (username, { app, login }) => {
      expect((await login(app.visitor(), { ...right, username })).status).toBe(401)
    },
  )

  test('accepts a confirmed email address instead of the username, but not an unconfirmed one', async ({ app, login }) => {
    expect((await login(app.visitor(), { ...right, username: 'demo@ranklark.example' })).status).toBe(200)
    await registered(app, 'claimant')
    expect((await login(app.visitor(), { username: 'claimant@example.test', password: 'a-good-password' })).status).toBe(401)
  })

  test('leaves no other session in the same browser', async ({ app, login }) => {
    const visitor = app.visitor()
    await login(visitor, right)
    const before = [...visitor.cookies].find(([name]) => name.includes('session_token'))!
    await login(visitor, right)
    expect(visitor.cookies.get(before[0])).not.toBe(before[1])
    const old = app.visitor()
    old.cookies.set(...before)
    expect((await sessionOf(old)).authenticated).toBe(false)
    expect((await sessionOf(visitor)).authenticated).toBe(true)
  })
})

describe('too many attempts', () => {
  const wait = { message: expect.stringMatching(/^Too many attempts\. Please try again in 1[0-5] minutes\.$/) }

  test('at one account from one network are refused with a message, even at the same moment', async ({ app, login }) => {
    await registered(app, 'guessed')
    const guess = (n: number) => login(app.visitor(), { username: 'guessed', password: `guess-${n}` })
    const attempts = await Promise.all(Array.from({ length: 25 }, (_, n) => guess(n)))
    const refused = attempts.filter((answer) => answer.status === 429)
    expect(refused).toHaveLength(15)
    expect(refused[0]?.body).toEqual(wait)
    expect((await login(app.visitor(), { username: 'GUESSED', password: 'a-good-password' })).status).toBe(429)
    expect((await login(app.visitor(), right)).status).toBe(200)
  })

  /** As many attempts as allowed, two more, and the following ones. */
  async function tooManyFrom(forwarded: (n: number) => string, { app, login }: { app: TestApp; login: Login }): Promise<void> {
    const guess = (n: number) => {
      const form = { username: `somebody${n}`, password: 'guess-guess' }
      return app.visitor().send('POST', '/api/auth/login', form, { headers: { 'x-forwarded-for': forwarded(n) } })
    }
    const attempts = await Promise.all(Array.from({ length: 62 }, (_, n) => guess(n)))
    expect(attempts.filter((answer) => answer.status === 429)).toHaveLength(2)
    const next = { headers: { 'x-forwarded-for': forwarded(200) } }
    expect((await app.visitor().send('POST', '/api/auth/login', right, next)).body).toEqual(wait)
    expect((await login(app.visitor(), right)).status).toBe(200)
  }

  test('from one address are refused, for any account', { tags: ['full'] }, ({ app, login }) =>
    tooManyFrom(() => '198.51.100.1', { app, login }),
  )

  test.for([
    ['many addresses of one IPv6 network', (n: number) => `2001:db8:1:2:${n.toString(16)}:${n}::${n}`],
    // The proxy appends the source address to whatever the sender put there.
    ['one address that claims to be many others', (n: number) => `10.11.${n}.1, 192.0.2.${n}, 198.51.100.2`],
  ] as const)('from %s are refused, for any account', ([_whence, forwarded], { app, login }) => tooManyFrom(forwarded, { app, login }))

  test('from many networks of one customer are refused, for any account', { tags: ['full'] }, async ({ app }) => {
    const guess = (n: number) =>
      app
        .visitor()
        .send(
          'POST',
          '/api/auth/login',
          { username: `nobody-${n}`, password: 'guess-guess' },
          { headers: { 'x-forwarded-for': `2001:db8:77:${n.toString(16)}::1` } },
        )
    const statuses: number[] = []
    for (let first = 0; first < 620; first += 20)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, (_, n) => guess(first + n)))).map(({ status }) => status))
    expect([statuses.filter((each) => each === 401).length, statuses.filter((each) => each === 429).length]).toEqual([600, 20])
  })

  test("correct ones don't count", async ({ app, login }) => {
    for (let n = 0; n < 12; n++) expect((await login(app.visitor(), right)).status).toBe(200)
  })

  test('are remembered across a restart', { tags: ['full'] }, async ({ app, login }) => {
    await registered(app, 'patient')
    const wrong = { username: 'patient', password: 'guess-guess' }
    for (let n = 0; n < 10; n++) expect((await login(app.visitor(), wrong)).status).toBe(401)
    await app.restart()
    expect((await login(app.visitor(), wrong)).status).toBe(429)
  })
})

describe('the session cookie', () => {
  async function signedIn(app: TestApp, login: Login): Promise<{ visitor: Visitor; name: string; value: string; attributes: string }> {
    const visitor = app.visitor()
    const answer = await login(visitor, right)
    const cookie = answer.headers.getSetCookie().find((each) => each.includes('session_token'))!
    const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*);(.*)$/.exec(cookie)!
    return { visitor, name, value, attributes }
  }

  test("can't be read by scripts and isn't sent by other sites", async ({ app, login }) => {
    const { attributes } = await signedIn(app, login)
    expect(attributes).toMatch(/HttpOnly/i)
    expect(attributes).toMatch(/SameSite=Lax/i)
    expect(attributes).toMatch(/Path=\//i)
  })

  test('is renewed once its session is a day old, and not before', async ({ app }) => {
    const person = await registered(app, 'prolonged')
    const value = decodeURIComponent(person.cookies.get('ranklark.session_token') ?? '')
    const token = value.slice(0, value.lastIndexOf('.'))
    const { sql } = await app.stores()
    const begunBefore = (hours: number) =>
      sql(`UPDATE sessions SET expires_at = now() + interval '30 days' - make_interval(hours => $2) WHERE token = $1 RETURNING id`, [
        token,
        hours,
      ])
    const isProlonged = async () => (await person.get('/api/auth/session')).headers.getSetCookie().length > 0
    expect(await isProlonged()).toBe(false)
    expect(await begunBefore(23)).toHaveLength(1)
    expect(await isProlonged()).toBe(false)
    await begunBefore(25)
    expect(await isProlonged()).toBe(true)
    expect(await isProlonged()).toBe(false)
  })

  test('is worthless after logout', async ({ app, login }) => {
    const { visitor, name, value } = await signedIn(app, login)
    expect((await visitor.send('POST', '/api/auth/logout')).status).toBe(204)
    expect(visitor.cookies.has(name)).toBe(false)
    visitor.cookies.set(name, value)
    expect((await sessionOf(visitor)).authenticated).toBe(false)
    expect((await visitor.get('/api/user')).status).toBe(401)
  })

  test('ends one session, not those of other browsers', async ({ app, login }) => {
    const first = await signedIn(app, login)
    const second = await signedIn(app, login)
    await first.visitor.send('POST', '/api/auth/logout')
    expect((await sessionOf(second.visitor)).authenticated).toBe(true)
  })

  test('is refused when altered, forged, unsigned or expired', async ({ app, login }) => {
    const { visitor, name, value } = await signedIn(app, login)
    const [token = '', signature = ''] = decodeURIComponent(value).split(/\.(?=[^.]*$)/)
    const forged = createHmac('sha256', 'another-key').update(token).digest('base64')
    const refused = [
      `${token}.${signature.slice(0, -6)}AAAAA=`,
      `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}.${signature}`,
      `${token}.${forged}`,
      `${token}.`,
      token,
      '',
      '%',
    ]
    for (const each of refused) {
      visitor.cookies.set(name, encodeURIComponent(each))
      expect((await visitor.get('/api/user')).status).toBe(401)
      expect((await sessionOf(visitor)).authenticated).toBe(false)
    }
    visitor.cookies.set(name, value)
    expect((await visitor.get('/api/user')).status).toBe(200)
    await (await app.stores()).sql(`UPDATE sessions SET expires_at = '2026-03-01'`)
    expect((await visitor.get('/api/user')).status).toBe(401)
  })
})

test('logging out without a session is not an error', async ({ app }) => {
  expect((await app.visitor().send('POST', '/api/auth/logout')).status).toBe(204)
})

test('a one-time notice is shown until it is dismissed, and to nobody else', async ({ app }) => {
  const { sql } = await app.stores()
  const [ann, bob] = [await registered(app, 'ann-told'), await registered(app, 'bob-told')]
  const noticesOf = async (visitor: Visitor) => (await sessionOf(visitor)).user?.notices
  // New accounts know their properties with all rules.
  expect([await noticesOf(ann), await noticesOf(bob)]).toEqual([undefined, undefined])
  await sql(`INSERT INTO notices (user_id, notice) SELECT id, 'unusual_changes' FROM users`)
  expect((await bob.send('DELETE', '/api/user/notices/unusual_changes')).status).toBe(204)
  expect([await noticesOf(ann), await noticesOf(bob)]).toEqual([['unusual_changes'], undefined])
  expect((await bob.send('DELETE', '/api/user/notices/another')).status).toBe(400)
})
