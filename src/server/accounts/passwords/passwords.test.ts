import { describe, expect } from 'vitest'
import { appTest } from '../../../../test/support/app-test.ts'
import type { TestApp } from '../../../../test/support/app.ts'
import { throughConsent } from '../../../../test/support/consent.ts'
import { member, registered, select, shortenHistory } from '../../../../test/support/people.ts'
import type { Mail } from '../../../../test/support/mail-control.ts'
import type { Visitor } from '../../../../test/support/visitor.ts'
import { session, user } from '../../../contract/user.ts'

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('own', async ({ app }) => {
    const name = `person${++people}`
    const person = await member(app, { email: `${name}@example.test`, password })
    await app.mail.clear()
    return { name, person }
  })
  .extend('keys', ({ app, own: { name } }) => {
    const mailbox = () => `${name}@example.test`
    const forgot = (email: string) => app.visitor().send('POST', '/api/auth/forgot-password', { email })
    const reset = (token: string, next: string) => app.visitor().send('POST', '/api/auth/reset-password', { token, password: next })
    const login = (word: string) => app.visitor().send('POST', '/api/auth/login', { username: name, password: word })
    const resetLink = async () => resetLinkIn(await app.mail.mailTo(mailbox(), { kind: 'reset-password' }))
    return { mailbox, forgot, reset, login, resetLink }
  })

const isSignedIn = async (who: Visitor) => session.parse((await who.get('/api/auth/session')).body).authenticated
const tokenIn = (link: string | undefined) => new URL(link ?? '').searchParams.get('token') ?? ''
const resetLinkIn = (mail: Mail | undefined) => mail?.links.find((link) => link.includes('/reset-password?'))

