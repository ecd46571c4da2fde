import { expect } from 'vitest'
import { databaseTest, type TestDatabase } from '../../../test/support/database.ts'
import type { Person } from '../accounts/service.ts'
import { createAnnotationsService } from '../annotations/service.ts'
import { silentLog } from '../../../test/support/platform.ts'
import { createClients } from './clients.ts'

// An installation without limits: a client has thousands of properties.

const now = new Date('2026-03-18T09:00:00Z')
const clock = { now: () => now }
const count = 3_000

const test = databaseTest().extend('owner', { scope: 'file' }, async ({ database }) => {
  const first = await database.property('https://1.example/')
  const person = { id: 'user-of-https://1.example/', plan: 'agency' } as Person
  await database.pool.query(`INSERT INTO people (user_id, plan) VALUES ($1, 'agency') ON CONFLICT DO NOTHING`, [person.id])
  await database.pool.query(
    `INSERT INTO properties (user_id, name, kind) SELECT $1, 'https://' || at || '.example/', 'google' FROM generate_series(2, $2) AS at`,
    [person.id, count],
  )
  await database.pool.query('UPDATE properties SET monitored = true WHERE user_id = $1', [person.id])
  return { person, first }
})

const names = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `https://${from + at}.example/`)

/** How often a connection to PostgreSQL is taken meanwhile. */
async function connectionsFor({ pool }: TestDatabase, work: () => Promise<unknown>): Promise<number> {
  let taken = 0
  const note = () => void (taken += 1)
  pool.on('acquire', note)
  await work().finally(() => pool.off('acquire', note))
  return taken
}

test('thousands of them are set at once, and only those that are new count as added', async ({ database, owner: { person } }) => {
  const clients = createClients({ db: database.db, clock })
  const { id } = await clients.add(person, { name: 'Large', properties: names(1, count - 1) })
  const changed = await clients.change(person, id, { name: 'Large', properties: names(2, count) })
  expect(changed.properties.toSorted()).toEqual(names(2, count).toSorted())
  const { rows } = await database.pool.query<{ details: unknown }>(`SELECT details FROM audit_events WHERE user_id = $1`, [person.id])
  expect(rows.map(({ details }) => details)).toEqual([expect.objectContaining({ client: 'Large' })])
  expect(JSON.stringify(rows)).toContain(`https://${count}.example/`)
  expect(JSON.stringify(rows)).not.toContain(`https://2.example/`)
  const strange = clients.change(person, id, { name: 'Large', properties: [...names(1, count), 'https://of-another.example/'] })
  await expect(strange).rejects.toThrow(/of-another.example/)
})

test('their notes for readers outside the account are read in one query, and no others', async ({ database, owner: { person, first } }) => {
  const { db, pool } = database
  await pool.query(
    `INSERT INTO annotations (user_id, property_id, date, text, in_reports, created_at) VALUES
      ($1, $2, '2026-03-10', 'Shown', true, $3), ($1, $2, '2026-03-10', 'Inside', false, $3), ($1, NULL, '2026-03-10', 'On all', false, $3),
      ($1, $2, '2026-03-01', 'Earlier', true, $3)`,
    [person.id, first, now],
  )
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM properties WHERE user_id = $1', [person.id])
  const annotations = createAnnotationsService({ db, sites: { reportOn: async () => null }, statusUrl: null, clock, log: silentLog })
  const found: string[] = []
  const week = { start: '2026-03-09', end: '2026-03-15' }
  const asked = async () => {
    const notes = await annotations.notesForOthers(
      person.id,
      rows.map(({ id }) => Number(id)),
      week,
    )
    found.push(...notes.map(({ text }) => text))
  }
  expect(await connectionsFor(database, asked)).toBe(1)
  expect(found).toEqual(['Shown'])
})
