import pg from 'pg'
import { describe, expect, onTestFinished } from 'vitest'
import { appTest } from '../support/app-test.ts'
import type { TestApp } from '../support/app.ts'

import { picture, upload } from '../support/agency.ts'
import { comeBack, consent, leaveForGoogle, throughConsent } from '../support/consent.ts'
import { confirmAddress, leaveUnproven, mailedToken, member, registered } from '../support/people.ts'
import { databaseUrlOf } from '../support/stores.ts'
import { totp } from '../support/totp.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'
import { type TwoFactorSetup, twoFactorSetup } from '../../src/contract/account/profile.ts'
import { auditLog } from '../../src/contract/audit.ts'
import { reportClient, reportSchedule, reportShareMade, sharedReport } from '../../src/contract/reports/reports.ts'
import { session, user } from '../../src/contract/user.ts'
import { ownerAtOnce } from '../support/stored-history.ts'

// What somebody can do with another person's session but without their password: a copied cookie, a browser left open.

const password = 'a-good-password'
let people = 0

const test = appTest({ today: '2026-03-18', demo: false }).extend('victim', async ({ app }) => {
  const name = `victim${++people}`
  const owner = await registered(app, name)
  await confirmAddress(app, owner, `${name}@example.test`)
  await leaveUnproven(app)
  return { name, address: `${name}@example.test`, owner }
})

/** A browser with another browser's cookies. */
function borrowed(app: TestApp, from: Visitor): Visitor {
  const thief = app.visitor()
  for (const [name, value] of from.cookies) thief.cookies.set(name, value)
  return thief
}
const me = async (who: Visitor) => user.parse((await who.get('/api/user')).body)
const isSignedIn = async (who: Visitor) => session.parse((await who.get('/api/auth/session')).body).authenticated
const refused = { status: 403, body: { code: 'proof-needed' } }
const schedule = (recipient: string) => ({
  subject: { property: 'any' },
  kind: 'week',
  paper: 'a4',
  recipients: [recipient],
  enabled: true,
})
const nulls = { accessToken: null, refreshToken: null, gscProperties: null, selectedProperty: null }

