import { expect } from 'vitest'
import { mostTrustedBrowsers } from '../../src/server/accounts/sign-in.ts'
import { twoFactorSetup } from '../../src/contract/account/profile.ts'
import { appTest } from '../support/app-test.ts'
import { runJob } from '../support/jobs.ts'
import { member } from '../support/people.ts'
import { totp } from '../support/totp.ts'
import type { Visitor } from '../support/visitor.ts'

// Whoever makes up links, logs in without end or trusts one browser after another: each is a row, or looks for one among them.

const test = appTest({ demo: false }).extend('sql', { scope: 'file' }, async ({ app }) => (await app.stores()).sql)

const madeUp = { token: 'made-up.token', password: 'a-new-password', endAccess: false }

test('an expired link or login stays until the hourly sweep: looking for another one deletes nothing', async ({ app, sql }) => {
  await sql(`INSERT INTO verifications (id, identifier, value, expires_at)
    SELECT 'old' || n, 'old' || n, 'nobody', now() - interval '1 minute' FROM generate_series(1, 50) AS n`)
  await sql(`INSERT INTO verifications (id, identifier, value, expires_at) VALUES ('new', 'new', 'nobody', now() + interval '1 minute')`)
  expect((await app.visitor().send('POST', '/api/auth/reset-password', madeUp)).status).toBe(400)
  const left = async () => (await sql<{ id: string }>(`SELECT id FROM verifications WHERE value = 'nobody'`)).map(({ id }) => id)
  expect(await left()).toHaveLength(51)
  await runJob(app, 'sweep-verifications')
  expect(await left()).toEqual(['new'])
})

test.for([
  [`expires_at < now()`, 'verifications_expiry'],
  [`value = 'nobody'`, 'verifications_value'],
  [`identifier = 'made up'`, 'verifications_identifier'],
])('rows where %s are found by index, however many others there are', async ([condition, index], { sql }) => {
  await sql(`INSERT INTO verifications (id, identifier, value, expires_at)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() + interval '30 days' FROM generate_series(1, 5000)`)
  await sql('ANALYZE verifications')
  const plan = await sql<{ 'QUERY PLAN': string }>(`EXPLAIN DELETE FROM verifications WHERE ${condition}`)
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain(index)
})

test.for([
  ['/api/auth/reset-password', madeUp],
  ['/api/auth/undo-email', { token: 'made-up' }],
] as const)('%s takes sixty links a minute from a network', async ([path, body], { app }) => {
  const from = { headers: { 'x-forwarded-for': '203.0.113.77' } }
  const answers = await Promise.all(Array.from({ length: 64 }, () => app.visitor().send('POST', path, body, from)))
  expect([400, 429].map((wanted) => answers.filter(({ status }) => status === wanted).length)).toEqual([60, 4])
  // Others still get through.
  expect((await app.visitor().send('POST', path, body, { headers: { 'x-forwarded-for': '203.0.113.78' } })).status).toBe(400)
})

test(
  'an account trusts at most twenty browsers: one more ends the oldest, which is asked for a code again',
  { tags: ['full'] },
  async ({ app, sql }) => {
    const password = 'a-good-password'
    const person = await member(app, { email: 'truster@example.test', password })
    const setup = twoFactorSetup.parse((await person.send('POST', '/api/user/two-factor', { password })).body)
    await person.send('POST', '/api/user/two-factor/confirm', { code: totp(setup.secret) })
    const login = async (who: Visitor) => (await who.send('POST', '/api/auth/login', { username: 'truster', password })).body
    async function trusted(code: string | undefined): Promise<Visitor> {
      const browser = app.visitor()
      expect(await login(browser)).toEqual({ twoFactor: true })
      expect((await browser.send('POST', '/api/auth/two-factor', { code, trustDevice: true })).status).toBe(200)
      await browser.send('POST', '/api/auth/logout')
      return browser
    }
    const [first, second, third] = setup.recoveryCodes
    const oldest = await trusted(first)
    await sql(`UPDATE verifications SET created_at = now() - interval '9 days' WHERE expires_at > now() + interval '29 days'
    AND value = (SELECT id FROM users WHERE username = 'truster')`)
    const next = await trusted(second)
    await sql(
      `INSERT INTO verifications (id, identifier, value, expires_at, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), id, now() + interval '30 days', now() - interval '1 day'
     FROM users, generate_series(1, $1) WHERE username = 'truster'`,
      [mostTrustedBrowsers - 2],
    )
    expect(await login(oldest)).toMatchObject({ user: { username: 'truster' } })
    await oldest.send('POST', '/api/auth/logout')
    // Trusted anew with that login.
    await sql(`UPDATE verifications SET created_at = now() - interval '9 days'
    WHERE id = (SELECT id FROM verifications WHERE value = (SELECT id FROM users WHERE username = 'truster') ORDER BY created_at DESC LIMIT 1)`)
    const newest = await trusted(third)
    expect(await login(oldest)).toEqual({ twoFactor: true })
    for (const browser of [next, newest]) expect(await login(browser)).toMatchObject({ user: { username: 'truster' } })
    const [kept] = await sql<{ count: number }>(`SELECT count(*)::integer AS count FROM verifications
    WHERE value = (SELECT id FROM users WHERE username = 'truster') AND expires_at > now() + interval '1 day'`)
    expect(kept?.count).toBe(mostTrustedBrowsers)
  },
)
