import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startGoogle } from '../../emulators/google/server.ts'
import { generousQuotas, unused } from './app.ts'
import { throughConsent } from './consent.ts'
import { type Control, createControl } from './google-control.ts'
import { googleEnv } from './google-env.ts'
import { hasten, sendJob } from './jobs.ts'
import { backfillFrom, select, synced } from './people.ts'
import { startServerProcess } from './server-process.ts'
import { fillDirectory } from './snapshots.ts'
import { openSql } from './stores.ts'
import { until } from './until.ts'
import { createVisitor, type Visitor } from './visitor.ts'
import { addDays, pacificDay } from '../../src/core/analytics/days.ts'
import { grains, tableOf } from '../../src/server/facts/schema.ts'
import { openClickHouse } from '../../src/server/platform/clickhouse/clickhouse.ts'
import { createLog } from '../../src/server/platform/log.ts'

const password = 'a-good-password'

type Place = { url: () => string; dataDir: string; control: Control }
async function personWithFacts({ url, dataDir, control }: Place, name: string): Promise<Visitor> {
  const person = createVisitor(url)
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

/** Erasing takes a second from here on; returns how many accounts are closed and not erased. */
async function slowErasures(dataDir: string) {
  const { sql, close } = await openSql(dataDir)
  await sql(`CREATE FUNCTION dawdle() RETURNS trigger AS $$ BEGIN PERFORM pg_sleep(1); RETURN OLD; END $$ LANGUAGE plpgsql`)
  await sql('CREATE TRIGGER dawdle BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION dawdle()')
  return { closed: async () => (await sql('SELECT 1 FROM people WHERE deleted_at IS NOT NULL')).length, close }
}

/**
 * kill -9 in the middle of a deletion, this many times, each at another moment, the last one after the account is closed and before it is
 * erased: afterwards the account is intact, or gone with everything.
 */
export async function killDeletions(lives: number): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-kill-'))
  await fillDirectory(unused, dataDir)
  const google = await startGoogle()
  const control = createControl(google.url)
  await control.call('PUT', 'quotas', generousQuotas)
  const start = () => startServerProcess({ DATA_DIR: dataDir, DEMO: '0', ...googleEnv(google) })
  const refreshTokens = async () => ((await control.call('GET', 'state')) as { tokens: { refresh: number } }).tokens.refresh
  let server = await start()
  try {
    for (let life = 1; life <= lives; life += 1) {
      const name = `person${life}`
      const person = await personWithFacts({ url: () => server.url, dataDir, control }, name)
      expect(await refreshTokens()).toBe(1)
      const remove = () => person.send('DELETE', '/api/user', { username: name, password }).then(({ status }) => status)
      const slow = life === lives ? await slowErasures(dataDir) : null
      const answer = remove().catch(() => 'no answer')
      if (slow) await until(slow.closed, (count) => count === 1)
      else await sleep(Math.random() * 150)
      await slow?.close()
      await server.kill()
      expect(await answer).toEqual(slow ? 'no answer' : expect.anything())
      server = await start()
      const { status, body } = await person.get('/api/user')
      const whole = { accessToken: 'redacted', selectedProperty: `https://${name}.example/` }
      expect({ status, body }).toMatchObject(status === 401 ? { status } : { status: 200, body: whole })
      expect(await remove()).toBe(status === 401 ? 401 : 204)
      const { sql, close } = await openSql(dataDir)
      const jobs = async () => {
        await hasten(sql, 'google-revocations')
        return sql<{ state: string }>(`SELECT state FROM jobs.job WHERE name = 'google-revocations'`)
      }
      await until(jobs, (all) => all.length === life && all.every(({ state }) => state === 'completed'))
      expect(await refreshTokens()).toBe(0)
      await until(
        () => sql('SELECT id FROM users'),
        (users) => users.length === 0,
      )
      await close()
    }
    // Nothing of them is read anymore; the next night it is deleted.
    await sendJob(dataDir, 'sweep-facts')
    const { sql, close } = await openSql(dataDir)
    await until(
      () => sql<{ state: string }>(`SELECT state FROM jobs.job WHERE name = 'sweep-facts'`),
      (all) => all.every(({ state }) => state === 'completed'),
    )
    await close()
    expect(await server.stop()).toBe(0)
    await expectNoFacts(dataDir)
  } finally {
    await server.stop()
    await google.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function expectNoFacts(dataDir: string): Promise<void> {
  const clickhouse = await openClickHouse({ dataDir, memoryBytes: 1024 ** 3, log: createLog('silent') })
  for (const table of ['facts_current', ...grains.map(tableOf)]) {
    const rows = await clickhouse.client.query({ query: `SELECT count() AS n FROM ${table}`, format: 'JSONEachRow' })
    expect([table, await rows.json()]).toEqual([table, [{ n: 0 }]])
  }
  await clickhouse.close()
}