describe('a hijacked session', () => {
  test("can't be used to take over the account: every way to keep it asks for the password", async ({
    app,
    victim: { name, address, owner },
  }) => {
    const thief = borrowed(app, owner)
    expect((await me(thief)).username).toBe(name)
    expect(await thief.send('PATCH', '/api/user', { email: 'thief@example.test' })).toMatchObject(refused)
    expect(await thief.send('PATCH', '/api/user', nulls)).toMatchObject(refused)
    expect(await thief.send('POST', '/api/keys', { name: 'mine', scope: 'read', days: null })).toMatchObject(refused)
    expect(await thief.get('/api/user/export')).toMatchObject(refused)
    // Nor does it give access to future figures, or to the money.
    for (const [method, path, body] of [
      ['PUT', '/api/delivery-channels/email', { address: 'thief@example.test' }],
      ['PUT', '/api/delivery-channels/slack', { url: 'https://hooks.slack.com/services/T/B/x' }],
      ['PUT', '/api/delivery-channels/sms', { number: '+442079460018' }],
      ['PUT', '/api/delivery-channels/webhook', { url: 'https://thief.example/hook' }],
      ['POST', '/api/delivery-channels/webhook/secret', {}],
      ['POST', '/api/subscription/change', { planType: 'agency' }],
      ['POST', '/api/subscription/portal', {}],
      ['POST', '/api/report-shares', { subject: { property: 'any' }, kind: 'week', days: 30 }],
      ['POST', '/api/report-schedules', schedule('thief@example.test')],
      ['PUT', '/api/report-schedules/1', schedule('thief@example.test')],
    ] as const)
      expect(await thief.send(method, path, body)).toMatchObject(refused)
    // A report to the owner's own address gives nothing away.
    expect((await thief.send('POST', '/api/report-schedules', schedule(address))).status).toBe(403)
    expect((await thief.send('POST', '/api/report-schedules', schedule(address))).body).not.toMatchObject(refused.body)
    expect((await thief.get('/api/auth/google?redirect=/account')).headers.get('location')).toBe('/account?connected=prove')
    // These requests include the password, which is checked.
    for (const [method, path, body] of [
      ['POST', '/api/user/two-factor', {}],
      ['POST', '/api/user/two-factor', { password: 'a-guess-at-it' }],
      ['DELETE', '/api/user', { username: name, password: 'a-guess-at-it' }],
      ['POST', '/api/user/password', { currentPassword: 'a-guess-at-it', newPassword: 'mine-from-now-on' }],
    ] as const)
      expect((await thief.send(method, path, body)).status).toBeGreaterThanOrEqual(400)
    expect(await thief.send('POST', '/api/user/proof', { password: 'a-guess-at-it' })).toMatchObject({
      status: 403,
      body: { message: 'Incorrect password.', field: 'password' },
    })
    expect(await thief.send('PATCH', '/api/user', { email: 'thief@example.test' })).toMatchObject(refused)
    expect(await me(owner)).toMatchObject({ email: address, pendingEmail: null, twoFactorEnabled: false })
  })

  test("can't complete a trip to Google after the proof has expired, or one that another session started", async ({
    app,
    victim: { name, owner },
  }) => {
    const google = `thief-of-${name}@google.example`
    await app.google.account(google, {})
    const elsewhere = app.visitor()
    await elsewhere.send('POST', '/api/auth/login', { username: name, password })
    await owner.send('POST', '/api/user/proof', { password })
    const leave = async (errand?: 'sign-in') => consent(await leaveForGoogle(owner, '/account', errand), { account: google })
    const other = await leave('sign-in')
    for (const [cookie, value] of owner.cookies) if (cookie.endsWith('.google')) elsewhere.cookies.set(cookie, value)
    expect(await comeBack(elsewhere, other)).toBe('/account?sign-in=renewed')
    for (const errand of ['sign-in', undefined] as const) {
      await owner.send('POST', '/api/user/proof', { password })
      const callback = await leave(errand)
      await leaveUnproven(app)
      expect(await comeBack(owner, callback)).toBe(`/account?${errand ?? 'connected'}=prove`)
    }
    expect(await me(owner)).toMatchObject({ googleSignIns: [], accessToken: null })
  })

  test(
    "can't confirm a second factor that somebody prepared earlier, whatever was ended in between",
    { tags: ['full'] },
    async ({ app, victim: { name, address, owner } }) => {
      const thief = app.visitor()
      await thief.send('POST', '/api/auth/login', { username: name, password })
      const setUp = async () => twoFactorSetup.parse((await thief.send('POST', '/api/user/two-factor', { password })).body)
      const confirm = (who: Visitor, { secret }: TwoFactorSetup) => who.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) })
      const prepared = await setUp()
      await leaveUnproven(app)
      expect(await confirm(borrowed(app, owner), prepared)).toMatchObject(refused)
      await app.visitor().send('POST', '/api/auth/forgot-password', { email: address })
      const token = await mailedToken(app, address, 'reset-password')
      await app.visitor().send('POST', '/api/auth/reset-password', { token, password: 'the-owner-again' })
      expect((await owner.send('POST', '/api/auth/login', { username: name, password: 'the-owner-again' })).status).toBe(200)
      expect((await confirm(borrowed(app, owner), prepared)).status).toBe(409)
      expect(await me(owner)).toMatchObject({ twoFactorEnabled: false })
    },
  )

  test(
    'is asked for the password only once in ten minutes, and other sessions are still asked',
    { tags: ['full'] },
    async ({ app, victim: { name, owner } }) => {
      const elsewhere = app.visitor()
      await elsewhere.send('POST', '/api/auth/login', { username: name, password })
      await leaveUnproven(app)
      expect((await owner.send('POST', '/api/user/proof', { password })).status).toBe(204)
      expect((await owner.get('/api/user/export')).status).toBe(200)
      expect(await elsewhere.get('/api/user/export')).toMatchObject(refused)
      await leaveUnproven(app)
      expect(await owner.get('/api/user/export')).toMatchObject(refused)
    },
  )

  test(
    "can't be proven at Google if there is a password, and a login with Google isn't a proof either",
    { tags: ['full'] },
    async ({ app, victim: { name, owner } }) => {
      const google = `${name}@google.example`
      await app.google.account(google, {})
      await owner.send('POST', '/api/user/proof', { password })
      expect(await throughConsent(owner, { account: google, errand: 'sign-in', redirect: '/account' })).toBe('/account?sign-in=true')
      await leaveUnproven(app)
      expect(await throughConsent(owner, { account: google, errand: 'proof' })).toBe('/proven?proven=false')
      expect(await owner.get('/api/user/export')).toMatchObject(refused)
      // Nor by a trip that began with a proof, and returns to the Google account that logs in here after it is over.
      await owner.send('POST', '/api/user/proof', { password })
      const callback = await consent(await leaveForGoogle(owner, '/account'), { account: google })
      await leaveUnproven(app)
      expect(await comeBack(owner, callback)).toBe('/account?connected=prove')
      expect(await owner.get('/api/user/export')).toMatchObject(refused)
      const elsewhere = app.visitor()
      expect(await throughConsent(elsewhere, { account: google })).toBe('/dashboard')
      expect(await elsewhere.get('/api/user/export')).toMatchObject(refused)
      expect((await elsewhere.send('POST', '/api/user/proof', { password })).status).toBe(204)
      expect((await elsewhere.get('/api/user/export')).status).toBe(200)
    },
  )

  test("can't email a report to anybody else, not even through a schedule that is turned off", { tags: ['full'] }, async ({ app }) => {
    const site = 'https://monitored.example/'
    const thiefs = 'thief@example.test'
    const owner = await ownerAtOnce(app, site, { profile: 'local', days: 18, email: 'reporter@example.test', plan: 'agency' })
    const answer = await owner.send('POST', '/api/report-schedules', { ...schedule('reporter@example.test'), subject: { property: site } })
    const { id: own } = reportSchedule.parse(answer.body)
    await leaveUnproven(app)
    const thief = borrowed(app, owner)
    const resting = { ...schedule(thiefs), subject: { property: site }, enabled: false }
    expect(await thief.send('POST', '/api/report-schedules', resting)).toMatchObject(refused)
    expect(await thief.send('PUT', `/api/report-schedules/${own}`, resting)).toMatchObject(refused)
    const toOwner = { ...resting, recipients: ['reporter@example.test'] }
    expect((await thief.send('PUT', `/api/report-schedules/${own}`, toOwner)).status).toBe(200)
    const off = { status: 409, body: { message: 'This schedule is turned off. Turn it on first.' } }
    expect(await thief.send('POST', `/api/report-schedules/${own}/ask`)).toMatchObject(off)
    const run = { subject: { property: site }, kind: 'week', paper: 'a4', schedule: own }
    expect(await thief.send('POST', '/api/report-runs', run)).toMatchObject(off)
    expect(await app.mail.mails(thiefs)).toEqual([])
  })

  test(
    "can't show others more by adding properties to a client whose reports they get, nor redirect their replies",
    { tags: ['full'] },
    async ({ app }) => {
      const [site, secret] = ['https://client.example/', 'https://secret.example/']
      const owner = await ownerAtOnce(app, site, { profile: 'local', days: 18, email: 'agent@example.test', plan: 'agency' })
      const { sql } = await app.stores()
      await sql(
        `INSERT INTO properties (user_id, name, monitored, kind, permission_level) SELECT user_id, $2, true, kind, permission_level FROM properties WHERE name = $1`,
        [site, secret],
      )
      const put = (who: Visitor, id: string, properties: string[], name = 'Ann') =>
        who.send('PUT', `/api/report-clients/${id}`, { name, properties })
      const [linked, mailed, inside] = await Promise.all(
        ['Ann', 'Bob', 'Carl'].map(async (name) => {
          const { body } = await owner.send('POST', '/api/report-clients', { name, properties: [site] })
          return reportClient.parse(body).id
        }),
      )
      if (linked === undefined || mailed === undefined || inside === undefined) throw new Error('no clients')
      const link = await owner.send('POST', '/api/report-shares', { subject: { client: linked }, kind: 'week', days: 30 })
      const { url } = reportShareMade.parse(link.body)
      await owner.send('POST', '/api/report-schedules', { ...schedule('bob@client.example'), subject: { client: mailed } })
      await owner.send('POST', '/api/report-schedules', { ...schedule('agent@example.test'), subject: { client: inside } })
      await leaveUnproven(app)
      const thief = borrowed(app, owner)
      for (const id of [linked, mailed]) expect(await put(thief, id, [site, secret])).toMatchObject(refused)
      const shown = await app.visitor().get(new URL(url).pathname.replace('/shared/', '/api/shared/'))
      expect(sharedReport.parse(shown.body).missing).toEqual([])
      // Fewer properties, or a client whose reports only the owner gets: nobody sees more.
      expect((await put(thief, linked, [site], 'Ann')).status).toBe(200)
      expect((await put(thief, inside, [site, secret], 'Carla')).status).toBe(200)
      const brand = { name: 'Mine', color: '#123456', senderName: 'Mine' }
      expect(await thief.send('PUT', '/api/report-brand', { ...brand, replyTo: 'thief@example.test' })).toMatchObject(refused)

      await sql('UPDATE sessions SET proven_at = now()')
      expect((await put(owner, linked, [site, secret])).status).toBe(200)
      expect((await owner.send('PUT', '/api/report-brand', { ...brand, replyTo: 'replies@agency.example' })).status).toBe(200)
      await leaveUnproven(app)
      // Neither has to be proven again.
      expect((await put(thief, linked, [secret, site])).status).toBe(200)
      expect((await thief.send('PUT', '/api/report-brand', { ...brand, replyTo: 'replies@agency.example' })).status).toBe(200)
      const { events } = auditLog.parse((await owner.get('/api/audit-log')).body)
      expect(events.flatMap(({ change }) => (change.kind === 'client-extended' ? [change.details] : [])).toReversed()).toEqual([
        { client: 'Carla', properties: secret },
        { client: 'Ann', properties: secret },
      ])
    },
  )

  test("doesn't give up a paid or granted plan", async ({ app }) => {
    const owner = await member(app, { email: 'granted@example.test', plan: 'pro', password })
    await leaveUnproven(app)
    const thief = borrowed(app, owner)
    expect(await thief.send('POST', '/api/create-subscription', { planType: 'free' })).toMatchObject(refused)
    expect(await me(owner)).toMatchObject({ plan: 'pro' })
    expect((await owner.send('POST', '/api/user/proof', { password })).status).toBe(204)
    expect((await owner.send('POST', '/api/create-subscription', { planType: 'free' })).status).toBe(200)
    expect(await me(owner)).toMatchObject({ plan: 'free' })
  })

  test("can't guess the password without limit", { tags: ['full'] }, async ({ app, victim: { owner } }) => {
    const thief = borrowed(app, owner)
    const guess = async () => (await thief.send('POST', '/api/user/proof', { password: 'a-guess-at-it' })).status
    for (let n = 0; n < 10; n++) expect(await guess()).toBe(403)
    expect(await guess()).toBe(429)
    expect((await thief.send('POST', '/api/user/proof', { password })).status).toBe(429)
  })

  test('can change the username and withdraw a change of address without a proof: that lets nobody in', async ({
    victim: { name, owner },
  }) => {
    expect(await owner.send('PATCH', '/api/user', { username: `${name}-renamed` })).toMatchObject({ status: 200 })
  })
})

