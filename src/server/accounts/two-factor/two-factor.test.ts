import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import { throughConsent } from '../../../../test/support/consent.ts'
import { newPerson, member } from '../../../../test/support/people.ts'
import { totp } from '../../../../test/support/totp.ts'
import { until } from '../../../../test/support/until.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'
import { recoveryCodes, twoFactorSetup } from '../../../contract/account/profile.ts'
import { session, user } from '../../../contract/user.ts'

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('own', async ({ app }) => {
    const name = `person${++people}`
    const person = await member(app, { email: `${name}@example.test`, password: 'a-good-password' })
    const setup = twoFactorSetup.parse((await person.send('POST', '/api/user/two-factor', { password })).body)
    expect(await confirm(person, totp(setup.secret))).toMatchObject({ status: 200, body: { user: { twoFactorEnabled: true } } })
    return { name, person, setup }
  })
  .extend('factor', ({ own: { name, setup } }) => {
    const login = (who: Visitor) => who.send('POST', '/api/auth/login', { username: name, password })
    /** Differs from the codes of this and the adjacent half minutes. */
    const wrongCode = () => {
      const near = [-30_000, 0, 30_000].map((ms) => totp(setup.secret, new Date(Date.now() + ms)))
      return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code))!
    }
    return { login, wrongCode }
  })

const confirm = (who: Visitor, code: string) => who.send('POST', '/api/user/two-factor/confirm', { code })
const enter = (who: Visitor, code: string, trustDevice = false) => who.send('POST', '/api/auth/two-factor', { code, trustDevice })
const isSignedIn = async (who: Visitor) => session.parse((await who.get('/api/auth/session')).body).authenticated

