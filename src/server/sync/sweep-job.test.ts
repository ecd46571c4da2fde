import { expect } from 'vitest'
import { openFacts } from '../../../test/support/facts.ts'
import { databaseTest } from '../../../test/support/database.ts'
import { diskRooms } from '../facts/disk-rooms.ts'
import type { FactsStore } from '../facts/store.ts'
import { createLog } from '../platform/log.ts'
import { hideForgotten } from './forgotten.ts'
import { sweepOnce } from './sweep-job.ts'
import { dailyTotals } from '../facts/questions/daily-totals.ts'

// The database first: making its template takes an engine of its own, and a process has one at a time.
const test = databaseTest()
  .extend('store', async ({ database }, { onCleanup }) => {
    expect(database.url).toBeTruthy()
    const store = await openFacts()
    onCleanup(() => store.close())
    return store
  })
  .extend('facts', ({ store }) => store.facts)
  .extend('client', ({ store }) => store.client)

test('a sweep deletes what was replaced before the previous one, and orphaned facts, but nothing that is read', async ({
  store,
  facts,
  database,
}) => {
  let now = new Date('2026-10-10T03:17:00Z')
  const sweep = () =>
    sweepOnce({ db: database.db, facts, nextLoad: store.nextLoad, clock: { now: () => now }, log: createLog('error', true) })
  async function publish(property: number, clicks: number): Promise<void> {
    const load = await facts.beginLoad(property, 'web')
    await load.write('total', [{ date: '2026-10-05', keys: [], clicks, impressions: 9, position: 1 }])
    await load.publish(new Map([['total', ['2026-10-05']]]))
  }
  const clicksOf = async (property: number): Promise<number[]> =>
    (await facts.ask(dailyTotals, { property, searchType: 'web', start: '2026-10-01', end: '2026-10-31' })).map((day) => day.clicks)

  const owned = await database.property('https://kept.example/')
  await publish(owned, 1)
  await publish(owned, 2)
  await publish(999_999, 5)
  expect(await sweep()).toBe(0)

  now = new Date('2026-10-10T04:00:00Z')
  expect(await sweep()).toBe(0)

  now = new Date('2026-10-11T03:17:00Z')
  expect(await sweep()).toBe(1)
  expect(await clicksOf(owned)).toEqual([2])
  expect(await clicksOf(999_999)).toEqual([])
})

test('many deleted accounts cost what one does: nothing of them is read at once, and the next night their rows go in one mutation', async ({
  store,
  facts,
  client,
  database,
}) => {
  let now = new Date('2026-10-12T20:00:00Z')
  const deps = { db: database.db, facts, nextLoad: store.nextLoad, clock: { now: () => now }, log: createLog('error', true) }
  const count = async (query: string): Promise<number> => Number(await (await client.query({ query, format: 'TabSeparated' })).text())
  const mutations = (table: string) => count(`SELECT count() FROM system.mutations WHERE table = '${table}'`)
  const rowsOf = (id: number, table = 'facts_query') => count(`SELECT count() FROM ${table} WHERE property = ${id}`)
  async function write(property: number, isPublished: boolean): Promise<void> {
    const load = await facts.beginLoad(property, 'web')
    await load.write('query', [{ date: '2026-10-05', keys: ['lamp'], clicks: 1, impressions: 9, position: 1 }])
    if (isPublished) await load.publish(new Map([['query', ['2026-10-05']]]))
  }
  const kept = await database.property('https://neighbor.example/')
  const forgotten = [1_000_001, 1_000_002, 1_000_003]
  for (const id of [kept, ...forgotten]) await write(id, true)
  const before = { pointers: await mutations('facts_current'), rows: await mutations('facts_query') }

  // The accounts are deleted while the first one is being hidden: the next job hides the others, and the last has nothing left to do.
  const values = forgotten.map((propertyId) => ({ propertyId, at: now }))
  await database.db.insertInto('forgottenProperties').values(values.slice(0, 1)).execute()
  await hideForgotten(deps, forgotten.slice(0, 1))
  await database.db.insertInto('forgottenProperties').values(values.slice(1)).execute()
  for (const id of forgotten.slice(1)) await hideForgotten(deps, [id])
  for (const id of forgotten) expect(await rowsOf(id, 'facts_current')).toBe(0)
  expect(await mutations('facts_current')).toBe(before.pointers + 2)
  expect(await mutations('facts_query')).toBe(before.rows)

  now = new Date('2026-10-13T03:17:00Z')
  await sweepOnce(deps)
  for (const id of forgotten) expect(await rowsOf(id)).toBe(0)
  expect(await mutations('facts_query')).toBe(before.rows + 1)

  // An import that was under way stores rows after that and dies: they go too, and nobody else's.
  await write(forgotten[0]!, false)
  now = new Date('2026-10-14T03:17:00Z')
  await sweepOnce(deps)
  expect(await rowsOf(forgotten[0]!)).toBe(0)
  expect(await rowsOf(kept)).toBe(1)
  expect(await database.db.selectFrom('forgottenProperties').selectAll().execute()).toEqual([])
})

test('while the disk is nearly full, no deletion of rows begins; it is made up for once there is room', async ({
  store,
  facts,
  database,
}) => {
  let rooms = [{ free: 1, total: 1e12 }]
  const dropped: number[][] = []
  const ask = (question: unknown, ...asked: never[]) =>
    question === diskRooms ? Promise.resolve(rooms) : facts.ask(question as never, ...asked)
  const onDisk = { ...facts, ask: ask as FactsStore['ask'], drop: async (ids: readonly number[]) => void dropped.push([...ids]) }
  const clock = { now: () => new Date('2026-10-15T03:17:00Z') }
  const deps = { db: database.db, facts: onDisk, nextLoad: store.nextLoad, clock, log: createLog('silent') }
  await database.db
    .insertInto('forgottenProperties')
    .values({ propertyId: 2_000_001, at: new Date('2026-10-14T12:00:00Z') })
    .execute()
  await sweepOnce(deps)
  expect(dropped).toEqual([])
  rooms = [{ free: 9e11, total: 1e12 }]
  await sweepOnce(deps)
  expect(dropped).toEqual([[2_000_001]])
  expect(await database.db.selectFrom('forgottenProperties').selectAll().execute()).toEqual([])
})
