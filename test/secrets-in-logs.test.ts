import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
// @ts-expect-error -- plain Node, like everything that runs before node_modules exist
import { searchLogs, secretsIn } from '../scripts/lib/secrets-in-logs.mjs'
import { startTestApp } from './support/app.ts'
import { endGathering } from './support/gathered-log.ts'
import { startServerProcess } from './support/server-process.ts'

// `npm test` searches everything that it logged. That search must find secrets that are there.

const line = (fields: object): string => `${JSON.stringify({ level: 'info', ...fields, msg: 'something happened' })}\n`

test.each([
  ['a password', line({ body: { word: 'correct "horse" battery' } }), ['correct "horse" battery']],
  ['a cookie, encoded', line({ cookie: 'a%2Fb%2Bcdefgh' }), ['a/b+cdefgh']],
  ['an API key', line({ header: `rk_${'a'.repeat(43)}` }), []],
  ['a Stripe key', line({ key: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc' }), []],
  ['a Google token', line({ url: '/x?access_token=ya29.a0AfH6SMBx' }), []],
  ['the database password', line({ url: 'postgresql://ranklark:s3cr3t@localhost/postgres' }), []],
  ['a header', line({ headers: 'authorization: Bearer abcdefghijklmnop' }), []],
  ['a session', line({ cookie: 'ranklark.session_token=abcdefghijklmnopqrst' }), []],
])('%s is found, and not repeated', (_what, log, secrets) => {
  const found = secretsIn(`${line({})}${log}${line({})}`, secrets) as string[]
  expect(found).toHaveLength(1)
  for (const secret of secrets) expect(found[0]).not.toContain(secret)
})

test("what isn't a secret isn't reported", () => {
  const log = line({ url: 'https://example.com:443/path', authorization: '[secret]', who: 'a@b.example', short: 'abc' })
  expect(secretsIn(log, ['abc', '', 'a-secret-that-is-not-there'])).toEqual([])
})

/** From now on, collects logs separately from the rest of the run, and returns where; `endGathering` writes them. */
function gatheredForTest(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'ranklark-logs-'))
  endGathering()
  vi.stubEnv('GATHERED_LOGS', directory)
  onTestFinished(() => {
    endGathering()
    vi.unstubAllEnvs()
    rmSync(directory, { recursive: true, force: true })
  })
  return directory
}

/** The only collected file of a kind. */
function gathered(directory: string, kind: 'log' | 'secrets'): string {
  endGathering()
  const [name, ...others] = readdirSync(directory).filter((each) => each.endsWith(`.${kind}`))
  expect(others).toEqual([])
  return path.join(directory, name ?? 'nothing')
}

test("the logs of a test's server are searched, at the lowest level, for that test's secrets", async () => {
  const directory = gatheredForTest()
  const app = await startTestApp({ demo: false })
  onTestFinished(() => app.close())
  const password = 'a-password-of-this-test-alone'
  const visitor = app.visitor()
  await visitor.send('POST', '/api/auth/register', { username: 'logged', email: 'logged@example.test', password })

  const log = gathered(directory, 'log')
  const clean = searchLogs(directory) as ReturnType<typeof searchLogs>
  expect(clean).toMatchObject({ logs: 1, found: [] })
  expect(clean.lines).toBeGreaterThan(0)
  expect(readFileSync(log, 'utf8')).toContain('"level":"debug"')
  const secrets = readFileSync(gathered(directory, 'secrets'), 'utf8')
  const key = readFileSync(path.join(app.dataDir, 'secret.key'), 'utf8').trim()
  for (const secret of [password, key, ...visitor.cookies.values()]) expect(secrets).toContain(secret)

  writeFileSync(log, line({ form: `password=${password}` }), { flag: 'a' })
  expect((searchLogs(directory) as { found: string[] }).found).toHaveLength(1)
})

test('so is the output of a server in its own process, for the secrets it was given', { tags: ['full'] }, async () => {
  const directory = gatheredForTest()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'ranklark-process-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const secret = 'a-secret-given-to-a-process'
  const google = { GOOGLE_CLIENT_ID: 'an-id', GOOGLE_CLIENT_SECRET: secret, GOOGLE_STATUS_URL: 'off' }
  const server = await startServerProcess({ DATA_DIR: dataDir, DEMO: '0', ...google })
  await server.stop()

  const log = gathered(directory, 'log')
  expect(readFileSync(log, 'utf8')).toMatch(/^debug /m)
  expect(readFileSync(log, 'utf8')).toContain('listening on ')
  expect(readFileSync(gathered(directory, 'secrets'), 'utf8')).toContain(secret)
  expect(searchLogs(directory)).toMatchObject({ logs: 1, found: [] })
  writeFileSync(log, line({ form: secret }), { flag: 'a' })
  expect((searchLogs(directory) as { found: string[] }).found).toHaveLength(1)
})
