import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { newPerson, ownerOf, refresh, select, shortenHistory, statusOf } from '../../../test/support/people.ts'
import type { Sql } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { placesOfPerson } from './line.ts'

const many = Array.from({ length: 20 }, (_, i) => `https://many-${i + 1}.example/`)
const [bens, cys] = ['https://ben.example/', 'https://cy.example/']
/** Lanes of the server: so many of the many may be at work when somebody else comes, and as many again until theirs is done. */
const meanwhile = 2 * 3 + 2
let app: TestApp
let sql: Sql
let ann: Visitor
let ben: Visitor
let cy: Visitor

beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
  sql = (await app.stores()).sql
  cy = await ownerOf(app, cys, { days: 2, email: 'cy@example.test' })
  ben = await newPerson(app, { email: 'ben@example.test', sites: { [bens]: 'empty' } })
  await shortenHistory(app, bens, 2)
  const sites = Object.fromEntries(many.map((site) => [site, 'empty' as const]))
  ann = await newPerson(app, { email: 'ann@example.test', plan: 'agency', sites })
})
afterAll(() => app.close())

/** Of the many, those that have not been synced yet. */
const untouched = () =>
  sql<{ name: string }>(
    'SELECT name FROM properties LEFT JOIN property_syncs ON property_id = id WHERE name = ANY ($1) AND last_synced_at IS NULL',
    [many],
  )
const annsInLine = async (): Promise<number> => {
  const open = `name = 'sync-slice' AND state IN ('created', 'retry', 'active')`
  return (await sql(`SELECT 1 FROM jobs.job WHERE ${open} AND group_id = (SELECT id FROM users WHERE email = 'ann@example.test')`)).length
}

test('one with many properties waiting: another who connects now is served while they wait', async () => {
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
  await until(annsInLine, (jobs) => jobs >= placesOfPerson)
  // Nor do they fill the queue: the others are due until there is a place.
  expect(await annsInLine()).toBe(placesOfPerson)
  const before = await untouched()
  await select(ben, bens)
  await until(
    () => statusOf(ben, bens),
    (status) => status.lastSyncedAt !== null,
  )
  const after = await untouched()
  expect(after).not.toEqual([])
  expect(before.length - after.length).toBeLessThanOrEqual(meanwhile)
})

test('one who presses Refresh everywhere: another who does is served before most of theirs', async () => {
  const waiting = (await untouched()).map(({ name }) => name)
  for (const site of waiting) expect((await ann.send('POST', '/api/sync', { property: site })).status).toBe(202)
  const before = await untouched()
  await refresh(cy, cys)
  expect(before.length - (await untouched()).length).toBeLessThanOrEqual(meanwhile)
})

test('all of them are synced in the end, one after the other as places get free', { timeout: 120_000 }, async () => {
  await app.google.delay(0, 'query')
  expect(await until(untouched, (left) => left.length === 0, 100_000)).toEqual([])
})
