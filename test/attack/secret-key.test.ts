import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test as vitest, vi } from 'vitest'
import { twoFactorSetup } from '../../src/contract/account/profile.ts'
import { reportShares } from '../../src/contract/reports/reports.ts'
import { createUnsubscribeTokens } from '../../src/server/delivery/email/unsubscribe-token.ts'
import { createVerdictTokens } from '../../src/server/delivery/verdict-links.ts'
import { createVault, deriveKey, keyMark } from '../../src/server/platform/secrets.ts'
import { sealContext as shareContext } from '../../src/server/reports/shares.ts'
import { runRotateKey } from '../../src/server/commands/rotate-key.ts'
import { runTwoFactorReset } from '../../src/server/commands/two-factor-reset.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { throughConsent } from '../support/consent.ts'
import { newPerson, registered } from '../support/people.ts'
import { databaseUrlOf, openSql } from '../support/stores.ts'
import { totp } from '../support/totp.ts'

// SECRET_KEY was leaked, or is lost. Somebody with the old one and the data must not be able to read anything stored from then on.

const account = 'owner@example.test'
const password = 'a-good-password'
const hook = 'https://hooks.slack.com/services/T00000000/B00000000/abcdefghijklmnopqrstuvwx'

async function command(run: () => Promise<number>): Promise<{ code: number; said: string }> {
  const said: string[] = []
  const listen = (text: unknown): boolean => said.push(String(text)) > 0
  const spies = [vi.spyOn(process.stdout, 'write').mockImplementation(listen), vi.spyOn(process.stderr, 'write').mockImplementation(listen)]
  try {
    return { code: await run(), said: said.join('') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

const keysIn = ({ dataDir }: TestApp): string[] => readFileSync(path.join(dataDir, 'secret.key'), 'utf8').trim().split('\n')
const envOf = async ({ dataDir }: TestApp) => ({ DATA_DIR: dataDir, DATABASE_URL: await databaseUrlOf(dataDir), DEMO: '0' })

/** An installation with something sealed in every possible place. */
async function inUse(shares: number) {
  const app = await startTestApp({ today: '2026-03-18', demo: false, graceMs: 100 })
  const owner = await newPerson(app, { email: account, plan: 'agency', sites: { 'https://sealed.example/': 'empty' } })
  const ann = await registered(app, 'ann', password)
  const { secret } = twoFactorSetup.parse((await ann.send('POST', '/api/user/two-factor', { password })).body)
  await ann.send('POST', '/api/user/two-factor/confirm', { code: totp(secret) })
  const { sql } = await app.stores()
  const [{ id: userId } = { id: '' }] = await sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [account])
  const [key = ''] = keysIn(app)
  const vault = createVault(key)
  await sql(`INSERT INTO delivery_channels (user_id, channel, destination, shown) VALUES ($1, 'slack', $2, 'hooks.slack.com/…')`, [
    userId,
    vault.seal(hook, `delivery:slack:${userId}`),
  ])
  await putShares(app, userId, { of: 'token', count: shares })
  return { app, owner, secret, userId, key }
}

/** Links to a report, sealed in the format used before keys had marks. */
async function putShares(app: TestApp, userId: string, { of, count }: { of: string; count: number }): Promise<void> {
  const { sql } = await app.stores()
  const vault = createVault(keysIn(app)[0] ?? '')
  const sealed = Array.from({ length: count }, (_, n) => `v1.${vault.seal(`${of}-${n}`, shareContext).split('.')[2]}`)
  await sql(
    `INSERT INTO report_shares (user_id, property_id, title, kind, period_start, period_end, token_hash, token_sealed, created_at, expires_at)
     SELECT $1, p.id, 'A week', 'week', '2026-03-02', '2026-03-08', md5(sealed), sealed, now(), now() + interval '1 year'
     FROM properties p, unnest($2::text[]) AS sealed`,
    [userId, sealed],
  )
}

/** Everything that looks sealed, wherever it is stored; the mark shows with which key. */
async function sealedIn(app: TestApp): Promise<string[]> {
  const { sql, close } = await openSql(app.dataDir)
  const rows = await sql<{ sealed: string }>(
    `SELECT unnest(array[refresh_token, access_token]) AS sealed FROM google_connections UNION ALL SELECT token_sealed FROM report_shares
     UNION ALL SELECT destination FROM delivery_channels WHERE destination IS NOT NULL UNION ALL SELECT secret FROM two_factors
     UNION ALL SELECT backup_codes FROM two_factors UNION ALL SELECT data ->> 'sealed' FROM jobs.job WHERE data ->> 'sealed' IS NOT NULL`,
  )
  await close()
  return rows.map(({ sealed }) => sealed)
}
const markOf = (key: string) => [`v2.${keyMark(key)}.`, `$ba$${Buffer.from(keyMark(key)).readUInt32BE()}$`]
const opensWith = (key: string) => (sealed: string) => markOf(key).some((mark) => sealed.startsWith(mark)) || sealed.startsWith('v1.')

async function passSecondFactor(app: TestApp, code: string) {
  const visitor = app.visitor()
  await visitor.send('POST', '/api/auth/login', { username: 'ann', password })
  return visitor.send('POST', '/api/auth/two-factor', { code, trustDevice: false })
}

const test = vitest.extend('house', { scope: 'file' }, async ({}, { onCleanup }) => {
  const house = await inUse(3)
  onCleanup(() => house.app.close())
  return house
})

test(
  'another key takes over: an interrupted rotation continues with both, and in the end the old one opens nothing',
  { tags: ['full'] },
  async ({ house }) => {
    const { app, owner, secret, userId, key: old } = house
    const env = await envOf(app)
    expect(await command(() => runRotateKey(env))).toEqual({ code: 1, said: expect.stringContaining('Stop Ranklark first') })
    const oldMail = createUnsubscribeTokens(deriveKey(old, 'unsubscribe')).make({ userId, address: account })
    const oldVerdict = createVerdictTokens(deriveKey(old, 'alert-verdict')).make([1, userId, 0])

    // It ends in the middle, as if killed: nothing is undone or cleaned up.
    await app.restart(async () => {
      const { sql, close } = await openSql(app.dataDir)
      await sql(`ALTER TABLE report_shares ADD CONSTRAINT broken CHECK (token_sealed LIKE 'v1.%')`)
      expect((await command(() => runRotateKey(env))).code).toBe(1)
      await sql('ALTER TABLE report_shares DROP CONSTRAINT broken')
      await close()
    })
    const [newest = ''] = keysIn(app)
    expect(keysIn(app)).toEqual([newest, old])
    const sealed = await sealedIn(app)
    expect(sealed.some(opensWith(old))).toBe(true)
    expect(sealed.some((each) => !opensWith(old)(each))).toBe(true)
    expect((await passSecondFactor(app, totp(secret))).status).toBe(200)

    await app.restart(async () => {
      expect(await command(() => runRotateKey(env))).toEqual({ code: 0, said: expect.stringContaining('Everyone has to log in again.') })
      // As if it had been 59 days ago.
      const { sql, close } = await openSql(app.dataDir)
      await sql('UPDATE former_keys SET created_at = $1', [new Date(app.google.now().getTime() - 59 * 86_400_000)])
      await close()
    })
    expect(keysIn(app)).toEqual([newest])
    expect((await sealedIn(app)).filter(opensWith(old))).toEqual([])
    expect((await sealedIn(app)).every(opensWith(newest))).toBe(true)
    expect((await owner.get('/api/user')).status).toBe(401)
    expect((await passSecondFactor(app, totp(secret, new Date(Date.now() + 30_000)))).status).toBe(200)
    expect((await app.visitor().get(`/api/unsubscribe?token=${encodeURIComponent(oldMail)}`)).status).toBe(200)
    // It is still ours; there just never was such an alert.
    expect((await app.visitor().get(`/api/alert-verdict?token=${encodeURIComponent(oldVerdict)}`)).status).toBe(404)

    // Whoever saw the old key can sign such links, but not forever.
    app.google.advance(2 * 86_400_000)
    expect((await app.visitor().get(`/api/unsubscribe?token=${encodeURIComponent(oldMail)}`)).status).toBe(400)

    const back = app.visitor()
    await throughConsent(back, { account, remembered: true })
    const { shares } = reportShares.parse((await back.get('/api/report-shares')).body)
    expect(shares.map(({ url }) => url).sort()).toEqual([0, 1, 2].map((n) => `${app.url}/shared/token-${n}`))
  },
)

test('a lost key only loses what it sealed, and lets nobody bypass a second factor', { timeout: 240_000 }, async ({ house }) => {
  const { app, secret } = house
  await app.restart(async () => rmSync(path.join(app.dataDir, 'secret.key')))
  const owner = app.visitor()
  expect(await throughConsent(owner, { account })).toContain('connected=true')
  expect((await owner.get('/api/gsc-properties')).status).toBe(200)
  const { shares } = reportShares.parse((await owner.get('/api/report-shares')).body)
  expect(shares.map(({ url }) => url)).toEqual([null, null, null])
  expect((await owner.get('/api/delivery-channels')).status).toBe(200)
  expect((await owner.get('/api/user')).body).toMatchObject({ accessToken: 'redacted' })

  const refused = await passSecondFactor(app, totp(secret))
  expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('npm run two-factor:reset') } })
  // Nor does a merely claimed address lead the operator to the wrong account.
  const env = await envOf(app)
  expect((await command(() => runTwoFactorReset(['ann@example.test'], env))).said).toContain("isn't confirmed")
  expect(await command(() => runTwoFactorReset(['ann'], env))).toEqual({
    code: 0,
    said: expect.stringContaining('ann no longer has two-factor authentication'),
  })
  const ann = app.visitor()
  expect(await ann.send('POST', '/api/auth/login', { username: 'ann', password })).toMatchObject({
    status: 200,
    body: { user: { username: 'ann' } },
  })
  // Nor does somebody get an email about it who may only own an address that she mistyped.
  expect((await app.mail.mails('ann@example.test')).map(({ kind }) => kind)).not.toContain('two-factor-changed')
})

