import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson, ownerOf, refresh, select, shortenHistory, statusOf } from '../../../test/support/people.ts'
import type { Sql } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import { slotsPerPerson } from './property-queue.ts'

const many = Array.from({ length: 20 }, (_, i) => `https://many-${i + 1}.example/`)
const [bens, cys] = ['https://ben.example/', 'https://cy.example/']
/**
 * The server has three lanes: three of the 20 sites may be running when somebody else arrives, and three more may run before theirs is done.
 */
const meanwhile = 2 * 3 + 2

const test = appTest({ today: '2026-03-18', demo: false })
  .extend('sql', { scope: 'file' }, async ({ app }) => (await app.stores()).sql)
  .extend('cy', { scope: 'file' }, ({ app }) => ownerOf(app, cys, { days: 2, email: 'cy@example.test' }))
  .extend('ben', { scope: 'file' }, async ({ app }) => {
    const ben = await newPerson(app, { email: 'ben@example.test', sites: { [bens]: 'empty' } })
    await shortenHistory(app, bens, 2)
    return ben
  })
  .extend('ann', { scope: 'file' }, ({ app }) => {
    const sites = Object.fromEntries(many.map((site) => [site, 'empty' as const]))
    return newPerson(app, { email: 'ann@example.test', plan: 'agency', sites })
  })

/** Those of the 20 sites that have not been synced yet. */
const untouched = (sql: Sql) =>
  sql<{ name: string }>(
    'SELECT name FROM properties LEFT JOIN property_syncs ON property_id = id WHERE name = ANY ($1) AND last_synced_at IS NULL',
    [many],
  )
const annsInLine = async (sql: Sql): Promise<number> => {
  const open = `name = 'sync-slice' AND state IN ('created', 'retry', 'active')`
  return (await sql(`SELECT 1 FROM jobs.job WHERE ${open} AND group_id = (SELECT id FROM users WHERE email = 'ann@example.test')`)).length
}

test(
  'a user with many properties keeps nobody else waiting, and all of theirs get synced',
  { timeout: 180_000 },
  async ({ app, sql, ann, ben, cy }) => {
    // Ann has many properties waiting: Ben, who connects now, is served meanwhile.
    {
      await app.google.delay(60, 'query')
      await sql(
        `INSERT INTO properties (user_id, name, kind, monitored) SELECT id, unnest($1::text[]), 'google', true FROM users WHERE email = 'ann@example.test'
      ON CONFLICT (user_id, name) DO UPDATE SET monitored = true`,
        [many],
      )
      await sql(
        `INSERT INTO search_type_syncs (property_id, search_type, backfill_to) SELECT id, 'web', '2026-03-17' FROM properties WHERE name = ANY ($1)`,
        [many],
      )
      await app.lookForDue()
      await until(
        () => annsInLine(sql),
        (jobs) => jobs >= slotsPerPerson,
      )
      // Nor do they fill the queue: the others stay due until there is a place.
      expect(await annsInLine(sql)).toBe(slotsPerPerson)
      const before = await untouched(sql)
      await select(ben, bens)
      await until(
        () => statusOf(ben, bens),
        (status) => status.lastSyncedAt !== null,
      )
      const after = await untouched(sql)
      expect(after).not.toEqual([])
      expect(before.length - after.length).toBeLessThanOrEqual(meanwhile)
    }

    // Ann presses Refresh everywhere: Cy, who does too, is served before most of hers.
    {
      const waiting = (await untouched(sql)).map(({ name }) => name)
      for (const site of waiting) expect((await ann.send('POST', '/api/sync', { property: site })).status).toBe(202)
      const before = await untouched(sql)
      await refresh(cy, cys)
      expect(before.length - (await untouched(sql)).length).toBeLessThanOrEqual(meanwhile)
    }

    // All of them are synced in the end, one by one as places become free.
    {
      await app.google.delay(0, 'query')
      expect(
        await until(
          () => untouched(sql),
          (left) => left.length === 0,
          100_000,
        ),
      ).toEqual([])
    }
  },
)
