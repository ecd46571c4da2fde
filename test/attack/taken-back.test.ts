import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { quickPasswords, startTestApp } from '../support/app.ts'
import { throughConsent } from '../support/consent.ts'
import { confirmAddress, mailedToken, registered } from '../support/people.ts'
import { databaseUrlOf } from '../support/stores.ts'
import { totp } from '../support/totp.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'
import { twoFactorSetup } from '../../src/contract/account/profile.ts'
import { auditLog } from '../../src/contract/audit.ts'

// Somebody who knew the password for a while, and wants to keep the account after its owner took it back.

const app = await startTestApp({ today: '2026-03-18', demo: false, passwords: quickPasswords })
afterAll(() => app.close())

const password = 'the-one-they-both-know'
const login = (who: Visitor, username: string, typed: string) => who.send('POST', '/api/auth/login', { username, password: typed })
const undo = (token: string) => app.visitor().send('POST', '/api/auth/undo-email', { token })
const setPassword = (token: string, next: string) => app.visitor().send('POST', '/api/auth/reset-password', { token, password: next })

/** An owner with a confirmed address, and a thief who is logged in as them. */
async function robbed(name: string) {
  const address = `${name}@example.test`
  const owner = await registered(app, name, password)
  await confirmAddress(app, owner, address)
  const thief = app.visitor()
  await login(thief, name, password)
  return { owner, thief, address, theirs: `thief-of-${name}@gmail.com` }
}

test('a thief who moved the address gets no undo link when the owner moves it back on their own', async () => {
  const { owner, thief, address, theirs } = await robbed('victim')
  await thief.send('PATCH', '/api/user', { email: theirs })
  await confirmAddress(app, thief, theirs)
  const ownersLink = await mailedToken(app, address, 'address-changed')
  await app.mail.clear()
  // The owner is still logged in: back to the old address, another password, an end to all access.
  await owner.send('POST', '/api/user/proof', { password })
  expect((await owner.send('PATCH', '/api/user', { email: address })).status).toBe(200)
  await confirmAddress(app, owner, address)
  const change = { currentPassword: password, newPassword: 'only-the-owners', endAccess: true }
  expect((await owner.send('POST', '/api/user/password', change)).status).toBe(204)
  expect((await thief.get('/api/user')).status).toBe(401)

  const notice = await app.mail.mailTo(theirs, { kind: 'address-changed' })
  expect(notice.links.filter((link) => link.includes('undo-email'))).toEqual([])
  expect(notice.text).toContain("it can't be used to undo the change")
  const { sql } = await app.stores()
  const links = await sql<{ value: string }>(`SELECT value FROM verifications WHERE expires_at > now() + interval '6 days'`)
  expect(links.map(({ value }) => JSON.parse(value))).toEqual([expect.objectContaining({ email: address })])
  expect((await login(app.visitor(), 'victim', 'only-the-owners')).status).toBe(200)

  // The owner's own link still works, and nothing is sent to the thief's address, which has long been displaced.
  await app.mail.clear()
  expect((await undo(ownersLink)).status).toBe(200)
  expect(await app.mail.mails(theirs)).toEqual([])
})

test('a newer link of another address ends once the address that an older one protects is in force again', { tags: ['full'] }, async () => {
  const { owner, thief, address, theirs } = await robbed('victim2')
  await thief.send('PATCH', '/api/user', { email: theirs })
  await confirmAddress(app, thief, theirs)
  const { sql } = await app.stores()
  // As an earlier version gave it to the thief.
  await sql(
    `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
     SELECT 'of-the-thief', 'undo-address:x', replace(value, $1, $2), expires_at, now(), now() FROM verifications
     WHERE expires_at > now() + interval '6 days' AND position($1 in value) > 0`,
    [address, theirs],
  )
  await app.mail.clear()
  await owner.send('POST', '/api/user/proof', { password })
  await owner.send('PATCH', '/api/user', { email: address })
  await app.mail.mailTo(theirs, { kind: 'address-changed' })
  await confirmAddress(app, owner, address)
  expect(await sql(`SELECT 1 FROM verifications WHERE id = 'of-the-thief'`)).toEqual([])
})

test('the address that an undo displaces is notified, without a link of its own', { tags: ['full'] }, async () => {
  const { thief, address, theirs } = await robbed('victim3')
  await thief.send('PATCH', '/api/user', { email: theirs })
  await confirmAddress(app, thief, theirs)
  expect((await undo(await mailedToken(app, address, 'address-changed'))).status).toBe(200)
  const notice = await app.mail.mailTo(theirs, { kind: 'address-restored' })
  expect(notice.text).toContain(`uses ${address} again`)
  expect(notice.links.filter((link) => link.includes('token='))).toEqual([])
})

