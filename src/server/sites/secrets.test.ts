import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { ownerOf, refresh, statusOf } from '../../../test/support/people.ts'
import { createVault, loadSecretKeys, VaultError } from '../platform/secrets.ts'

const account = 'owner@example.test'
const site = 'https://secrets.example/'
const answers: string[] = []

type Sealed = { user_id: string; refresh_token: string; access_token: string }
const sealed = async (app: TestApp): Promise<Sealed> => (await (await app.stores()).sql<Sealed>('SELECT * FROM google_connections'))[0]!

const test = appTest({ today: '2026-03-18', demo: false, logLevel: 'trace', ownPostgres: true })
  .extend('owner', { scope: 'file' }, ({ app }) => ownerOf(app, site, { profile: 'local', days: 3, email: account }))
  .extend('secrets', { scope: 'file' }, async ({ app, owner: _owner }) => {
    const { user_id, refresh_token, access_token } = await sealed(app)
    const vault = createVault(...(await loadSecretKeys({ dataDir: app.dataDir })))
    return [
      vault.open(refresh_token, `google-refresh-token:${user_id}`),
      vault.open(access_token, `google-access-token:${user_id}`),
      'local-stand-in-secret',
    ]
  })

const expectNoSecretIn = (secrets: string[], text: string): void => {
  for (const secret of secrets) expect(text.includes(secret)).toBe(false)
}

test('the tokens are real', ({ secrets }) => {
  expect(secrets[0]!.length).toBeGreaterThan(40)
  expect(secrets[1]!.length).toBeGreaterThan(40)
})

test('no API response contains a token', async ({ owner, secrets }) => {
  for (const target of [
    '/api/auth/session',
    '/api/user',
    '/api/gsc-properties',
    '/api/sync',
    '/api/metrics',
    '/metrics',
    '/readyz',
    '/api/auth/google',
  ]) {
    const answer = await owner.get(target)
    answers.push(JSON.stringify([answer.body, [...answer.headers]]))
  }
  answers.push(await throughConsent(owner, { account, redirect: '/account' }))
  answers.push(JSON.stringify((await owner.send('POST', '/api/gsc-properties/select', { selectedProperty: site })).body))
  expect(answers.join('')).toContain('"accessToken":"redacted"')
  expectNoSecretIn(secrets, answers.join(''))
})

test('no log line contains a token, whatever goes wrong', async ({ app, owner, secrets }) => {
  await app.google.call('POST', 'tokens/expire-access', { account })
  await app.google.fail({ error: 'invalidGrant', times: 100, kind: 'token' })
  await refresh(owner, site)
  expect((await statusOf(owner, site)).state).toBe('token_revoked')
  await owner.get('/api/gsc-properties')
  await app.google.stopFailing()
  expect(app.logLines.length).toBeGreaterThan(0)
  expectNoSecretIn(secrets, app.logLines.join(''))
})

test('no file under DATA_DIR contains a token, including the database', async ({ app, secrets }) => {
  await (await app.stores()).sql('CHECKPOINT')
  const files = await readdir(app.dataDir, { recursive: true, withFileTypes: true })
  let read = 0
  for (const file of files) {
    if (!file.isFile()) continue
    const content = await readFile(path.join(file.parentPath, file.name)).catch(() => Buffer.alloc(0))
    for (const secret of secrets) expect(content.includes(secret)).toBe(false)
    read += content.length
  }
  expect(read).toBeGreaterThan(10_000_000)
})

test('a token stolen from one row is worthless in another, or with another key', async ({ app, owner: _owner }) => {
  const { refresh_token } = await sealed(app)
  const vault = createVault(...(await loadSecretKeys({ dataDir: app.dataDir })))
  expect(() => vault.open(refresh_token, 'google-refresh-token:someone-else')).toThrow(VaultError)
  expect(() => createVault('x'.repeat(32)).open(refresh_token, 'google-refresh-token:someone-else')).toThrow(VaultError)
})