describe('a forgotten password', () => {
  test('is replaced through an emailed link, which works once', async ({ app, keys: { mailbox, forgot, reset, login, resetLink } }) => {
    expect((await forgot(mailbox().toUpperCase())).status).toBe(202)
    const link = await resetLink()
    expect(link).toMatch(new RegExp(`^${app.url}/reset-password\\?token=`))
    expect((await reset(tokenIn(link), 'another-password')).status).toBe(204)
    expect((await login(password)).status).toBe(401)
    expect((await login('another-password')).status).toBe(200)
    expect(await reset(tokenIn(link), 'third-password')).toMatchObject({ status: 400, body: { field: 'token' } })
    expect((await login('another-password')).status).toBe(200)
  })

  test('the response never reveals whether the account exists', async ({ app, keys: { mailbox, forgot, resetLink } }) => {
    const [known, unknown] = [await forgot(mailbox()), await forgot('nobody@example.test')]
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    await resetLink()
    expect(await app.mail.mails('nobody@example.test')).toEqual([])
  })

  test('ends every session, and proves the address', async ({
    app,
    own: { name, person },
    keys: { mailbox, forgot, reset, resetLink },
  }) => {
    await forgot(mailbox())
    await reset(tokenIn(await resetLink()), 'another-password')
    expect(await isSignedIn(person)).toBe(false)
    const visitor = app.visitor()
    await visitor.send('POST', '/api/auth/login', { username: name, password: 'another-password' })
    expect(user.parse((await visitor.get('/api/user')).body).emailVerified).toBe(true)
  })

  test('a link older than an hour is refused', async ({ app, keys: { mailbox, forgot, reset, login, resetLink } }) => {
    await forgot(mailbox())
    const token = tokenIn(await resetLink())
    await (await app.stores()).sql(`UPDATE verifications SET expires_at = now() - interval '1 second'`)
    expect(await reset(token, 'another-password')).toMatchObject({ status: 400, body: { field: 'token' } })
    expect((await login(password)).status).toBe(200)
  })

  test('earlier links are worthless afterwards', async ({ app, keys: { mailbox, forgot, reset, resetLink } }) => {
    await forgot(mailbox())
    const first = tokenIn(await resetLink())
    await app.mail.clear()
    await forgot(mailbox())
    const second = tokenIn(await resetLink())
    expect((await reset(second, 'another-password')).status).toBe(204)
    expect((await reset(first, 'third-password')).status).toBe(400)
  })

  test("an address's link confirms no other address, and is worthless once another one is claimed", async ({
    own: { person },
    keys: { mailbox, forgot, reset, resetLink },
  }) => {
    await forgot(mailbox())
    const token = tokenIn(await resetLink())
    const strangers = `stranger-to-${mailbox()}`
    expect((await person.send('PATCH', '/api/user', { email: strangers })).status).toBe(200)
    expect(await reset(token, 'another-password')).toMatchObject({ status: 400, body: { field: 'token' } })
    expect((await person.get('/api/user')).body).toMatchObject({ email: strangers, emailVerified: false })
  })

  test('a link requested while the address changed sets no password', async ({
    app,
    own: { name },
    keys: { mailbox, forgot, reset, login, resetLink },
  }) => {
    await forgot(mailbox())
    const token = tokenIn(await resetLink())
    // As left by a change that finished between reading the address and writing the link.
    const other = `other-${mailbox()}`
    await (await app.stores()).sql('UPDATE users SET email = $1 WHERE username = $2', [other, name])
    expect(await reset(token, 'another-password')).toMatchObject({ status: 400, body: { field: 'token' } })
    expect((await login(password)).status).toBe(200)
  })

  test(
    'for an address claimed by several accounts, each gets its own link, until one has confirmed it',
    { tags: ['full'] },
    async ({ app, own: { name }, keys: { mailbox, forgot, reset } }) => {
      const form = { username: `${name}b`, email: mailbox(), password }
      await app.visitor().send('POST', '/api/auth/register', form)
      await app.mail.clear()
      await forgot(mailbox())
      const namesAndLinks = async () => {
        const { text, links } = await app.mail.mailTo(mailbox(), { kind: 'reset-password' })
        return { named: [name, `${name}b`].map((each) => text.includes(`${each}: `)), links }
      }
      const both = await namesAndLinks()
      expect(both).toMatchObject({ named: [true, true], links: [expect.anything(), expect.anything(), app.url] })
      await reset(tokenIn(both.links[0]), 'another-password')
      await app.mail.clear()
      await forgot(mailbox())
      expect((await namesAndLinks()).links).toMatchObject([expect.stringContaining('token='), app.url])
    },
  )

  test('can be requested a few times an hour from one network, whether or not the account exists', async ({
    keys: { mailbox, forgot },
  }) => {
    for (let n = 0; n < 5; n++) expect((await forgot(mailbox())).status).toBe(202)
    expect((await forgot(mailbox())).status).toBe(429)
    for (let n = 0; n < 5; n++) expect((await forgot(`no-${mailbox()}`)).status).toBe(202)
    expect((await forgot(`no-${mailbox()}`)).status).toBe(429)
  })

  test('a new one that is too short is refused', async ({ keys: { reset } }) => {
    expect(await reset('whatever', '12345')).toMatchObject({
      status: 400,
      body: { message: 'Password must be at least 6 characters', field: 'password' },
    })
  })
})

describe('changing the password', () => {
  const change = (who: Visitor, currentPassword: string, newPassword = 'another-password') =>
    who.send('POST', '/api/user/password', { currentPassword, newPassword })

  test('asks for the current one', async ({ app, own: { person }, keys: { login } }) => {
    expect(await change(person, 'not-the-password')).toMatchObject({ status: 403, body: { field: 'currentPassword' } })
    expect((await login(password)).status).toBe(200)
    expect((await change(app.visitor(), password)).status).toBe(401)
  })

  test('keeps this session, ends the others, and is reported by email', async ({
    app,
    own: { name, person },
    keys: { mailbox, login },
  }) => {
    // Only a confirmed address gets the email: another one may be a stranger's.
    await (await app.stores()).sql('UPDATE users SET email_verified = true WHERE email = $1', [mailbox()])
    const other = app.visitor()
    await other.send('POST', '/api/auth/login', { username: name, password })
    expect((await change(person, password)).status).toBe(204)
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false])
    expect((await login('another-password')).status).toBe(200)
    expect((await app.mail.mailTo(mailbox(), { kind: 'password-changed' })).text).toContain(name)
  })

  test('guesses are rate-limited', async ({ own: { person } }) => {
    for (let n = 0; n < 10; n++) await change(person, `guess-${n}`)
    expect((await change(person, password)).status).toBe(429)
  })
})

