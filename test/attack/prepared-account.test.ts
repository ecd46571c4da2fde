import { describe, expect } from 'vitest'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'
import { throughConsent } from '../support/consent.ts'
import { confirmAddress, leaveUnproven, mailedToken, newPerson, registered } from '../support/people.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'
import { session, user } from '../../src/contract/user.ts'

// An account that a stranger prepares for its victim to take over, and Google accounts that open more than they should.

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false }).extend('names', () => {
  people += 1
  return { stranger: `stranger${people}`, victim: `victim${people}@example.test` }
})

const me = async (who: Visitor) => user.parse((await who.get('/api/user')).body)
const isSignedIn = async (who: Visitor) => session.parse((await who.get('/api/auth/session')).body).authenticated
const login = async (app: TestApp, username: string, word: string) => {
  const visitor = app.visitor()
  return { visitor, ...(await visitor.send('POST', '/api/auth/login', { username, password: word })) }
}
const nulls = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }

/** Waits until no email is queued. */
const allSent = async (app: TestApp) => {
  const { sql } = await app.stores()
  await until(
    () => sql(`SELECT FROM jobs.job WHERE (name LIKE 'mail%' OR name = 'password-resets') AND state IN ('created', 'retry', 'active')`),
    (waiting) => waiting.length === 0,
  )
}

/** A stranger's account that claims somebody else's address, with everything that would be useful to them later. */
async function prepared(app: TestApp, { stranger: name, victim }: { stranger: string; victim: string }): Promise<Visitor> {
  const stranger = app.visitor()
  await stranger.send('POST', '/api/auth/register', { username: name, email: victim, password })
  const { sql } = await app.stores()
  await sql(`UPDATE people SET plan = 'agency', granted_plan = 'agency' WHERE user_id = (SELECT id FROM users WHERE username = $1)`, [name])
  const [own, site] = [`${name}@google.example`, `https://${name}.example/`]
  await app.google.account(own, { [site]: 'empty' })
  expect(await throughConsent(stranger, { account: own, redirect: '/account' })).toBe('/account?connected=true')
  expect(await throughConsent(stranger, { account: own, errand: 'sign-in', redirect: '/account' })).toBe('/account?sign-in=true')
  await stranger.send('POST', '/api/gsc-properties/select', { selectedProperty: site })
  await stranger.send('POST', '/api/keys', { name: 'mine', scope: 'write', days: null })
  // As if an earlier version had let an account without a confirmed address ask another one.
  await sql('UPDATE users SET email_verified = true WHERE username = $1', [name])
  const subject = { property: site }
  await stranger.send('POST', '/api/report-schedules', { subject, kind: 'week', paper: 'a4', recipients: [own], enabled: true })
  await stranger.send('PUT', '/api/delivery-channels/email', { address: own })
  await stranger.send('POST', '/api/delivery-channels/email/confirm', { token: await mailedToken(app, own, 'confirm-delivery-address') })
  await sql('UPDATE users SET email_verified = false WHERE username = $1', [name])
  // For a stored week, which would have to be synced first.
  await sql(
    `INSERT INTO report_shares (user_id, property_id, title, kind, period_start, period_end, token_hash, token_sealed, created_at, expires_at)
     SELECT user_id, id, name, 'week', '2026-03-09', '2026-03-15', $2, '', now(), now() + interval '7 days' FROM properties WHERE name = $1`,
    [site, name],
  )
  await sql(
    `INSERT INTO report_brands (user_id, name, colour, sender_name, reply_to, updated_at)
     SELECT id, 'Agency', '#123456', 'Agency', $2, now() FROM users WHERE username = $1`,
    [name, own],
  )
  await sql(
    `INSERT INTO report_recipients (user_id, address, confirmed_at) SELECT id, $2, now() FROM users WHERE username = $1
     ON CONFLICT (user_id, address) DO UPDATE SET confirmed_at = now()`,
    [name, own],
  )
  await sql(`UPDATE users SET two_factor_enabled = true WHERE username = $1`, [name])
  return stranger
}

