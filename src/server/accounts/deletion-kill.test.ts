import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GoogleStandIn, startGoogle } from '../../../emulators/google/server.ts'
import { generousQuotas } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { type Control, createControl } from '../../../test/support/google-control.ts'
import { googleEnv } from '../../../test/support/google-env.ts'
import { backfillFrom, select, synced } from '../../../test/support/people.ts'
import { type ServerProcess, startServerProcess } from '../../../test/support/server-process.ts'
import { openSql } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import { createVisitor, type Visitor } from '../../../test/support/visitor.ts'
import { addDays, pacificDay } from '../../core/analytics/days.ts'
import { grains, tableOf } from '../facts/schema.ts'
import { openClickHouse } from '../platform/clickhouse.ts'
import { createLog } from '../platform/log.ts'

const password = 'a-good-password'
let google: GoogleStandIn
let control: Control
let dataDir: string
let server: ServerProcess

const start = (): Promise<ServerProcess> =>
  startServerProcess({
    DATA_DIR: dataDir,
    DEMO: '0',
    ...googleEnv(google),
  })

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-kill-'))
  google = await startGoogle()
  control = createControl(google.url)
  await control.call('PUT', 'quotas', generousQuotas)
  server = await start()
})
afterAll(async () => {
  await server.stop()
  await google.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function personWithFacts(name: string): Promise<Visitor> {
  const person = createVisitor(() => server.url)
  const site = `https://${name}.example/`
  await person.send('POST', '/api/auth/register', { username: name, email: `${name}@example.test`, password })
  await control.account(`${name}@example.test`, { [site]: 'local' })
  await throughConsent(person, { account: `${name}@example.test` })
  const { sql, close } = await openSql(dataDir)
  await backfillFrom(sql, site, addDays(pacificDay(new Date()), -5))
  await close()
  await select(person, site)
  await synced(person, site)
  return person
}

const refreshTokens = async () => ((await control.call('GET', 'state')) as { tokens: { refresh: number } }).tokens.refresh

test('kill -9 in the middle of a deletion leaves the account whole, or gone with everything', { timeout: 90_000 }, async () => {
  for (let life = 1; life <= 3; life += 1) {
    const name = `person${life}`
    const person = await personWithFacts(name)
    expect(await refreshTokens()).toBe(1)
    const remove = () => person.send('DELETE', '/api/user', { username: name, password }).then(({ status }) => status)
    const answer = remove().catch(() => 'no answer')
    await sleep(Math.random() * 150)
    await server.kill()
    await answer
    server = await start()
    const { status, body } = await person.get('/api/user')
    const whole = { accessToken: 'redacted', selectedProperty: `https://${name}.example/` }
    expect({ status, body }).toMatchObject(status === 401 ? { status } : { status: 200, body: whole })
    expect(await remove()).toBe(status === 401 ? 401 : 204)
    await until(refreshTokens, (tokens) => tokens === 0, 40_000)
  }
  const { sql, close } = await openSql(dataDir)
  const jobs = () => sql<{ state: string }>(`SELECT state FROM jobs.job WHERE name IN ('drop-facts', 'google-revocations')`)
  await until(jobs, (all) => all.length === 6 && all.every(({ state }) => state === 'completed'), 40_000)
  expect(await sql('SELECT id FROM users')).toEqual([])
  await close()

  expect(await server.stop()).toBe(0)
  const clickhouse = await openClickHouse({ dataDir, memoryBytes: 1024 ** 3, log: createLog('silent') })
  for (const table of ['facts_current', ...grains.map(tableOf)]) {
    const rows = await clickhouse.client.query({ query: `SELECT count() AS n FROM ${table}`, format: 'JSONEachRow' })
    expect([table, await rows.json()]).toEqual([table, [{ n: 0 }]])
  }
  await clickhouse.close()
})