describe('sessions', () => {
  test('are listed without their tokens, this one first, and the others can be ended', async ({ app, own: { name, person } }) => {
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' }
    const other = app.visitor()
    await other.send('POST', '/api/auth/login', { username: name, password }, { headers })
    const { body } = await person.get('/api/user/sessions')
    expect(body).toMatchObject([{ current: true }, { current: false, userAgent: headers['user-agent'], ipAddress: '127.0.0.1' }])
    for (const [, value] of [...person.cookies, ...other.cookies]) expect(JSON.stringify(body)).not.toContain(value.split('.')[0])

    expect((await person.send('DELETE', '/api/user/sessions')).status).toBe(204)
    expect([await isSignedIn(person), await isSignedIn(other)]).toEqual([true, false])
    expect((await person.get('/api/user/sessions')).body).toHaveLength(1)
  })

  test('of other users are inaccessible', async ({ app, own: { person } }) => {
    const stranger = await registered(app, `stranger${people}`)
    expect((await stranger.get('/api/user/sessions')).body).toHaveLength(1)
    await stranger.send('DELETE', '/api/user/sessions')
    expect(await isSignedIn(person)).toBe(true)
  })
})

describe('the profile', () => {
  const save = (person: Visitor, change: object) => person.send('PATCH', '/api/user', change)
  const queuedEmails = async (app: TestApp) => (await (await app.stores()).sql(`SELECT id FROM jobs.job WHERE name LIKE 'mail%'`)).length
  const tooMany = { message: expect.stringMatching(/^Too many attempts\. Please try again in \d+ minutes\.$/) as string }

  test('accepts another username, which is used to log in from then on', async ({ app, own: { name, person }, keys: { login } }) => {
    expect(await save(person, { username: `Renamed.${name}` })).toMatchObject({ status: 200, body: { username: `Renamed.${name}` } })
    expect((await login(password)).status).toBe(401)
    expect((await app.visitor().send('POST', '/api/auth/login', { username: `renamed.${name}`, password })).status).toBe(200)
  })

  test('refuses a username whose lower case has other characters than allowed; accounts that have one can still log in', async ({
    app,
    own: { name, person },
  }) => {
    const refusal = {
      status: 400,
      body: { message: 'Username can contain only letters, digits, dots, hyphens and underscores', field: 'username' },
    }
    const [username, email] = [`\u0130ris.${name}`, `iris.${name}@example.test`]
    expect(await save(person, { username })).toMatchObject(refusal)
    expect(await app.visitor().send('POST', '/api/auth/register', { username, email, password })).toMatchObject(refusal)
    const { sql } = await app.stores()
    await sql('UPDATE users SET username = $1, display_username = $2, email_verified = true WHERE username = $3', [
      username.toLowerCase(),
      username,
      name,
    ])
    for (const typed of [`${name}@example.test`, username])
      expect((await app.visitor().send('POST', '/api/auth/login', { username: typed, password })).status).toBe(200)
  })

  test('refuses a username that is taken, and one that is too short', async ({ app, own: { person } }) => {
    await registered(app, `other${people}`)
    expect(await save(person, { username: `OTHER${people}` })).toMatchObject({ status: 409, body: { field: 'username' } })
    expect(await save(person, { username: 'ab' })).toMatchObject({
      status: 400,
      body: { message: 'Username must be at least 3 characters', field: 'username' },
    })
    expect(await save(person, { email: 'nobody' })).toMatchObject({
      status: 400,
      body: { message: 'Please enter a valid email address', field: 'email' },
    })
  })

  test('a new address has to be confirmed, and the confirmed one is notified first', async ({
    app,
    own: { name, person },
    keys: { mailbox, forgot, reset, resetLink },
  }) => {
    await forgot(mailbox())
    await reset(tokenIn(await resetLink()), password)
    await person.send('POST', '/api/auth/login', { username: name, password })
    await app.mail.clear()
    expect(await save(person, { email: `new-${mailbox()}` })).toMatchObject({
      body: { email: mailbox(), emailVerified: true, pendingEmail: `new-${mailbox()}` },
    })
    expect((await app.mail.mailTo(mailbox(), { kind: 'address-changed' })).text).toContain(`new-${mailbox()}`)
    expect(
      (await app.mail.mailTo(`new-${mailbox()}`, { kind: 'confirm-address' })).links.some((link) => link.includes('/verify-email?')),
    ).toBe(true)
  })

  test("doesn't reveal whether a new address belongs to somebody", async ({ app, own: { person }, keys: { mailbox } }) => {
    const answer = await save(person, { email: `stranger-of-${mailbox()}` })
    await registered(app, `known${people}`)
    const known = await save(person, { email: `known${people}@example.test` })
    expect(known.status).toBe(answer.status)
    expect(user.parse(known.body).emailVerified).toBe(false)
  })

  test('sends mail to other addresses a few times an hour, then says when to try again and changes nothing', async ({
    app,
    own: { name, person },
    keys: { mailbox },
  }) => {
    const other = (n: number) => `${n % 2 === 0 ? 'even' : 'odd'}-${mailbox()}`
    for (let n = 1; n <= 5; n++) expect((await save(person, { email: other(n) })).status).toBe(200)
    const written = await queuedEmails(app)
    expect(await save(person, { email: other(6), username: `renamed-${name}` })).toMatchObject({ status: 429, body: tooMany })
    expect(await queuedEmails(app)).toBe(written)
    expect((await person.get('/api/user')).body).toMatchObject({ email: other(5), username: name })
    // The same email by another route.
    expect((await person.send('POST', '/api/auth/verify-email/send')).status).toBe(429)
    // A change that emails nobody isn't counted.
    expect((await save(person, { email: other(5).toUpperCase(), username: `renamed-${name}` })).status).toBe(200)
  })

  test('sends mail to one address a few times an hour, whoever claims it', { tags: ['full'] }, async ({ app, keys: { mailbox } }) => {
    const claimed = { email: `wanted-${mailbox()}` }
    const claimants = await Promise.all(Array.from({ length: 6 }, (_, n) => registered(app, `claimant${people}-${n}`)))
    for (const each of claimants.slice(0, 5)) expect((await each.send('PATCH', '/api/user', claimed)).status).toBe(200)
    const written = await queuedEmails(app)
    expect(await claimants[5]!.send('PATCH', '/api/user', claimed)).toMatchObject({ status: 429, body: tooMany })
    expect((await claimants[0]!.send('POST', '/api/auth/verify-email/send')).status).toBe(429)
    expect(await queuedEmails(app)).toBe(written)
    expect((await claimants[5]!.get('/api/user')).body).toMatchObject({ email: `claimant${people}-5@example.test` })
  })

  test('changes as a whole, or not at all', async ({ app, own: { name, person }, keys: { mailbox } }) => {
    const site = `https://${name}.example/`
    const account = { account: `google-${mailbox()}` }
    await app.google.account(account.account, { [site]: 'empty' })
    expect(await throughConsent(person, account)).toContain('connected=true')
    await shortenHistory(app, site, 1)
    await select(person, site)
    await registered(app, `taken${people}`)
    const before = (await person.get('/api/user')).body
    expect(before).toMatchObject({ username: name, accessToken: 'redacted', selectedProperty: site })
    const nulls = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }
    expect(await save(person, { ...nulls, username: `taken${people}` })).toMatchObject({ status: 409, body: { field: 'username' } })
    const fresh = { username: `fresh-${name}`, email: `fresh-${mailbox()}` }
    expect((await save(person, { ...fresh, selectedProperty: 'https://unknown.example/' })).status).toBe(404)
    expect(await save(person, { email: fresh.email, username: `TAKEN${people}` })).toMatchObject({ status: 409 })
    expect((await person.get('/api/user')).body).toEqual(before)
    expect(await save(person, { ...nulls, ...fresh })).toMatchObject({
      status: 200,
      body: { ...fresh, accessToken: null, selectedProperty: null },
    })
  })

  test('only some of the four nulls disconnect nothing', async ({ own: { person } }) => {
    expect((await save(person, { accessToken: null })).status).toBe(400)
    expect((await save(person, { accessToken: 'mine', refreshToken: null, gscProperties: null, selectedProperty: null })).status).toBe(400)
  })
})