describe('logging in with a second factor', () => {
  test("the password alone doesn't open a session", async ({ app, factor: { login } }) => {
    const visitor = app.visitor()
    expect(await login(visitor)).toMatchObject({ status: 200, body: { twoFactor: true } })
    expect(await isSignedIn(visitor)).toBe(false)
    expect((await visitor.get('/api/user')).status).toBe(401)
  })

  test("with the app's code it does, with or without spaces", async ({ app, own: { name, setup }, factor: { login } }) => {
    const visitor = app.visitor()
    await login(visitor)
    const code = totp(setup.secret)
    expect(await enter(visitor, `${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({ status: 200, body: { user: { username: name } } })
    expect(await isSignedIn(visitor)).toBe(true)
  })

  test('a wrong code is refused and can be corrected', async ({ app, own: { setup }, factor: { login, wrongCode } }) => {
    const visitor = app.visitor()
    await login(visitor)
    expect(await enter(visitor, wrongCode())).toMatchObject({ status: 401, body: { field: 'code' } })
    expect(await isSignedIn(visitor)).toBe(false)
    expect((await enter(visitor, totp(setup.secret))).status).toBe(200)
  })

  test('each recovery code works once', async ({ app, own: { setup }, factor: { login } }) => {
    const [code = ''] = setup.recoveryCodes
    const first = app.visitor()
    await login(first)
    expect((await enter(first, code)).status).toBe(200)
    const second = app.visitor()
    await login(second)
    expect(await enter(second, code)).toMatchObject({ status: 401, body: { field: 'code' } })
  })

  test("each of the app's codes works once", async ({ app, own: { setup }, factor: { login } }) => {
    const code = totp(setup.secret)
    const [first, second] = [app.visitor(), app.visitor()]
    for (const visitor of [first, second]) await login(visitor)
    const answers = await Promise.all([first, second].map((visitor) => enter(visitor, code)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
    expect(answers.find(({ status }) => status === 401)).toMatchObject({
      body: { message: 'This code was already used. Log in again with the next one your app shows.', field: 'login' },
    })
    expect((await Promise.all([first, second].map(isSignedIn))).filter(Boolean)).toHaveLength(1)
  })

  test('after five wrong codes the login starts over', async ({ app, own: { setup }, factor: { login, wrongCode } }) => {
    const visitor = app.visitor()
    await login(visitor)
    for (let n = 0; n < 5; n++) await enter(visitor, wrongCode())
    expect(await enter(visitor, totp(setup.secret))).toMatchObject({
      status: 429,
      body: { message: 'Too many wrong codes. Please log in again.' },
    })
    expect(await isSignedIn(visitor)).toBe(false)
  })

  test('ten wrong codes from one network are the limit for a while', async ({ app, own: { setup }, factor: { login, wrongCode } }) => {
    for (let round = 0; round < 2; round++) {
      const visitor = app.visitor()
      await login(visitor)
      for (let n = 0; n < 5; n++) await enter(visitor, wrongCode())
    }
    const visitor = app.visitor()
    await login(visitor)
    expect(await enter(visitor, totp(setup.secret))).toMatchObject({
      status: 429,
      body: { message: 'Too many attempts. Please try again in 15 minutes.' },
    })
  })

  test('a code without a preceding login is refused', async ({ app, own: { setup } }) => {
    const answer = await enter(app.visitor(), totp(setup.secret))
    expect(answer).toMatchObject({ status: 401, body: { message: 'Your login has expired. Please log in again.' } })
  })

  test("sessions without it don't survive: other sessions and trusted browsers end when it is switched on, or off", async ({
    app,
    own: { name, person, setup },
    factor: { login },
  }) => {
    const trusted = app.visitor()
    await login(trusted)
    await enter(trusted, totp(setup.secret), true)
    expect((await person.send('DELETE', '/api/user/two-factor', { password })).status).toBe(200)
    expect([await isSignedIn(trusted), await isSignedIn(person)]).toEqual([false, true])

    const without = app.visitor()
    expect((await login(without)).body).toMatchObject({ user: { username: name } })
    const { secret } = twoFactorSetup.parse((await person.send('POST', '/api/user/two-factor', { password })).body)
    expect((await confirm(person, totp(secret))).status).toBe(200)
    expect([await isSignedIn(without), await isSignedIn(person)]).toEqual([false, true])
    expect((await login(trusted)).body).toEqual({ twoFactor: true })
  })

  test('no browser is trusted anymore after a password change', async ({ app, own: { name, person, setup }, factor: { login } }) => {
    const trusted = app.visitor()
    await login(trusted)
    await enter(trusted, totp(setup.secret), true)
    await trusted.send('POST', '/api/auth/logout')
    expect((await login(trusted)).body).toMatchObject({ user: { username: name } })
    const newPassword = 'another-good-one'
    expect((await person.send('POST', '/api/user/password', { currentPassword: password, newPassword })).status).toBe(204)
    expect((await trusted.send('POST', '/api/auth/login', { username: name, password: newPassword })).body).toEqual({ twoFactor: true })
  })

  test("a trusted browser isn't asked again, another one is", async ({ app, own: { name, setup }, factor: { login } }) => {
    const trusted = app.visitor()
    await login(trusted)
    await enter(trusted, totp(setup.secret), true)
    await trusted.send('POST', '/api/auth/logout')
    expect((await login(trusted)).body).toMatchObject({ user: { username: name } })
    expect((await login(app.visitor())).body).toEqual({ twoFactor: true })
  })
})

describe('setting it up', () => {
  test('asks for the password', async ({ app }) => {
    const other = await member(app, { email: `careful${people}@example.test`, password: 'a-good-password' })
    const wrong = await other.send('POST', '/api/user/two-factor', { password: 'not-the-password' })
    expect(wrong).toMatchObject({ status: 403, body: { message: 'Incorrect password.', field: 'password' } })
    expect((await other.send('POST', '/api/user/two-factor', {})).status).toBe(403)
  })

  test('takes effect only once a code is confirmed', async ({ app }) => {
    const other = await member(app, { email: `hasty${people}@example.test`, password: 'a-good-password' })
    const theirs = twoFactorSetup.parse((await other.send('POST', '/api/user/two-factor', { password })).body)
    expect(theirs.uri).toMatch(/^otpauth:\/\/totp\/Ranklark/)
    expect(theirs.recoveryCodes.length).toBe(10)
    const mistyped = ['000000', '111111', '222222'].find((code) => code !== totp(theirs.secret))!
    expect(await confirm(other, mistyped)).toMatchObject({ status: 400, body: { field: 'code' } })
    expect(user.parse((await other.get('/api/user')).body).twoFactorEnabled).toBe(false)
    const visitor = app.visitor()
    expect((await visitor.send('POST', '/api/auth/login', { username: `hasty${people}`, password })).body).toMatchObject({ user: {} })
  })

  test('the secret is encrypted in the database, and so are recovery codes', async ({ app, own: { setup } }) => {
    const { sql } = await app.stores()
    const stored = JSON.stringify(await sql('SELECT * FROM two_factors'))
    expect(stored).not.toContain(setup.secret)
    for (const code of setup.recoveryCodes) expect(stored).not.toContain(code)
  })

  test('new recovery codes invalidate the old ones, end other sessions and trusted browsers, and are reported by email', async ({
    app,
    own: { name, person, setup },
    factor: { login },
  }) => {
    await (await app.stores()).sql('UPDATE users SET email_verified = true WHERE email = $1', [`${name}@example.test`])
    const trusted = app.visitor()
    await login(trusted)
    await enter(trusted, totp(setup.secret), true)
    const answer = await person.send('POST', '/api/user/two-factor/recovery-codes', { password })
    const { recoveryCodes: fresh } = recoveryCodes.parse(answer.body)
    const visitor = app.visitor()
    await login(visitor)
    expect((await enter(visitor, setup.recoveryCodes[0]!)).status).toBe(401)
    expect((await enter(visitor, fresh[0]!)).status).toBe(200)
    expect([await isSignedIn(trusted), await isSignedIn(person)]).toEqual([false, true])
    expect((await login(trusted)).body).toEqual({ twoFactor: true })
    expect(await app.mail.mailTo(`${name}@example.test`, { kind: 'recovery-codes-changed' })).toMatchObject({
      subject: 'New recovery codes were created',
    })
  })

  test('recovery codes that somebody may have copied end with all other access, while the app still counts', async ({
    app,
    own: { name, person, setup },
  }) => {
    const newPassword = 'another-good-one'
    const change = { currentPassword: password, newPassword, endAccess: true }
    expect((await person.send('POST', '/api/user/password', change)).status).toBe(204)
    const visitor = app.visitor()
    await visitor.send('POST', '/api/auth/login', { username: name, password: newPassword })
    for (const code of setup.recoveryCodes.slice(0, 2)) expect((await enter(visitor, code)).status).toBe(401)
    expect((await enter(visitor, totp(setup.secret, new Date(Date.now() + 30_000)))).status).toBe(200)
    const { recoveryCodes: fresh } = recoveryCodes.parse(
      (await person.send('POST', '/api/user/two-factor/recovery-codes', { password: newPassword })).body,
    )
    const later = app.visitor()
    await later.send('POST', '/api/auth/login', { username: name, password: newPassword })
    expect((await enter(later, fresh[0]!)).status).toBe(200)
  })

  test('a code for a second factor that is already on turns nothing on again, and ends nothing', async ({
    app,
    own: { person, setup },
    factor: { login },
  }) => {
    const { sql } = await app.stores()
    await sql(`UPDATE two_factors SET verified_at = '2020-01-01'`)
    const other = app.visitor()
    await login(other)
    await enter(other, setup.recoveryCodes[0]!)
    expect(await confirm(person, totp(setup.secret))).toMatchObject({
      status: 409,
      body: { message: 'Two-factor authentication is already on.' },
    })
    expect([await isSignedIn(other), await isSignedIn(person)]).toEqual([true, true])
    expect(await sql(`SELECT FROM two_factors WHERE verified_at > '2020-01-02'`)).toEqual([])
  })

  test('is switched off with the password, and reported by email like switching on', async ({
    app,
    own: { name, person },
    factor: { login },
  }) => {
    // Only a confirmed address gets the email: another one may be a stranger's.
    await (await app.stores()).sql('UPDATE users SET email_verified = true WHERE email = $1', [`${name}@example.test`])
    expect((await person.send('DELETE', '/api/user/two-factor', { password: 'not-the-password' })).status).toBe(403)
    expect(await person.send('DELETE', '/api/user/two-factor', { password })).toMatchObject({
      status: 200,
      body: { user: { twoFactorEnabled: false } },
    })
    expect((await login(app.visitor())).body).toMatchObject({ user: { username: name } })
    const sentMails = async () => (await app.mail.mails(`${name}@example.test`)).filter((mail) => mail.kind === 'two-factor-changed')
    await until(sentMails, (mails) => mails.length === 1)
    const { secret } = twoFactorSetup.parse((await person.send('POST', '/api/user/two-factor', { password })).body)
    expect((await person.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) })).status).toBe(200)
    await until(sentMails, (mails) => mails.length === 2)
  })

  test('guesses at the password are rate-limited', async ({ own: { person } }) => {
    for (let n = 0; n < 10; n++) await person.send('DELETE', '/api/user/two-factor', { password: `guess-${n}` })
    expect((await person.send('DELETE', '/api/user/two-factor', { password })).status).toBe(429)
  })
})

describe('with Google', () => {
  test('also asks for the second factor, and connects nothing before', async ({ app }) => {
    const account = `google${people}@example.test`
    const owner = await newPerson(app, { email: account, sites: { [`https://g${people}.example/`]: 'empty' } })
    const theirs = twoFactorSetup.parse((await owner.send('POST', '/api/user/two-factor', {})).body)
    expect((await confirm(owner, totp(theirs.secret))).status).toBe(200)

    const visitor = app.visitor()
    expect(await throughConsent(visitor, { account })).toBe('/login?two-factor=1')
    expect(await isSignedIn(visitor)).toBe(false)
    expect(await enter(visitor, totp(theirs.secret))).toMatchObject({ status: 200, body: { user: { email: account } } })
    expect(await isSignedIn(visitor)).toBe(true)
  })
})
