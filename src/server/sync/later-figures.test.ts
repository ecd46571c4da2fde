import { expect } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import { expectStoredAsAtGoogle } from '../../../test/support/grain-sums.ts'
import { newPerson, propertyId, refresh, select, shortenHistory, synced } from '../../../test/support/people.ts'
import { watchedAtOnce } from '../../../test/support/stored-history.ts'

// What later versions fetch in addition: Google News, and search appearances.

const fresh = 'https://fresh.example/'
const old = 'https://old.example/'
const start = '2026-03-04'
const end = '2026-03-18'
const types = ['web', 'discover', 'googleNews'] as const

const test = appTest({ today: end, demo: false })

test('a new property gets every grain of every search type it has, with search appearances', { tags: ['full'] }, async ({ app }) => {
  const owner = await newPerson(app, { sites: { [fresh]: 'blog' } })
  await shortenHistory(app, fresh, 15)
  const { sql } = await app.stores()
  for (const type of types)
    await sql(
      `INSERT INTO search_type_syncs (property_id, search_type, backfill_to) SELECT id, $1, $2 FROM properties ON CONFLICT DO NOTHING`,
      [type, start],
    )
  await select(owner, fresh)
  await synced(owner, fresh)
  for (const type of types) await expectStoredAsAtGoogle(app, fresh, { start, end, type })
  // A year of days would take no more: which appearances there are, and the days of each.
  const asked = (await app.google.requests()).filter(({ dims }) => dims?.includes('searchAppearance'))
  expect(new Set(asked.map(({ type }) => type))).toEqual(new Set(['web', 'discover']))
  expect(asked.length).toBeLessThanOrEqual(2 * 2 + 2)
})

test(
  'a property that an earlier version stored gets both, and nothing else of its days is fetched again',
  { tags: ['full'] },
  async ({ app }) => {
    const owner = await newPerson(app, { email: 'old@example.test', sites: { [old]: 'blog' } })
    await watchedAtOnce(app, old, { from: start, types: ['web', 'discover'] })
    const { sql, clickhouse } = await app.stores()
    const id = await propertyId(app, old)
    for (const table of ['facts_search_appearance', 'facts_current'])
      await clickhouse.command({
        query: `ALTER TABLE ${table} DELETE WHERE property = ${id} ${table === 'facts_current' ? "AND grain = 'search_appearance'" : ''} SETTINGS mutations_sync = 1`,
      })
    await sql('UPDATE search_type_syncs SET appearances_due = true WHERE property_id = $1', [id])
    await sql('UPDATE property_syncs SET types_probed_at = NULL WHERE property_id = $1', [id])
    await sql(`INSERT INTO search_type_syncs (property_id, search_type, backfill_to) VALUES ($1, 'googleNews', $2)`, [id, start])

    await app.google.forgetRequests()
    await refresh(owner, old)
    for (const type of types) await expectStoredAsAtGoogle(app, old, { start, end, type })
    const asked = (await app.google.requests()).filter(({ kind, siteUrl }) => kind === 'query' && siteUrl === old)
    const again = asked.filter(({ type, dims, startDate }) => type !== 'googleNews' && dims!.length > 1 && startDate! < '2026-03-15')
    expect(again).toEqual([])
    // Once done, only the unfinished days are asked for.
    await app.google.forgetRequests()
    await refresh(owner, old)
    const later = (await app.google.requests()).filter(({ dims }) => dims?.includes('searchAppearance'))
    expect(later.map(({ startDate }) => startDate! >= '2026-03-15')).toEqual([true, true])
  },
)