/** How much in an account lets somebody in, or sends something out. */
async function grantsOf(app: TestApp, username: string): Promise<Record<string, number>> {
  const { sql } = await app.stores()
  const tables = ['google_connections', 'google_sign_ins', 'api_keys', 'report_schedules', 'report_shares', 'delivery_channels', 'sessions']
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table} WHERE user_id = users.id) AS ${table}`)
  counts.push(
    `(SELECT count(*)::int FROM report_brands WHERE user_id = users.id AND reply_to IS NOT NULL) AS replies`,
    `(SELECT count(*)::int FROM report_recipients WHERE user_id = users.id AND confirmed_at IS NOT NULL) AS recipients`,
  )
  const [found] = await sql<Record<string, number>>(
    `SELECT two_factor_enabled::int AS second_factor, ${counts.join(', ')} FROM users WHERE username = $1`,
    [username],
  )
  return found ?? {}
}

const resetLinks = (links: readonly string[]): number => links.filter((link) => link.includes('/reset-password?')).length

describe('an account prepared for somebody else', () => {
  test("isn't what the address's owner gets at their first Google sign-in: they get a new one", async ({ app, names }) => {
    const stranger = await prepared(app, names)
    await app.google.account(names.victim, {})
    const victim = app.visitor()
    expect(await throughConsent(victim, { account: names.victim })).toBe('/onboarding/plan?connected=true')
    expect(await me(victim)).toMatchObject({ email: names.victim, emailVerified: true, googleSignIns: [names.victim] })
    expect((await me(victim)).id).not.toBe((await me(stranger)).id)
    // The claim is worthless from now on.
    const token = await mailedToken(app, names.victim, 'confirm-address')
    expect((await stranger.send('POST', '/api/auth/verify-email', { token })).status).toBe(409)
  })

  test(
    "is emptied of everything the stranger left in it when the address's owner sets a new password",
    { tags: ['full'] },
    async ({ app, names }) => {
      const stranger = await prepared(app, names)
      expect(await grantsOf(app, names.stranger)).toEqual({
        second_factor: 1,
        google_connections: 1,
        google_sign_ins: 1,
        api_keys: 1,
        report_schedules: 1,
        report_shares: 1,
        delivery_channels: 1,
        sessions: 1,
        replies: 1,
        recipients: 1,
      })
      await app.visitor().send('POST', '/api/auth/forgot-password', { email: names.victim })
      expect((await app.mail.mailTo(names.victim, { kind: 'reset-password' })).text).toContain('someone else may have set up the account')
      const token = await mailedToken(app, names.victim, 'reset-password')
      expect((await app.visitor().send('POST', '/api/auth/reset-password', { token, password: 'of-the-owner-now' })).status).toBe(204)
      expect(Object.values(await grantsOf(app, names.stranger)).every((count) => count === 0)).toBe(true)
      expect(await isSignedIn(stranger)).toBe(false)
      const back = app.visitor()
      await throughConsent(back, { account: `${names.stranger}@google.example` })
      expect((await me(back)).email).toBe(`${names.stranger}@google.example`)
      expect((await login(app, names.stranger, 'of-the-owner-now')).body).toMatchObject({
        user: { email: names.victim, emailVerified: true },
      })
    },
  )

  test("is only confirmed by someone who can log in to it: the email alone isn't enough", { tags: ['full'] }, async ({ app, names }) => {
    const stranger = await prepared(app, names)
    const token = await mailedToken(app, names.victim, 'confirm-address')
    const victim = app.visitor()
    const confirm = () => victim.send('POST', '/api/auth/verify-email', { token })
    expect((await confirm()).status).toBe(401)
    // Not from their own account either.
    await victim.send('POST', '/api/auth/register', { username: `own-${names.stranger}`, email: names.victim, password })
    expect(await confirm()).toMatchObject({ status: 403, body: { field: 'token', message: expect.stringContaining('another account') } })
    expect((await me(stranger)).emailVerified).toBe(false)

    // The way in is a new password, which first empties the account.
    await app.mail.clear()
    await app.visitor().send('POST', '/api/auth/forgot-password', { email: names.victim })
    const mails = await until(
      async () => (await app.mail.mails(names.victim)).filter(({ kind }) => kind === 'reset-password'),
      (all) => all.length > 0,
    )
    expect(mails.map(({ links }) => resetLinks(links))).toEqual([2])
    expect(mails[0]?.text).toContain('someone else may have set up the accounts')
  })

  test(
    'keeps what its owner set up when the address is confirmed; access by others ends when they request it',
    { tags: ['full'] },
    async ({ app, names }) => {
      const owner = await prepared(app, names)
      await confirmAddress(app, owner, names.victim)
      await (await app.stores()).sql(`UPDATE users SET two_factor_enabled = false WHERE username = $1`, [names.stranger])
      const { visitor } = await login(app, names.stranger, password)
      const changed = await visitor.send('POST', '/api/user/password', { currentPassword: password, newPassword: 'another-password' })
      expect([changed.status, await grantsOf(app, names.stranger)]).toEqual([
        204,
        expect.objectContaining({ api_keys: 1, google_sign_ins: 1 }),
      ])
      await app.mail.clear()
      await app.visitor().send('POST', '/api/auth/forgot-password', { email: names.victim })
      const token = await mailedToken(app, names.victim, 'reset-password')
      await app.visitor().send('POST', '/api/auth/reset-password', { token, password: 'a-third-password', endAccess: true })
      expect(await grantsOf(app, names.stranger)).toMatchObject({
        api_keys: 0,
        google_sign_ins: 0,
        report_shares: 0,
        delivery_channels: 0,
        google_connections: 1,
        report_schedules: 1,
        // Replies come to the account's own address again, and everybody is asked again once a schedule is turned on.
        replies: 0,
        recipients: 0,
      })
      const { sql } = await app.stores()
      expect(
        await sql('SELECT enabled FROM report_schedules JOIN users ON users.id = user_id WHERE username = $1', [names.stranger]),
      ).toEqual([{ enabled: false }])
    },
  )

  test(
    "five older claims of an address don't keep somebody from resetting their own account",
    { tags: ['full'] },
    async ({ app, names }) => {
      const headers = { 'x-forwarded-for': '203.0.113.77' }
      // Short names without digits, which the email shows.
      for (const claim of 'abcde')
        await app.visitor().send('POST', '/api/auth/register', { username: `five-${claim}`, email: names.victim, password }, { headers })
      // Registered here, where they also ask.
      const own = 'five-own'
      expect((await app.visitor().send('POST', '/api/auth/register', { username: own, email: names.victim, password })).status).toBe(200)
      await app.mail.clear()
      await app.visitor().send('POST', '/api/auth/forgot-password', { email: names.victim })
      await allSent(app)
      const links = (await app.mail.mails(names.victim)).filter(({ kind }) => kind === 'reset-password')
      expect(links.map((mail) => [resetLinks(mail.links), mail.text.includes(`${own}: choose`)])).toEqual([[5, true]])
    },
  )

  test(
    'a stranger with older claims from several networks, who asks instead of the owner, gets the owner a link too',
    { tags: ['full'] },
    async ({ app, names }) => {
      const networks = ['203.0.113.81', '203.0.113.82'] as const
      const at = (address: string) => ({ headers: { 'x-forwarded-for': address } })
      const own = 'several-own'
      const claims = { [networks[0]]: 'abc', [networks[1]]: 'def' }
      for (const network of networks)
        for (const claim of claims[network]!) {
          const form = { username: `net-${claim}`, email: names.victim, password }
          expect((await app.visitor().send('POST', '/api/auth/register', form, at(network))).status).toBe(200)
        }
      expect((await app.visitor().send('POST', '/api/auth/register', { username: own, email: names.victim, password })).status).toBe(200)
      await app.mail.clear()
      // Three of the network that asks, and two others each time.
      for (let request = 0; request < 2; request++) {
        await app.visitor().send('POST', '/api/auth/forgot-password', { email: names.victim }, at(networks[0]))
        await allSent(app)
      }
      const links = (await app.mail.mails(names.victim)).filter(({ kind, text }) => kind === 'reset-password' && text.includes(own))
      expect(links).toHaveLength(1)
      const token = new RegExp(`${own}: choose a new password \\([^)]*token=([^)]+)\\)`).exec(
        links[0]?.text.replaceAll('\n', ' ') ?? '',
      )?.[1]
      expect((await app.visitor().send('POST', '/api/auth/reset-password', { token, password: 'of-the-owner-now' })).status).toBe(204)
      expect((await login(app, own, 'of-the-owner-now')).status).toBe(200)
    },
  )
})

describe('syncing with a Google account', () => {
  test("doesn't allow logging in with it", async ({ app, names }) => {
    const owner = await registered(app, names.stranger)
    await confirmAddress(app, owner, `${names.stranger}@example.test`)
    await app.google.account(names.victim, { 'https://shared.example/': 'empty' })
    await throughConsent(owner, { account: names.victim, redirect: '/account' })
    expect(await me(owner)).toMatchObject({ accessToken: 'redacted', googleSignIns: [] })
    const other = app.visitor()
    expect(await throughConsent(other, { account: names.victim })).toBe('/login?error=only_synced')
    expect(await isSignedIn(other)).toBe(false)

    // It logs in once it has been requested, with the password, and the owner is notified.
    await leaveUnproven(app)
    const add = { account: names.victim, errand: 'sign-in', redirect: '/account' } as const
    expect(await throughConsent(owner, add)).toBe('/account?sign-in=prove')
    await owner.send('POST', '/api/user/proof', { password })
    expect(await throughConsent(owner, add)).toBe('/account?sign-in=true')
    expect((await app.mail.mailTo(`${names.stranger}@example.test`, { kind: 'google-linked' })).text).toContain(names.victim)
    expect(await throughConsent(other, { account: names.victim })).toBe('/dashboard?connected=true')
    expect((await me(other)).id).toBe((await me(owner)).id)
    // It doesn't take over anybody else's account.
    const another = await registered(app, `another-${names.stranger}`)
    expect(await throughConsent(another, add)).toBe('/account?sign-in=taken')

    // Disconnecting the data doesn't affect login.
    await owner.send('PATCH', '/api/user', nulls)
    const third = app.visitor()
    expect(await throughConsent(third, { account: names.victim })).toBe('/dashboard')
    expect(await me(third)).toMatchObject({ accessToken: null })
    expect((await owner.send('DELETE', '/api/user/google-sign-ins')).body).toMatchObject({ googleSignIns: [] })
  })

  test(
    'sends nothing to an address that is only claimed, and ten emails a day at most to any other',
    { tags: ['full'] },
    async ({ app, names }) => {
      const stranger = app.visitor()
      await stranger.send('POST', '/api/auth/register', { username: names.stranger, email: names.victim, password })
      const google = `${names.stranger}@google.example`
      await app.google.account(google, {})
      const add = () => throughConsent(stranger, { account: google, errand: 'sign-in', redirect: '/account' })
      const addAndRemove = async () => {
        expect(await add()).toBe('/account?sign-in=true')
        await stranger.send('DELETE', '/api/user/google-sign-ins')
      }
      await addAndRemove()
      const toVictim = async (kind: string) => (await app.mail.mails(names.victim)).filter((mail) => mail.kind === kind).length
      await confirmAddress(app, stranger, names.victim)
      for (let more = 0; more < 9; more++) await addAndRemove()
      expect(await add()).toBe('/account?sign-in=too-many')
      await allSent(app)
      expect([await toVictim('google-linked'), await toVictim('google-unlinked')]).toEqual([9, 9])

      const other = app.visitor()
      const address = `other-${names.victim}`
      await other.send('POST', '/api/auth/register', { username: `other-${names.stranger}`, email: address, password })
      expect((await other.send('DELETE', '/api/user', { username: `other-${names.stranger}`, password })).status).toBe(204)
      await allSent(app)
      expect((await app.mail.mails(address)).map(({ kind }) => kind)).toEqual(['confirm-address'])
    },
  )

  test('logs in by its address only if it is added and announced, so not beyond the ten a day', async ({ app, names }) => {
    const address = `${names.stranger}@example.test`
    await confirmAddress(app, await registered(app, names.stranger), address)
    await app.google.account(address, {})
    const { sql } = await app.stores()
    await sql(
      `INSERT INTO day_counts (what, whose, day, used) SELECT 'google-login', id, '2026-03-18', 10 FROM users WHERE username = $1`,
      [names.stranger],
    )
    const visitor = app.visitor()
    expect(await throughConsent(visitor, { account: address })).toBe('/login?error=auth_failed')
    expect(await isSignedIn(visitor)).toBe(false)
    await sql(`DELETE FROM day_counts WHERE what = 'google-login'`)
    expect(await throughConsent(visitor, { account: address })).toBe('/dashboard')
    await app.mail.mailTo(address, { kind: 'google-linked' })
  })

  test(
    'leaves no way in once its login is removed: sessions and logins in progress that it began end',
    { tags: ['full'] },
    async ({ app, names }) => {
      const owner = await registered(app, names.stranger)
      const address = `${names.stranger}@example.test`
      await confirmAddress(app, owner, address)
      await app.google.account(names.victim, {})
      await throughConsent(owner, { account: names.victim, errand: 'sign-in', redirect: '/account' })
      const thief = app.visitor()
      expect(await throughConsent(thief, { account: names.victim })).toBe('/dashboard')
      const { sql } = await app.stores()
      const ofOwner = 'WHERE username = $1'
      await sql(`UPDATE users SET two_factor_enabled = true ${ofOwner}`, [names.stranger])
      expect(await throughConsent(app.visitor(), { account: names.victim })).toBe('/login?two-factor=1')
      await sql(`UPDATE users SET two_factor_enabled = false ${ofOwner}`, [names.stranger])

      expect((await owner.send('DELETE', '/api/user/google-sign-ins')).body).toMatchObject({ googleSignIns: [] })
      expect(await isSignedIn(thief)).toBe(false)
      expect(await isSignedIn(owner)).toBe(true)
      expect(await sql(`SELECT FROM verifications JOIN users ON users.id = value ${ofOwner}`, [names.stranger])).toEqual([])
      expect((await app.mail.mailTo(address, { kind: 'google-unlinked' })).text).toContain(names.stranger)
    },
  )

  test(
    'joins an account by its address only if Google is currently authoritative for the address',
    { tags: ['full'] },
    async ({ app, names }) => {
      const owner = await registered(app, names.stranger)
      const address = `${names.stranger}@example.test`
      await confirmAddress(app, owner, address)
      await app.google.account(address, {}, { consumer: true })
      const visitor = app.visitor()
      expect(await throughConsent(visitor, { account: address })).toBe('/login?error=confirm_first')
      expect(await isSignedIn(visitor)).toBe(false)
      // Nor does it confirm an address here.
      await app.google.account(names.victim, {}, { consumer: true })
      const newcomer = app.visitor()
      await throughConsent(newcomer, { account: names.victim })
      expect(await me(newcomer)).toMatchObject({ email: names.victim, emailVerified: false })
      await app.mail.mailTo(names.victim, { kind: 'confirm-address' })

      for (const [name, account] of [
        [`g-${names.stranger}`, `g-${names.stranger}@gmail.com`],
        [`w-${names.stranger}`, `w-${names.stranger}@work.example`],
      ] as const) {
        const person = app.visitor()
        await person.send('POST', '/api/auth/register', { username: name, email: account, password })
        await confirmAddress(app, person, account)
        await app.google.account(account, {})
        const joined = app.visitor()
        expect(await throughConsent(joined, { account })).toBe('/dashboard')
        expect((await me(joined)).id).toBe((await me(person)).id)
        expect((await app.mail.mailTo(account, { kind: 'google-linked' })).text).toContain(name)
      }
      expect((await me(owner)).googleSignIns).toEqual([])
    },
  )
})

describe('an account without a password', () => {
  const refused = { status: 403, body: { code: 'proof-needed' } }

  test('requires a fresh Google sign-in in a hijacked session', async ({ app, names }) => {
    const owner = await newPerson(app, { email: names.victim })
    const { username } = await me(owner)
    await leaveUnproven(app)
    for (const [method, path, body] of [
      ['DELETE', '/api/user', { username }],
      ['POST', '/api/user/two-factor', {}],
      ['POST', '/api/keys', { name: 'mine', scope: 'read', days: null }],
      ['PATCH', '/api/user', { email: 'thief@example.test' }],
    ] as const)
      expect(await owner.send(method, path, body)).toMatchObject(refused)
    expect((await owner.send('POST', '/api/user/proof', { password })).status).toBe(409)

    // The thief's own Google account proves nothing, and doesn't get connected.
    await app.google.account('thief@example.test', {})
    const thief = { account: 'thief@example.test', redirect: '/account' }
    expect(await throughConsent(owner, { ...thief, errand: 'proof' })).toBe('/proven?proven=false')
    expect(await throughConsent(owner, thief)).toBe('/account?connected=prove')
    expect(await throughConsent(owner, { ...thief, errand: 'sign-in' })).toBe('/account?sign-in=prove')
    expect(await owner.get('/api/user/export')).toMatchObject(refused)
    expect(await me(owner)).toMatchObject({ email: names.victim, googleSignIns: [names.victim] })

    expect(await throughConsent(owner, { account: names.victim, errand: 'proof' })).toBe('/proven?proven=true')
    expect((await owner.get('/api/user/export')).status).toBe(200)
    // Without a password it is the only way in.
    expect((await owner.send('DELETE', '/api/user/google-sign-ins')).status).toBe(409)
  })
})