test('killed at any time, it loses nothing, and the next run continues', { tags: ['full'] }, async ({ house: { app, userId } }) => {
  await putShares(app, userId, { of: 'the kills', count: 300 })
  const env = await envOf(app)
  const sharesAt = async (...keys: string[]) => {
    const vault = createVault(keys[0]!, ...keys.slice(1))
    return (await sealedIn(app)).filter((each) => each.startsWith('v') && vault.find(each, shareContext) !== null).length
  }
  const before = await sharesAt(...keysIn(app))
  expect(before).toBeGreaterThanOrEqual(300)
  let kills = 0
  await app.restart(async () => {
    for (;;) {
      const file = path.resolve(import.meta.dirname, '../../src/server/commands/rotate-key.ts')
      const child = spawn(process.execPath, [file], { env: { ...env, PATH: process.env['PATH'] ?? '' }, stdio: 'ignore' })
      const ended = once(child, 'exit')
      const begun = keysIn(app)[0]
      const killing = setTimeout(() => child.kill('SIGKILL'), 500 + kills * 400)
      const [code] = (await ended) as [number | null]
      clearTimeout(killing)
      // Every value opens with one of the keys in the file, at any time.
      expect(await sharesAt(...keysIn(app))).toBe(before)
      // The kill may also come when everything but its end is done.
      const isThrough = keysIn(app).length === 1 && keysIn(app)[0] !== begun
      if (code === 0 || isThrough) break
      kills += 1
      expect(keysIn(app)).toContain(begun)
    }
  })
  expect(kills).toBeGreaterThan(0)
  expect(keysIn(app)).toHaveLength(1)
})

vitest('every place that seals something is listed where everything is resealed', () => {
  const server = path.resolve(import.meta.dirname, '../../src/server')
  const sealing = globSync('**/*.ts', { cwd: server })
    .filter((file) => !file.endsWith('.test.ts') && /\bvault\.seal\(/.test(readFileSync(path.join(server, file), 'utf8')))
    .map((file) => file.replaceAll(path.sep, '/'))
  const places: Record<string, string> = {
    'accounts/jobs.ts': 'job(resetQueue',
    'delivery/channels/store.ts': "'delivery_channels'",
    'database/former-keys.ts': "'former_keys'",
    'mail/mailer.ts': 'job(mailQueue',
    'reports/shares.ts': "'report_shares'",
    'sites/connection-store.ts': "'google_connections'",
    // A cookie that lives for minutes.
    'sites/connect-routes.ts': '',
    'commands/reseal.ts': '',
  }
  expect(sealing.sort()).toEqual(Object.keys(places).sort())
  const reseal = readFileSync(path.join(server, 'commands/reseal.ts'), 'utf8')
  expect(Object.values(places).filter((place) => !reseal.includes(place))).toEqual([])
})
