import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { mostProperties, tooManyProperties } from '../../src/core/accounts/property-limit.ts'
import type { SiteEntry } from '../../src/server/google/search-console.ts'
import { usesOfProperties } from '../../src/server/sites/save-sites.ts'
import { createSitesStore } from '../../src/server/sites/store.ts'
import { createImportService } from '../../src/server/sync/import/service.ts'
import { storesTest, type TestStores } from '../support/import-stores.ts'

// An account whose list of properties never ends: every request of it, and everybody else's along with it, takes longer and longer.

const it = storesTest.extend('attacker', async ({ stores }) => {
  const userId = await stores.person()
  const account = { userId, googleSub: `sub of ${userId}` }
  await stores.pool.query(
    `INSERT INTO google_connections (user_id, google_sub, email, refresh_token, scope) VALUES ($1, $2, 'a@example.test', 'token', '')`,
    [userId, account.googleSub],
  )
  return { ...account, store: createSitesStore(stores.db) }
})

/** What Google lists after a thousand properties were added there, and those before removed. */
const round = (at: number, name = (each: number) => `https://round${at}.example/${each}/`): SiteEntry[] =>
  Array.from({ length: 1_000 }, (_, each) => ({
    siteUrl: name(each),
    permissionLevel: each % 2 === 0 ? 'siteUnverifiedUser' : 'siteOwner',
  }))

const namesOf = async ({ db }: TestStores, userId: string): Promise<string[]> =>
  (await db.selectFrom('properties').where('userId', '=', userId).select('name').orderBy('id').execute()).map(({ name }) => name)

it(
  'properties that Google no longer lists leave the list if they were never used',
  { tags: ['full'] },
  async ({ stores, attacker: { store, ...account } }) => {
    await store.saveGoogleSites(account, round(0))
    const { pool } = stores
    const used = async (each: number, statement: string) => {
      const name = `https://round0.example/${each}/`
      await pool.query(statement, [name])
      return name
    }
    const kept = [
      await used(1, `UPDATE properties SET monitored_at = now() WHERE name = $1`),
      await used(2, `UPDATE properties SET tags = '{shop}' WHERE name = $1`),
      await used(3, `UPDATE properties SET brand_terms = '{}' WHERE name = $1`),
      await used(4, `INSERT INTO property_syncs (property_id) SELECT id FROM properties WHERE name = $1`),
      await used(
        5,
        `INSERT INTO annotations (user_id, property_id, date, text, created_at) SELECT user_id, id, now(), 'note', now() FROM properties WHERE name = $1`,
      ),
    ]
    for (const at of [1, 2, 3]) {
      expect(await store.saveGoogleSites(account, round(at))).toBe(0)
      const names = await namesOf(stores, account.userId)
      expect(names).toHaveLength(1_005)
      expect(names).toEqual(expect.arrayContaining(kept))
    }
  },
)

it('every table that says something about a property keeps it', async ({ stores: { pool } }) => {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT conrelid::regclass::text AS name FROM pg_constraint WHERE confrelid = 'properties'::regclass AND contype = 'f'`,
  )
  // Whoever has a property selected monitors it.
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...usesOfProperties, 'people'].toSorted())
})

it('the number of properties per account is limited, from Google and imported; existing ones stay', async ({
  stores,
  attacker: { store, ...account },
}) => {
  const { userId } = account
  for (let at = 0; at < 6; at++) {
    expect(await store.saveGoogleSites(account, round(at))).toBe(at < 5 ? 0 : 1_000)
    await stores.db
      .updateTable('properties')
      .set({ tags: ['mine'] })
      .where('userId', '=', userId)
      .execute()
  }
  const names = await namesOf(stores, userId)
  expect(names).toHaveLength(mostProperties.count)
  expect(new Set(names)).toEqual(new Set([0, 1, 2, 3, 4].flatMap((at) => round(at)).map(({ siteUrl }) => siteUrl)))
  expect(await store.addGoogleSite(account, { siteUrl: 'https://typed.example/', permissionLevel: 'siteOwner' })).toBe(false)
  // What is there already is still updated.
  expect(await store.saveGoogleSites(account, round(0))).toBe(0)
  expect((await store.lists([userId])).get(userId)).toHaveLength(mostProperties.count)

  const offer = { billing: 'off', sitesPerPerson: null } as const
  const imports = createImportService({ ...stores, offer, clock: { now: () => new Date('2026-11-20T20:00:00Z') } })
  const importInto = (propertyName: string) => {
    const content = Readable.from([Buffer.from('date,clicks,impressions,position\n2026-07-01,1,10,5\n')])
    return imports.importFiles({ userId, propertyName, files: [{ name: 'a.csv', content }] })
  }
  expect(await importInto('one more')).toMatchObject({ ok: false, status: 403, problem: { message: tooManyProperties, field: 'property' } })
  const imported = stores.db.updateTable('properties').set({ kind: 'imported', permissionLevel: null }).where('userId', '=', userId)
  await imported.where('name', '=', names[0] ?? '').execute()
  expect(await importInto(names[0] ?? '')).toMatchObject({ ok: true })
})

it('long names count by their length, and one too long to be requested is left out', async ({ stores, attacker }) => {
  const { store, ...account } = attacker
  const long = round(0, (each) => `https://long.example/${'a'.repeat(1_900)}/${each}/`)
  expect(
    await store.saveGoogleSites(account, [{ siteUrl: `https://a.example/${'a'.repeat(2_048)}`, permissionLevel: 'siteOwner' }, ...long]),
  ).toBeGreaterThan(1)
  const names = await namesOf(stores, account.userId)
  expect(names.every((name) => name.length <= 2_048)).toBe(true)
  expect(names.reduce((sum, name) => sum + name.length, 0)).toBeLessThanOrEqual(mostProperties.letters)
  expect(names.length).toBeGreaterThan(200)
})
