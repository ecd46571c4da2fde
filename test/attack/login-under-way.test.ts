import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { quickPasswords, startTestApp } from '../support/app.ts'
import { throughConsent } from '../support/consent.ts'
import { confirmAddress, mailedToken, member, registered } from '../support/people.ts'
import { databaseUrlOf } from '../support/stores.ts'
import { totp } from '../support/totp.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'
import { twoFactorSetup } from '../../src/contract/account/profile.ts'

// Somebody who knows the old password keeps logins in flight, hoping that one completes after the change that locks them out.

let held: { reached: PromiseWithResolvers<void>; go: PromiseWithResolvers<void> } | null = null
const slow = { password: 'takes-forever', begun: 0, go: Promise.withResolvers<void>() }
const app = await startTestApp({
  today: '2026-03-18',
  demo: false,
  passwords: {
    ...quickPasswords,
    async verify(attempt) {
      const now = held
      held = null
      now?.reached.resolve()
      await now?.go.promise
      return quickPasswords.verify(attempt)
    },
    async hash(given) {
      if (given === slow.password) {
        slow.begun += 1
        await slow.go.promise
      }
      return quickPasswords.hash(given)
    },
  },
})
afterAll(() => app.close())

const password = 'the-one-before'
const email = 'victim@example.test'

test('a login started before the password was replaced gives no access after it', async () => {
  const owner = await registered(app, 'victim', password)
  await confirmAddress(app, owner, email)
  await app.visitor().send('POST', '/api/auth/forgot-password', { email })
  const token = await mailedToken(app, email, 'reset-password')

  const thief = app.visitor()
  const { reached, go } = (held = { reached: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() })
  const login = thief.send('POST', '/api/auth/login', { username: 'victim', password })
  await reached.promise
  expect((await app.visitor().send('POST', '/api/auth/reset-password', { token, password: 'of-the-owner-now' })).status).toBe(204)
  go.resolve()
  expect(await login).toMatchObject({ status: 401, body: { message: 'Invalid username or password' } })
  expect((await thief.get('/api/user')).status).toBe(401)
  const { sql } = await app.stores()
  expect(await sql('SELECT 1 FROM sessions')).toEqual([])
  expect((await app.visitor().send('POST', '/api/auth/login', { username: 'victim', password: 'of-the-owner-now' })).status).toBe(200)
})

test('a password change started before a reset does not complete after it', { tags: ['full'] }, async () => {
  const [name, address] = ['victim2', 'victim2@example.test']
  const owner = await registered(app, name, password)
  await confirmAddress(app, owner, address)
  const reset = async (): Promise<number> => {
    await app.mail.clear()
    await app.visitor().send('POST', '/api/auth/forgot-password', { email: address })
    const token = await mailedToken(app, address, 'reset-password')
    return (await app.visitor().send('POST', '/api/auth/reset-password', { token, password: 'of-the-owner-now' })).status
  }

  // The thief has the password and a session, and keeps changing the password to itself.
  const thief = app.visitor()
  expect((await thief.send('POST', '/api/auth/login', { username: name, password })).status).toBe(200)
  const keep = () => thief.send('POST', '/api/user/password', { currentPassword: password, newPassword: password })
  const { reached, go } = (held = { reached: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() })
  const change = keep()
  await reached.promise
  // The reset waits for the change, which ends its link; the owner asks for another one.
  const first = reset()
  go.resolve()
  expect((await change).status).toBe(204)
  const further = keep()
  const last = (await first) === 204 ? 204 : await reset()
  expect(last).toBe(204)
  await further
  expect((await thief.get('/api/user')).status).toBe(401)
  expect((await keep()).status).toBe(401)
  expect((await app.visitor().send('POST', '/api/auth/login', { username: name, password })).status).toBe(401)
  expect((await app.visitor().send('POST', '/api/auth/login', { username: name, password: 'of-the-owner-now' })).status).toBe(200)
})

test('a login with a Google account that is removed in the meantime gives no access', async () => {
  const owner = await registered(app, 'victim3', password)
  const account = 'thief@google.example'
  await app.google.account(account, {})
  expect(await throughConsent(owner, { account, errand: 'sign-in', redirect: '/account' })).toBe('/account?sign-in=true')
  const { sql } = await app.stores()
  const sessions = () => sql(`SELECT 1 FROM sessions JOIN users ON users.id = user_id WHERE username = 'victim3'`)
  const before = (await sessions()).length

  const holder = new pg.Client({ connectionString: await databaseUrlOf(app.dataDir) })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE sessions IN EXCLUSIVE MODE')
  const thief = app.visitor()
  const login = throughConsent(thief, { account })
  const waiting = () => sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
  await until(waiting, (rows) => rows.length === 1)
  await sql('DELETE FROM google_sign_ins')
  await holder.query('COMMIT')
  expect(await login).toBe('/login?error=auth_failed')
  expect((await thief.get('/api/user')).status).toBe(401)
  expect(await sessions()).toHaveLength(before)
})

