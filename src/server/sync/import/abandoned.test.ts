import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { storesTest } from '../../../../test/support/import-stores.ts'
import { nextFactLoad } from '../../database/open.ts'
import type { FactsStore } from '../../facts/store.ts'
import { createLog } from '../../platform/log.ts'
import { sweepOnce } from '../sweep-job.ts'
import { createImportService } from './service.ts'

const test = storesTest.extend('desk', ({ stores }) => {
  const { client, db, pool } = stores
  let now = new Date('2026-07-10T20:00:00Z')
  const clock = { now: () => now }
  const after = (hours: number) => void (now = new Date(now.getTime() + hours * 3_600_000))
  /** Without the step that deletes a month's replaced rows once they are a fifth of it, which a large store never reaches. */
  const sweep = () => {
    const facts = { ...stores.facts, sweep: async () => ({ rows: 0, unfit: undefined }) }
    return sweepOnce({ db, facts, nextLoad: () => nextFactLoad(pool), clock, log: createLog('silent') })
  }
  const take = (userId: string, propertyName: string, content: string, facts: FactsStore = stores.facts) =>
    createImportService({ ...stores, facts, clock }).importFiles({
      userId,
      propertyName,
      files: [{ name: 'Chart.csv', content: Readable.from([Buffer.from(content)]) }],
    })
  /** Rows and pointers whose property doesn't exist. */
  async function abandoned(): Promise<number> {
    const { rows } = await pool.query<{ id: number }>('SELECT id FROM properties')
    const query = `SELECT count() FROM (SELECT property FROM facts_total UNION ALL SELECT property FROM facts_current) WHERE property NOT IN (0${rows.map(({ id }) => `, ${id}`).join('')})`
    return Number(await (await client.query({ query, format: 'TabSeparated' })).text())
  }
  const notes = () => db.selectFrom('forgottenProperties').selectAll().execute()
  return { after, sweep, take, abandoned, notes }
})

const chart = 'date,clicks,impressions,ctr,position\n2026-07-01,12,345,3.48%,5.5\n2026-07-02,0,7,0%,9\n'

test('what an import into a new property wrote before it was refused is deleted the next night, and nothing else', async ({
  stores,
  desk: { after, sweep, take, abandoned, notes },
}) => {
  const userId = await stores.person('free')
  const results = await Promise.all(['one', 'two'].map((name) => take(userId, name, chart)))
  expect(results.map(({ ok }) => ok).toSorted()).toEqual([false, true])
  expect(await abandoned()).toBeGreaterThan(0)
  after(7)
  await sweep()
  expect(await abandoned()).toBe(0)
  const count = await stores.client.query({ query: 'SELECT count() FROM facts_total', format: 'TabSeparated' })
  expect(Number(await count.text())).toBe(2)
  // Something of it might still have been on its way to the store.
  expect(await notes()).toHaveLength(1)
  after(24)
  await sweep()
  expect(await notes()).toEqual([])
})

test('rows of an import under way stay; those of one that never ended, as when its process was killed, are deleted', async ({
  stores,
  desk: { after, sweep, take, abandoned, notes },
  onTestFinished,
}) => {
  // After the sweeps of the other test.
  after(240)
  const [reached, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  onTestFinished(() => release.resolve())
  const held: FactsStore = {
    ...stores.facts,
    async beginLoad(...target) {
      const load = await stores.facts.beginLoad(...target)
      async function publish(...published: Parameters<typeof load.publish>): Promise<void> {
        reached.resolve()
        await release.promise
        await load.publish(...published)
      }
      return { ...load, publish }
    },
  }
  const result = take(await stores.person(), 'slow', chart, held)
  await reached.promise
  const written = await abandoned()
  expect(written).toBeGreaterThan(0)
  after(7)
  await sweep()
  expect(await abandoned()).toBe(written)
  after(24)
  await sweep()
  expect(await abandoned()).toBe(0)

  // Should it be alive after all, it has nothing left to show.
  release.resolve()
  expect(await result).toMatchObject({ ok: false, status: 409, problem: { message: expect.stringContaining('took too long') } })
  for (const night of [1, 2]) {
    after(24)
    await sweep()
    expect([night, await abandoned()]).toEqual([night, 0])
  }
  expect(await notes()).toEqual([])
})