test('a second factor that the thief turned on before moving the address ends with the undo; one the owner has had for longer stays, without recovery codes', async () => {
  const { sql } = await app.stores()
  const turnedOn = async (name: string, ago: string) => {
    await sql(`UPDATE users SET two_factor_enabled = true WHERE username = $1`, [name])
    await sql(
      `INSERT INTO two_factors (id, user_id, secret, backup_codes, verified, verified_at)
       SELECT id, id, 's', 'c', true, now() - $2::interval FROM users WHERE username = $1`,
      [name, ago],
    )
  }
  const undone = async (name: string, ago: string) => {
    const { owner, address, theirs } = await robbed(name)
    await turnedOn(name, ago)
    await owner.send('PATCH', '/api/user', { email: theirs })
    const answer = await undo(await mailedToken(app, address, 'address-changed'))
    await setPassword((answer.body as { token: string }).token, 'the-owner-again')
    return (await login(app.visitor(), name, 'the-owner-again')).body
  }
  expect(await undone('victim4', '1 hour')).toMatchObject({ user: { username: 'victim4', twoFactorEnabled: false } })
  expect(await undone('victim5', '8 days')).toMatchObject({ twoFactor: true })
  // Its recovery codes, which the thief may have renewed, don't.
  expect(await sql(`SELECT FROM two_factors JOIN users ON users.id = user_id WHERE username = 'victim5' AND backup_codes = 'c'`)).toEqual(
    [],
  )
})

test(
  'a second factor that the thief turned on, whatever is left of the activity log, is undone by the link in the email about it',
  { tags: ['full'] },
  async () => {
    const { owner, thief, address } = await robbed('victim7')
    const { secret } = twoFactorSetup.parse((await thief.send('POST', '/api/user/two-factor', { password })).body)
    expect((await thief.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) })).status).toBe(200)
    const { sql } = await app.stores()
    await sql(`DELETE FROM audit_events WHERE kind = 'two-factor-on'`)
    // A new password alone doesn't let the owner in: the thief has the codes.
    await app.visitor().send('POST', '/api/auth/forgot-password', { email: address })
    await setPassword(await mailedToken(app, address, 'reset-password'), 'the-owner-again')
    expect((await login(app.visitor(), 'victim7', 'the-owner-again')).body).toEqual({ twoFactor: true })
    await login(thief, 'victim7', 'the-owner-again')
    await thief.send('POST', '/api/auth/two-factor', { code: totp(secret, new Date(Date.now() + 30_000)) })
    expect((await thief.get('/api/user')).status).toBe(200)

    const token = await mailedToken(app, address, 'two-factor-changed')
    const undone = await undo(token)
    expect(undone).toMatchObject({ status: 200, body: { email: address } })
    expect((await thief.get('/api/user')).status).toBe(401)
    expect((await login(app.visitor(), 'victim7', 'the-owner-again')).status).toBe(401)
    expect((await undo(token)).status).toBe(400)
    await setPassword((undone.body as { token: string }).token, 'only-the-owner')
    expect((await login(owner, 'victim7', 'only-the-owner')).body).toMatchObject({ user: { email: address, twoFactorEnabled: false } })
    const { events } = auditLog.parse((await owner.get('/api/audit-log')).body)
    const kinds = events.map(({ change }) => change.kind)
    expect(kinds).toContain('two-factor-off')
    expect(kinds).not.toContain('address-change-undone')
  },
)

test(
  'a thief who moved the address before turning on a second factor gets no link with the email about that',
  { tags: ['full'] },
  async () => {
    const { thief, address, theirs } = await robbed('victim8')
    await thief.send('PATCH', '/api/user', { email: theirs })
    await confirmAddress(app, thief, theirs)
    const { secret } = twoFactorSetup.parse((await thief.send('POST', '/api/user/two-factor', { password })).body)
    expect((await thief.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) })).status).toBe(200)
    expect(await mailedToken(app, theirs, 'two-factor-changed')).toBe('')
    expect((await undo(await mailedToken(app, address, 'address-changed'))).status).toBe(200)
  },
)

