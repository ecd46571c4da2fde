import { describe, expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { registered } from '../../../test/support/people.ts'
import type { Mail } from '../../../test/support/mail-control.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { session, user } from '../../contract/user.ts'

let addresses = 0

/** The limit counts attempts by address, so each test uses another one. */
const test = appTest({ today: '2026-03-18', demo: false })
  .extend('headers', ({}) => ({ 'x-forwarded-for': `10.1.0.${++addresses}` }))
  .extend(
    'register',
    ({ headers }) =>
      (visitor: Visitor, form: object) =>
        visitor.send('POST', '/api/auth/register', form, { headers }),
  )

const me = async (visitor: Visitor) => user.parse((await visitor.get('/api/user')).body)
const confirm = (person: Visitor, token: string) => person.send('POST', '/api/auth/verify-email', { token })
const linkIn = (mail: Mail) => mail.links.find((each) => each.includes('/verify-email?'))
const linkFor = async (app: TestApp, address: string) => linkIn(await app.mail.mailTo(address, { kind: 'confirm-address' }))
const tokenIn = (link: string | undefined) => new URL(link ?? '').searchParams.get('token') ?? ''

describe('registering', () => {
  test('creates an account, signs in, and starts on the Free plan until a plan is chosen', async ({ app, register }) => {
    const visitor = app.visitor()
    const answer = await register(visitor, { username: 'Ann.Lee', email: 'Ann@Example.test', password: 'secret' })
    expect(answer).toMatchObject({
      status: 200,
      body: {
        user: { username: 'Ann.Lee', email: 'ann@example.test', emailVerified: false, hasPassword: true, plan: 'free', planChosen: false },
      },
    })
    expect(session.parse((await visitor.get('/api/auth/session')).body)).toMatchObject({
      authenticated: true,
      user: { username: 'Ann.Lee' },
    })
    const again = app.visitor()
    expect((await again.send('POST', '/api/auth/login', { username: 'ann.lee', password: 'secret' })).status).toBe(200)
  })

  test.for([
    [{ username: 'ab' }, 'Username must be at least 3 characters', 'username'],
    [{ email: 'nobody' }, 'Please enter a valid email address', 'email'],
    [{ password: '12345' }, 'Password must be at least 6 characters', 'password'],
    [{ username: 'a b c' }, 'Username can contain only letters, digits, dots, hyphens and underscores', 'username'],
    [{ username: 'eve\r\nBcc: x' }, 'Username can contain only letters, digits, dots, hyphens and underscores', 'username'],
    [{ email: 'eve@example.test\r\nBcc: x@example.test' }, 'Please enter a valid email address', 'email'],
  ] as const)('with %j is refused', async ([wrong, message, field], { app, register }) => {
    const form = { username: 'valid-name', email: 'valid@example.test', password: 'valid-password', ...wrong }
    expect(await register(app.visitor(), form)).toMatchObject({ status: 400, body: { message, field } })
  })

  test('with a taken username says so, regardless of case', async ({ app, register }) => {
    await registered(app, 'taken')
    const answer = await register(app.visitor(), { username: 'TAKEN', email: 'other@example.test', password: 'secret' })
    expect(answer).toMatchObject({
      status: 409,
      body: { message: 'This username is taken. Please choose another one.', field: 'username' },
    })
  })

  test('twice at the same moment gives the name to only one of them', async ({ app, register }) => {
    const form = (n: number) => ({ username: 'racer', email: `racer${n}@example.test`, password: 'secret' })
    const answers = await Promise.all([1, 2, 3, 4].map((n) => register(app.visitor(), form(n))))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409, 409])
  })

  test("doesn't reveal whether the email address has an account: only the email to it does", async ({ app, register }) => {
    const owner = await registered(app, 'owner')
    const link = await linkFor(app, 'owner@example.test')
    expect((await confirm(owner, tokenIn(link))).body).toEqual({ email: 'owner@example.test' })

    const known = await register(app.visitor(), { username: 'second', email: 'owner@example.test', password: 'secret' })
    const unknown = await register(app.visitor(), { username: 'third', email: 'third@example.test', password: 'secret' })
    const shape = (body: unknown) => ({ ...user.parse((body as { user: unknown }).user), id: '', username: '', email: '' })
    expect(known.status).toBe(200)
    expect(shape(known.body)).toEqual(shape(unknown.body))
    const mail = await app.mail.mailTo('owner@example.test', { kind: 'address-taken' })
    expect(mail.text).not.toContain('second')
    expect(mail.text).toContain('owner')
    expect(mail.links.filter((each) => each.includes('verify-email'))).toEqual([])
    expect((await me(owner)).emailVerified).toBe(true)
  })

  test('is rate-limited after too many attempts, with a message', async ({ app, register }) => {
    const form = (n: number) => ({ username: `busy${n}`, email: 'busy@example.test', password: 'secret' })
    for (let n = 1; n <= 5; n++) expect((await register(app.visitor(), form(n))).status).toBe(200)
    const refused = await register(app.visitor(), form(6))
    expect(refused.status).toBe(429)
    expect(refused.body).toEqual({ message: expect.stringMatching(/^Too many attempts\. Please try again in \d+ minutes\.$/) })
    expect((await register(app.visitor(), { ...form(7), email: 'calm@example.test' })).status).toBe(200)
  })
})