/**
 * Begins an undo that holds a lock on the person's row and waits for another row; requests admitted meanwhile wait for the person's.
 * Returns what finishes it, once all of these wait, and says how they were answered.
 */
async function beginUndo(app: TestApp, token: string, email: string) {
  const { sql } = await app.stores()
  const holder = new pg.Client({ connectionString: await databaseUrlOf(app.dataDir) })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM users WHERE email = $1 FOR UPDATE', [email])
  const waiting = async () =>
    (await sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)).length
  const undone = app.visitor().send('POST', '/api/auth/undo-email', { token })
  await until(waiting, (count) => count === 1)
  return async (requests: readonly Promise<{ status: number }>[]): Promise<number[]> => {
    await until(waiting, (count) => count === 1 + requests.length)
    await holder.query('COMMIT')
    expect((await undone).status).toBe(200)
    return (await Promise.all(requests)).map(({ status }) => status)
  }
}

describe('a changed address', () => {
  const login = (app: TestApp, username: string, word: string) =>
    app.visitor().send('POST', '/api/auth/login', { username, password: word })

  test('leaves the old one in force until the new one is confirmed', async ({ app, victim: { address, owner } }) => {
    await owner.send('POST', '/api/user/proof', { password })
    const next = `next-${address}`
    expect(await owner.send('PATCH', '/api/user', { email: next })).toMatchObject({
      status: 200,
      body: { email: address, emailVerified: true, pendingEmail: next },
    })
    // Somebody who can read only the new address's email can't set a new password.
    await app.mail.clear()
    for (const email of [next, address]) await app.visitor().send('POST', '/api/auth/forgot-password', { email })
    await app.mail.mailTo(address, { kind: 'reset-password' })
    expect((await app.mail.mails(next)).map(({ kind }) => kind)).not.toContain('reset-password')
    expect((await login(app, next, password)).status).toBe(401)
    expect((await login(app, address, password)).status).toBe(200)

    await owner.send('POST', '/api/auth/verify-email/send')
    await confirmAddress(app, owner, next)
    expect(await me(owner)).toMatchObject({ email: next, emailVerified: true, pendingEmail: null })
    expect((await login(app, address, password)).status).toBe(401)
  })

  test('can be taken back while it waits, and lapses after a day', { tags: ['full'] }, async ({ app, victim: { address, owner } }) => {
    await owner.send('POST', '/api/user/proof', { password })
    const next = `next-${address}`
    await owner.send('PATCH', '/api/user', { email: next })
    const token = await mailedToken(app, next, 'confirm-address')
    await leaveUnproven(app)
    expect(await owner.send('PATCH', '/api/user', { email: address })).toMatchObject({ body: { email: address, pendingEmail: null } })
    expect((await owner.send('POST', '/api/auth/verify-email', { token })).status).toBe(400)

    await owner.send('POST', '/api/user/proof', { password })
    await app.mail.clear()
    await owner.send('PATCH', '/api/user', { email: next })
    const late = await mailedToken(app, next, 'confirm-address')
    await (await app.stores()).sql(`UPDATE people SET pending_email_until = now() WHERE pending_email = $1`, [next])
    expect((await owner.send('POST', '/api/auth/verify-email', { token: late })).status).toBe(400)
    expect(await me(owner)).toMatchObject({ email: address, pendingEmail: null })
  })

  test('is undone by the owner, even when the thief had the password, moved twice and switched on a second factor', async ({
    app,
    victim: { name, address },
  }) => {
    const thief = app.visitor()
    await thief.send('POST', '/api/auth/login', { username: name, password })
    const [first, second] = [`first-thief-of-${address}`, `second-thief-of-${address}`]
    await thief.send('PATCH', '/api/user', { email: first })
    await confirmAddress(app, thief, first)
    await thief.send('PATCH', '/api/user', { email: second })
    await confirmAddress(app, thief, second)
    expect((await thief.send('PUT', '/api/delivery-channels/email', { address: `alerts-of-${first}` })).status).toBe(200)
    const { sql } = await app.stores()
    await sql(`UPDATE users SET two_factor_enabled = true WHERE email = $1`, [second])
    await sql(
      `INSERT INTO two_factors (id, user_id, secret, backup_codes, verified) SELECT id, id, 's', 'c', true FROM users WHERE email = $1`,
      [second],
    )
    const undo = (token: string) => app.visitor().send('POST', '/api/auth/undo-email', { token })
    const ownersLink = await mailedToken(app, address, 'address-changed')
    // The thief got the same kind of email about the second change, without a link.
    expect(await mailedToken(app, first, 'address-changed')).toBe('')

    const undone = await undo(ownersLink)
    expect(undone).toMatchObject({ status: 200, body: { email: address } })
    expect(await isSignedIn(thief)).toBe(false)
    expect(await sql('SELECT 1 FROM delivery_channels')).toEqual([])
    // The password that the thief knows stops working right away, not only once a new one is set.
    expect((await login(app, name, password)).status).toBe(401)
    expect((await undo(ownersLink)).status).toBe(400)

    const { token } = undone.body as { token: string }
    expect((await app.visitor().send('POST', '/api/auth/reset-password', { token, password: 'the-owner-again' })).status).toBe(204)
    expect((await login(app, name, password)).status).toBe(401)
    expect(await login(app, address, 'the-owner-again')).toMatchObject({
      status: 200,
      body: { user: { username: name, email: address, emailVerified: true, pendingEmail: null, twoFactorEnabled: false } },
    })
  })

  test(
    'is undone even while a request waits, and that request adds nothing',
    { tags: ['full'] },
    async ({ app, victim: { name, address, owner } }) => {
      const next = `next-${address}`
      const { sql } = await app.stores()
      await sql(`UPDATE people SET plan = 'agency', granted_plan = 'agency' FROM users WHERE users.id = user_id AND email = $1`, [address])
      await owner.send('POST', '/api/user/proof', { password })
      await owner.send('PATCH', '/api/user', { email: next })
      await confirmAddress(app, owner, next)
      const token = await mailedToken(app, address, 'address-changed')
      const site = 'https://extended.example/'
      await sql(`INSERT INTO properties (user_id, name, kind) SELECT id, $2, 'google' FROM users WHERE email = $1`, [next, site])
      const [client] = await sql<{ id: number }>(
        `INSERT INTO report_clients (user_id, name, created_at) SELECT id, 'Bank', now() FROM users WHERE email = $1 RETURNING id`,
        [next],
      )
      const thief = app.visitor()
      await thief.send('POST', '/api/auth/login', { username: name, password })

      const finish = await beginUndo(app, token, next)
      const requests = [
        thief.send('POST', '/api/keys', { name: 'mine', scope: 'write', days: null }),
        thief.send('PUT', '/api/delivery-channels/webhook', { url: 'https://thief.example/hook' }),
        thief.send('PUT', '/api/delivery-channels/email', { address: 'thief@example.test' }),
        thief.send('PUT', '/api/report-brand', { name: 'Mine', color: '#112233', senderName: 'Me', replyTo: 'thief@example.test' }),
        thief.send('PATCH', '/api/user', { email: 'thief@example.test' }),
        thief.send('PUT', `/api/report-clients/${client?.id}`, { name: 'Bank', properties: [site] }),
      ]
      expect(await finish(requests)).toEqual(requests.map(() => 401))
      for (const table of ['api_keys', 'delivery_channels', 'report_brands', 'sessions'])
        expect(await sql(`SELECT 1 FROM ${table} JOIN users ON users.id = user_id WHERE email = $1`, [address])).toEqual([])
      expect(await sql(`SELECT 1 FROM people WHERE pending_email = 'thief@example.test'`)).toEqual([])
      expect(await sql('SELECT 1 FROM report_client_properties WHERE client_id = $1', [client?.id])).toEqual([])
    },
  )

  test(
    'is undone even while a logo, a note, a segment or an import waits, and none of them is stored',
    { tags: ['full'] },
    async ({ app, victim: { name, address, owner } }) => {
      const next = `next-${address}`
      const { sql } = await app.stores()
      await sql(`UPDATE people SET plan = 'agency', granted_plan = 'agency' FROM users WHERE users.id = user_id AND email = $1`, [address])
      await owner.send('POST', '/api/user/proof', { password })
      expect(
        (await owner.send('PUT', '/api/report-brand', { name: 'Mine', color: '#112233', senderName: 'Me', replyTo: null })).status,
      ).toBe(200)
      await owner.send('PATCH', '/api/user', { email: next })
      await confirmAddress(app, owner, next)
      const token = await mailedToken(app, address, 'address-changed')
      const site = 'https://noted.example/'
      await sql(`INSERT INTO properties (user_id, name, kind, monitored) SELECT id, $2, 'google', true FROM users WHERE email = $1`, [
        next,
        site,
      ])
      const thief = app.visitor()
      await thief.send('POST', '/api/auth/login', { username: name, password })

      const form = new FormData()
      form.append('property', 'Figures of the thief')
      form.append('file', new Blob(['date,clicks,impressions,position\n2026-03-01,1,2,3']), 'figures.csv')
      const cookie = [...thief.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
      const logo = await picture(40, 20).png().toBuffer()
      const finish = await beginUndo(app, token, next)
      const requests = [
        upload(app, thief, logo),
        thief.send('POST', '/api/annotations', { date: '2026-03-10', text: 'Pay at once', property: site, inReports: true }),
        thief.send('POST', '/api/explore/saved', { kind: 'segment', name: 'Pay at once', content: 'page contains /' }),
        fetch(new URL('/api/import', app.url), { method: 'POST', body: form, headers: { cookie } }),
      ]
      expect(await finish(requests)).toEqual(requests.map(() => 401))
      const stored = [
        `report_brands WHERE logo IS NOT NULL`,
        `annotations WHERE text = 'Pay at once'`,
        `saved_explorations WHERE name = 'Pay at once'`,
        `properties WHERE name = 'Figures of the thief'`,
      ]
      for (const rows of stored) expect({ rows, found: await sql(`SELECT 1 FROM ${rows}`) }).toEqual({ rows, found: [] })
    },
  )

  test(
    "can be undone later with the same link if it couldn't be undone at first",
    { tags: ['full'] },
    async ({ app, victim: { address, owner } }) => {
      const [next, other] = [`next-${address}`, `other-${address}`]
      await owner.send('POST', '/api/user/proof', { password })
      await owner.send('PATCH', '/api/user', { email: next })
      await confirmAddress(app, owner, next)
      const token = await mailedToken(app, address, 'address-changed')
      const undo = () => app.visitor().send('POST', '/api/auth/undo-email', { token })
      // Meanwhile the address belongs to another account.
      const { sql } = await app.stores()
      await member(app, { email: other })
      await sql('UPDATE users SET email = $1 WHERE email = $2', [address, other])
      expect((await undo()).status).toBe(409)
      await sql('UPDATE users SET email = $1 WHERE email = $2', [other, address])
      expect(await undo()).toMatchObject({ status: 200, body: { email: address } })
    },
  )

  test('cannot be undone after seven days', async ({ app, victim: { address, owner } }) => {
    await owner.send('POST', '/api/user/proof', { password })
    await owner.send('PATCH', '/api/user', { email: `next-${address}` })
    const token = await mailedToken(app, address, 'address-changed')
    const { sql } = await app.stores()
    const [link] = await sql<{ days: number }>(
      `SELECT extract(epoch FROM expires_at - created_at) / 86400 AS days FROM verifications WHERE value LIKE '%' || $1 || '%' ORDER BY expires_at DESC`,
      [address],
    )
    expect(Number(link?.days)).toBeCloseTo(7, 2)
    await sql(`UPDATE verifications SET expires_at = now()`)
    expect((await app.visitor().send('POST', '/api/auth/undo-email', { token })).status).toBe(400)
  })
})