test(
  "a first Google login with the thief's address that overlaps with the undo links nothing and gives no access",
  { tags: ['full'] },
  async () => {
    const { thief, address, theirs } = await robbed('victim6')
    await app.google.account(theirs, {})
    await thief.send('PATCH', '/api/user', { email: theirs })
    await confirmAddress(app, thief, theirs)
    const token = await mailedToken(app, address, 'address-changed')
    const { sql } = await app.stores()

    const holder = new pg.Client({ connectionString: await databaseUrlOf(app.dataDir) })
    await holder.connect()
    onTestFinished(() => holder.end())
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE report_recipients IN EXCLUSIVE MODE')
    const waiting = async () =>
      (await sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)).length
    const undone = undo(token)
    await until(waiting, (count) => count === 1)
    const browser = app.visitor()
    const visit = throughConsent(browser, { account: theirs })
    await until(waiting, (count) => count === 2)
    await holder.query('COMMIT')
    expect((await undone).status).toBe(200)
    expect(await visit).toBe('/login?error=auth_failed')
    expect(await sql('SELECT email FROM google_sign_ins')).toEqual([])
    expect((await browser.get('/api/user')).status).toBe(401)
  },
)

test(
  "another account's address that contains the victim's ID doesn't keep the victim from getting a link",
  { tags: ['full'] },
  async () => {
    const { thief, address, theirs } = await robbed('victim9')
    const { id } = (await thief.get('/api/user')).body as { id: string }
    // The thief's own account: its undo link is about an address that contains the ID.
    const containing = `someone+${id}@gmail.com`
    const own = await registered(app, 'victim9s-thief', password)
    await own.send('PATCH', '/api/user', { email: containing })
    await confirmAddress(app, own, containing)
    await own.send('PATCH', '/api/user', { email: 'elsewhere@gmail.com' })
    expect(await mailedToken(app, containing, 'address-changed')).not.toBe('')

    const { secret } = twoFactorSetup.parse((await thief.send('POST', '/api/user/two-factor', { password })).body)
    expect((await thief.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) })).status).toBe(200)
    expect(await mailedToken(app, address, 'two-factor-changed')).not.toBe('')
    await thief.send('PATCH', '/api/user', { email: theirs })
    const token = await mailedToken(app, address, 'address-changed')
    expect(token).not.toBe('')
    await confirmAddress(app, thief, theirs)
    expect(await undo(token)).toMatchObject({ status: 200, body: { email: address } })
    expect((await thief.get('/api/user')).status).toBe(401)
    // The undo ended nothing of the other account.
    expect((await undo(await mailedToken(app, containing, 'address-changed'))).status).toBe(200)
  },
)

test('links that the previous version emailed work after the upgrade', { tags: ['full'] }, async () => {
  const { thief, address, theirs } = await robbed('victim10')
  await thief.send('PATCH', '/api/user', { email: theirs })
  const undoing = await mailedToken(app, address, 'address-changed')
  const confirming = await mailedToken(app, theirs, 'confirm-address')
  await app.restart(async () => {
    const client = new pg.Client({ connectionString: await databaseUrlOf(app.dataDir) })
    await client.connect()
    // Its links don't say what they do.
    await client.query(`UPDATE verifications SET value = (value::jsonb - 'kind')::text WHERE value LIKE '{%'`)
    await client.query('ALTER TABLE verifications DROP COLUMN user_id, DROP COLUMN kind')
    await client.query('DROP TABLE former_usernames, forgotten_properties')
    await client.query('DROP INDEX people_closed; ALTER TABLE people DROP COLUMN deleted_at')
    await client.query('ALTER TABLE property_syncs DROP COLUMN importing_loads')
    await client.query(`DELETE FROM kysely_migration WHERE name >= '0063'`)
    await client.end()
  })
  const { sql } = await app.stores()
  const [found] = await sql<{ kinds: string[] }>(
    `SELECT array_agg(kind ORDER BY kind) AS kinds FROM verifications JOIN users ON users.id = user_id WHERE username = 'victim10' AND kind <> ''`,
  )
  expect(found).toEqual({ kinds: ['confirm-address', 'undo-address'] })
  const back = app.visitor()
  await login(back, 'victim10', password)
  expect(await back.send('POST', '/api/auth/verify-email', { token: confirming })).toMatchObject({ status: 200, body: { email: theirs } })
  // The address in force now still gets no link: the one from before the upgrade counts.
  await app.mail.clear()
  await back.send('POST', '/api/user/proof', { password })
  await back.send('PATCH', '/api/user', { email: address })
  expect(await mailedToken(app, theirs, 'address-changed')).toBe('')
  expect(await undo(undoing)).toMatchObject({ status: 200, body: { email: address } })
  expect((await back.get('/api/user')).status).toBe(401)
})