describe('registering, interrupted in the middle', () => {
  const form = (username: string) => ({ username, email: `${username}@example.test`, password: 'secret' })

  test.for(['users', 'accounts', 'people', 'audit_events'])(
    'at %s leaves nothing: the name is still free',
    async (table, { app, register }) => {
      const { sql } = await app.stores()
      await sql(`CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken off'; END $$`)
      await sql(`CREATE TRIGGER break_off AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION break_off()`)
      const name = `broken-${table.replace('_', '-')}`
      try {
        expect((await register(app.visitor(), form(name))).status).toBe(500)
      } finally {
        await sql('DROP FUNCTION break_off CASCADE')
      }
      expect(await sql('SELECT id FROM users WHERE username = $1', [name])).toEqual([])
      const visitor = app.visitor()
      expect((await register(visitor, form(name))).status).toBe(200)
      expect((await me(visitor)).username).toBe(name)
      expect((await app.visitor().send('POST', '/api/auth/login', { username: name, password: 'secret' })).status).toBe(200)
    },
  )

  test('PostgreSQL ending the connection leaves nothing either', async ({ app, register }) => {
    const { sql } = await app.stores()
    // The writer of the last of these rows is disconnected before it can commit.
    await sql(`CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); RETURN NEW; END $$`)
    await sql(`CREATE TRIGGER cut_off AFTER INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION cut_off()`)
    try {
      expect((await register(app.visitor(), form('cut-off'))).status).toBeGreaterThanOrEqual(500)
    } finally {
      await sql('DROP FUNCTION cut_off CASCADE')
    }
    expect((await register(app.visitor(), form('cut-off'))).status).toBe(200)
  })
})

describe('confirming the address', () => {
  test('works once, with the emailed link, for whoever is logged in to the account', async ({ app }) => {
    const person = await registered(app, 'carol')
    const token = tokenIn(await linkFor(app, 'carol@example.test'))
    expect((await confirm(app.visitor(), token)).status).toBe(401)
    expect(await confirm(person, token)).toMatchObject({ status: 200, body: { email: 'carol@example.test' } })
    expect((await me(person)).emailVerified).toBe(true)
    expect(await confirm(person, token)).toMatchObject({ status: 400, body: { field: 'token' } })
    expect((await confirm(person, 'made-up')).status).toBe(400)
  })

  test('the link leads to this installation', async ({ app }) => {
    await registered(app, 'dave')
    expect(await linkFor(app, 'dave@example.test')).toMatch(new RegExp(`^${app.url}/verify-email\\?token=[\\w-]{43}$`))
  })

  test('a link for an address that has since changed is worthless', async ({ app }) => {
    const person = await registered(app, 'erin')
    const token = tokenIn(await linkFor(app, 'erin@example.test'))
    await person.send('PATCH', '/api/user', { email: 'erin.new@example.test' })
    expect((await confirm(person, token)).status).toBe(400)
    expect(await me(person)).toMatchObject({ email: 'erin.new@example.test', emailVerified: false })
  })

  test('of two accounts that claim an address, the first to confirm gets it', async ({ app, register }) => {
    const first = await registered(app, 'frank')
    const second = app.visitor()
    await register(second, { username: 'franky', email: 'frank@example.test', password: 'secret' })
    const mails = await until(
      () => app.mail.mails('frank@example.test'),
      (all) => all.length === 2,
    )
    const isSecond = ({ text }: Mail) => text.includes('franky')
    const tokens = [mails.find((mail) => !isSecond(mail)), mails.find(isSecond)].map((mail) => tokenIn(mail && linkIn(mail)))
    const answers = [await confirm(first, tokens[0] ?? ''), await confirm(second, tokens[1] ?? '')]
    expect(answers.map((answer) => answer.status)).toEqual([200, 409])
    expect([(await me(first)).emailVerified, (await me(second)).emailVerified].filter(Boolean)).toHaveLength(1)
  })

  test('can be requested again, a few times an hour, and does nothing once confirmed', { tags: ['full'] }, async ({ app }) => {
    const person = await registered(app, 'gina')
    await linkFor(app, 'gina@example.test')
    await app.mail.clear()
    expect((await person.send('POST', '/api/auth/verify-email/send')).status).toBe(202)
    const token = tokenIn(await linkFor(app, 'gina@example.test'))
    for (let n = 0; n < 4; n++) expect((await person.send('POST', '/api/auth/verify-email/send')).status).toBe(202)
    expect((await person.send('POST', '/api/auth/verify-email/send')).status).toBe(429)
    expect((await confirm(person, token)).status).toBe(200)
    await until(
      () => app.mail.mails('gina@example.test'),
      (mails) => mails.length === 5,
    )
    await app.mail.clear()
    for (let n = 0; n < 6; n++) expect((await person.send('POST', '/api/auth/verify-email/send')).status).toBe(202)
    expect(await app.mail.mails('gina@example.test')).toEqual([])
    expect((await app.visitor().send('POST', '/api/auth/verify-email/send')).status).toBe(401)
  })

  test('no working link is stored', async ({ app }) => {
    await registered(app, 'hugo')
    const token = tokenIn(await linkFor(app, 'hugo@example.test'))
    const { sql } = await app.stores()
    const rows = await sql('SELECT * FROM verifications')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(await sql('SELECT data FROM jobs.job'))).not.toContain(token)
  })
})