/** Makes the next row of a table that fits wait until released, whoever adds it. */
async function holdNext(table: 'sessions' | 'verifications', fits: string) {
  const holder = new pg.Client({ connectionString: await databaseUrlOf(app.dataDir) })
  await holder.connect()
  onTestFinished(async () => {
    await holder.query(`DROP TRIGGER held ON ${table}; DROP FUNCTION hold_first(); DROP SEQUENCE turns`)
    await holder.end()
  })
  await holder.query(`CREATE SEQUENCE turns;
    CREATE FUNCTION hold_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('turns') = 1 THEN PERFORM pg_advisory_xact_lock(4711); END IF; RETURN NEW; END $$;
    CREATE TRIGGER held BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${fits}) EXECUTE FUNCTION hold_first();
    SELECT pg_advisory_lock(4711)`)
  const { sql } = await app.stores()
  const waiting = () => sql(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`)
  return {
    isReached: () => until(waiting, (rows) => rows.length === 1),
    release: () => holder.query('SELECT pg_advisory_unlock(4711)'),
  }
}

const userIdOf = async (username: string): Promise<string> => {
  const [user] = await (await app.stores()).sql<{ id: string }>('SELECT id FROM users WHERE username = $1', [username])
  return user?.id ?? ''
}
const isIn = async (who: Visitor): Promise<boolean> => (await who.get('/api/user')).status === 200

async function withFactor(owner: Visitor): Promise<string> {
  const { secret } = twoFactorSetup.parse((await owner.send('POST', '/api/user/two-factor', { password })).body)
  expect((await owner.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) })).status).toBe(200)
  return secret
}

test('a login with Google that began before the second factor was turned on gives no access after it', async () => {
  const owner = await registered(app, 'victim4', password)
  const account = 'second@google.example'
  await app.google.account(account, {})
  expect(await throughConsent(owner, { account, errand: 'sign-in', redirect: '/account' })).toBe('/account?sign-in=true')
  const { isReached, release } = await holdNext('sessions', `NEW.user_id = '${await userIdOf('victim4')}'`)
  const thief = app.visitor()
  const login = throughConsent(thief, { account })
  await isReached()
  await withFactor(owner)
  await release()
  expect(await login).toBe('/login?error=auth_failed')
  expect([await isIn(thief), await isIn(owner)]).toEqual([false, true])
  expect(await throughConsent(thief, { account })).toBe('/login?two-factor=1')
})

test(
  'a login from a trusted browser that began before recovery codes were renewed gives no access, nor trust, after it',
  { tags: ['full'] },
  async () => {
    const owner = await registered(app, 'victim5', password)
    const id = await userIdOf('victim5')
    const secret = await withFactor(owner)
    const { sql } = await app.stores()
    await sql('DELETE FROM attempts')
    const thief = app.visitor()
    const login = () => thief.send('POST', '/api/auth/login', { username: 'victim5', password })
    expect((await login()).body).toEqual({ twoFactor: true })
    const code = totp(secret)
    expect((await thief.send('POST', '/api/auth/two-factor', { code, trustDevice: true })).status).toBe(200)
    const { isReached, release } = await holdNext('verifications', `NEW.value = '${id}'`)
    const begun = login()
    await isReached()
    expect((await owner.send('POST', '/api/user/two-factor/recovery-codes', { password })).status).toBe(200)
    await release()
    expect(await begun).toMatchObject({ status: 401 })
    expect([await isIn(thief), await isIn(owner)]).toEqual([false, true])
    expect(await sql('SELECT 1 FROM verifications WHERE value = $1', [id])).toEqual([])
    expect((await login()).body).toEqual({ twoFactor: true })
  },
)

test('a login that began before other sessions were ended gives no access after it', async () => {
  const owner = await registered(app, 'victim6', password)
  const { isReached, release } = await holdNext('sessions', `NEW.user_id = '${await userIdOf('victim6')}'`)
  const thief = app.visitor()
  const begun = thief.send('POST', '/api/auth/login', { username: 'victim6', password })
  await isReached()
  expect((await owner.send('DELETE', '/api/user/sessions')).status).toBe(204)
  await release()
  expect(await begun).toMatchObject({ status: 401 })
  expect([await isIn(thief), await isIn(owner)]).toEqual([false, true])
})

test('logging out other sessions also ends trusted browsers and logins that wait for their code', async () => {
  const owner = await registered(app, 'victim7', password)
  const secret = await withFactor(owner)
  const { sql } = await app.stores()
  const thief = app.visitor()
  const login = () => thief.send('POST', '/api/auth/login', { username: 'victim7', password })
  const enter = async (trustDevice: boolean) => {
    await sql('DELETE FROM attempts')
    return (await thief.send('POST', '/api/auth/two-factor', { code: totp(secret), trustDevice })).status
  }
  expect((await login()).body).toEqual({ twoFactor: true })
  expect(await enter(true)).toBe(200)
  expect((await owner.send('DELETE', '/api/user/sessions')).status).toBe(204)
  expect((await login()).body).toEqual({ twoFactor: true })
  expect((await owner.send('DELETE', '/api/user/sessions')).status).toBe(204)
  expect(await enter(false)).toBe(401)
  expect([await isIn(thief), await isIn(owner)]).toEqual([false, true])
})

test('many accounts of one network that wait for their passwords to be hashed hold up no change elsewhere', async () => {
  const change = (who: Visitor, newPassword: string, address: string) =>
    who.send(
      'POST',
      '/api/user/password',
      { currentPassword: password, newPassword, endAccess: false },
      { headers: { 'x-forwarded-for': address } },
    )
  const attackers = await Promise.all(Array.from({ length: 6 }, (_, n) => member(app, { email: `slow${n}@example.test`, password })))
  const owner = await member(app, { email: 'quick@example.test', password })
  const changes = attackers.map((attacker) => change(attacker, slow.password, '198.51.100.7'))
  await until(
    async () => slow.begun,
    (begun) => begun === 2,
  )
  expect((await change(owner, 'of-the-owner-now', '203.0.113.9')).status).toBe(204)
  // The others still wait in their network's own line.
  expect(slow.begun).toBe(2)
  slow.go.resolve()
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(attackers.map(() => 204))
})
