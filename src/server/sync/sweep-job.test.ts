import type { ClickHouseClient } from '@clickhouse/client'
import { expect } from 'vitest'
import { createEventBus } from '../common/events.ts'
import { openFacts } from '../../../test/support/facts.ts'
import { databaseTest } from '../../../test/support/database.ts'
import { until } from '../../../test/support/until.ts'
import { createFactsStore } from '../facts/store.ts'
import { readFairly } from '../platform/fair-reads.ts'
import { createLog, type Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import { aborted, forTenant } from '../platform/tenant.ts'
import { forgetWithAccount } from './forgotten.ts'
import { sweepOnce, workOnSweeps } from './sweep-job.ts'
import { dailyTotals } from '../facts/questions/daily-totals.ts'
import { hourTotals } from '../facts/questions/hours.ts'

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

/** An engine whose answers about its disk name another amount of free space. */
const withDisk = (client: ClickHouseClient, free: () => number): ClickHouseClient =>
  new Proxy(client, {
    get: (target, name: keyof ClickHouseClient) =>
      name === 'query'
        ? (asked: { query: string }) =>
            client.query({ ...asked, query: asked.query.replace('(free_space)', `(${free()})`).replace('(total_space)', '(0)') })
        : target[name],
  })

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

test(
  'accounts deleted one by one cost what one does: nothing is rewritten until night, and then their pointers go in one mutation, and their rows in one for each month that has some',
  { tags: ['full'] },
  async ({ store, facts, client, database }) => {
    let now = new Date('2026-10-12T20:00:00Z')
    const deps = { db: database.db, facts, nextLoad: store.nextLoad, clock: { now: () => now }, log: createLog('error', true) }
    const count = async (query: string): Promise<number> => Number(await (await client.query({ query, format: 'TabSeparated' })).text())
    const mutations = (table: string) => count(`SELECT count() FROM system.mutations WHERE table = '${table}'`)
    const rowsOf = (id: number, table = 'facts_query') => count(`SELECT count() FROM ${table} WHERE property = ${id}`)
    async function write(property: number, isPublished: boolean, dates = ['2026-10-05']): Promise<void> {
      const load = await facts.beginLoad(property, 'web')
      await load.write(
        'query',
        dates.map((date) => ({ date, keys: ['lamp'], clicks: 1, impressions: 9, position: 1 })),
      )
      if (isPublished) await load.publish(new Map([['query', dates]]))
    }
    const kept = await database.property('https://neighbor.example/')
    await write(kept, true, ['2026-08-05', '2026-09-05', '2026-10-05'])
    const names = ['https://a.example/', 'https://b.example/', 'https://c.example/']
    const forgotten = await Promise.all(names.map((name) => database.property(name)))
    for (const id of forgotten) await write(id, true, ['2026-09-05', '2026-10-05'])
    const before = { pointers: await mutations('facts_current'), rows: await mutations('facts_query') }

    const events = createEventBus()
    forgetWithAccount(events, deps.clock)
    for (const name of names) {
      await database.db.transaction().execute((transaction) => events.emit('accountDeleting', { userId: `user-of-${name}`, transaction }))
    }
    await database.db.deleteFrom('properties').where('id', 'in', forgotten).execute()
    expect(await mutations('facts_current')).toBe(before.pointers)

    // Properties that never had a row cost nothing, however many.
    const empty = Array.from({ length: 6_000 }, (_, i) => ({ propertyId: (i % 2 ? 900_000 : 1_100_000) + i, at: now }))
    await database.db.insertInto('forgottenProperties').values(empty).execute()
    now = new Date('2026-10-13T03:17:00Z')
    await sweepOnce(deps)
    for (const id of forgotten) expect(await rowsOf(id)).toBe(0)
    expect(await mutations('facts_query')).toBe(before.rows + 2)
    expect(await mutations('facts_page')).toBe(0)
    for (const id of forgotten) expect(await rowsOf(id, 'facts_current')).toBe(0)
    expect(await mutations('facts_current')).toBe(before.pointers + 1)

    // An import that was under way stores rows after that and dies: they go too, and nobody else's.
    await write(forgotten[0]!, false)
    now = new Date('2026-10-14T03:17:00Z')
    await sweepOnce(deps)
    expect(await rowsOf(forgotten[0]!)).toBe(0)
    expect(await rowsOf(kept)).toBe(3)
    expect(await database.db.selectFrom('forgottenProperties').selectAll().execute()).toEqual([])
  },
)

test('a month is only rewritten if it fits on the disk: otherwise it waits, with the notes, for a night with room, and a warning is logged', async ({
  store,
  client,
  database,
}) => {
  let free = 0
  const onDisk = createFactsStore(
    withDisk(client, () => free),
    store.nextLoad,
  )
  const facts = { ...onDisk, sweep: async () => ({ rows: 0, unfit: undefined }) }
  const warned: object[] = []
  const log = { ...createLog('silent'), warn: (fields: object) => void warned.push(fields) } as unknown as Log
  const clock = { now: () => new Date('2026-10-15T03:17:00Z') }
  const deps = { db: database.db, facts, nextLoad: store.nextLoad, clock, log }
  const numbers = async (query: string): Promise<number[]> =>
    (await (await client.query({ query, format: 'JSONCompactEachRow' })).json<[unknown]>()).map(([one]) => Number(one))
  const months = () => numbers('SELECT DISTINCT toYYYYMM(date) FROM facts_query WHERE property = 2000001 ORDER BY 1')
  const sizeOf = async (month: number) =>
    (await numbers(`SELECT sum(bytes_on_disk) FROM system.parts WHERE table = 'facts_query' AND active AND partition = '${month}'`))[0]!

  const load = await facts.beginLoad(2_000_001, 'web')
  const row = { clicks: 1, impressions: 9, position: 1 }
  // The newer month is the smaller one.
  await load.write('query', [
    ...Array.from({ length: 2_000 }, (_, i) => ({ ...row, date: '2026-08-05', keys: [`lamp ${i}`] })),
    { ...row, date: '2026-10-05', keys: ['lamp'] },
  ])
  const notes = () => database.db.selectFrom('forgottenProperties').select('propertyId').execute()
  await database.db.deleteFrom('forgottenProperties').execute()
  await database.db
    .insertInto('forgottenProperties')
    .values([2_000_001, 2_000_002].map((propertyId) => ({ propertyId, at: new Date('2026-10-14T12:00:00Z') })))
    .execute()

  free = (await sizeOf(202610)) - 1
  await sweepOnce(deps)
  expect(await months()).toEqual([202608, 202610])

  const size = await sizeOf(202608)
  free = size - 1
  await sweepOnce(deps)
  expect(await months()).toEqual([202608])
  expect(await notes()).toHaveLength(2)
  expect(warned.slice(1)).toEqual([{ table: 'facts_query', partition: '202608', size, spare: size - 1, properties: 2 }])

  free = size
  await sweepOnce(deps)
  expect(await months()).toEqual([])
  expect(await notes()).toEqual([])
  expect(warned).toHaveLength(2)
})

test(
  'months of replaced rows, too, are only rewritten if they fit on the disk',
  { tags: ['full'] },
  async ({ store, client, database }) => {
    let [free, now] = [1e15, new Date('2026-10-17T03:17:00Z')]
    const facts = createFactsStore(
      withDisk(client, () => free),
      store.nextLoad,
    )
    const warned: object[] = []
    const log = { ...createLog('silent'), warn: (fields: object) => void warned.push(fields) } as unknown as Log
    const sweep = () => sweepOnce({ db: database.db, facts, nextLoad: store.nextLoad, clock: { now: () => now }, log })
    const numbers = async (query: string): Promise<number[]> =>
      (await (await client.query({ query, format: 'JSONCompactEachRow' })).json<[unknown]>()).map(([one]) => Number(one))
    const sizeOf = async (table: string, month: number) =>
      (await numbers(`SELECT sum(bytes_on_disk) FROM system.parts WHERE table = '${table}' AND active AND partition = '${month}'`))[0]!
    const property = await database.property('https://twice.example/')
    const rowsOf = (table: string) =>
      numbers(`SELECT count() FROM ${table} WHERE property = ${property} GROUP BY toYYYYMM(date) ORDER BY toYYYYMM(date)`)
    // The whole past is imported twice, and the newer month is the smaller one.
    for (const clicks of [1, 2]) {
      const load = await facts.beginLoad(property, 'web')
      const row = { clicks, impressions: 9, position: 1 }
      await load.write('query', [
        ...Array.from({ length: 2_000 }, (_, i) => ({ ...row, date: '2025-05-05', keys: [`lamp ${i}`] })),
        { ...row, date: '2025-06-05', keys: ['lamp'] },
      ])
      await load.publish(new Map([['query', ['2025-05-05', '2025-06-05']]]))
    }
    await sweep()

    free = (await sizeOf('facts_query', 202506)) - 1
    now = new Date('2026-10-18T03:17:00Z')
    await sweep()
    expect(await rowsOf('facts_query')).toEqual([4_000, 2])
    expect(warned.splice(0)).toEqual([{ table: 'facts_query', partition: '202506', size: free + 1, spare: free }])

    const size = await sizeOf('facts_query', 202505)
    free = size - 1
    now = new Date('2026-10-19T03:17:00Z')
    await sweep()
    expect(await rowsOf('facts_query')).toEqual([4_000, 1])
    expect(warned.splice(0)).toEqual([{ table: 'facts_query', partition: '202505', size, spare: free }])

    free = 1e15
    now = new Date('2026-10-20T03:17:00Z')
    await sweep()
    expect(await rowsOf('facts_query')).toEqual([2_000, 1])
    expect(warned).toEqual([])
  },
)

test('so are the months of old hours, and their pointers before them', async ({ store, client, database }) => {
  let free = 0
  const facts = createFactsStore(
    withDisk(client, () => free),
    store.nextLoad,
  )
  const property = await database.property('https://hours.example/')
  const hour = { at: '2025-05-05T07:00:00.000Z', date: '2025-05-05', hour: 0, clicks: 1, impressions: 9, positionSum: 9 }
  await (await facts.beginHours(property)).store(new Map([['2025-05-05', [hour]]]))
  const hours = () => facts.ask(hourTotals, { property, from: '2025-05-05', to: '2025-05-05' })
  expect(await facts.forgetHours('2025-06-01')).toMatchObject({ table: 'facts_current', spare: 0 })
  expect(await hours()).toEqual([hour])
  free = 1e15
  expect(await facts.forgetHours('2025-06-01')).toBeUndefined()
  expect(await hours()).toEqual([])
})

test('a step of the sweep that fails is logged and leaves the others to be done; the job fails at the end, and is run again', async ({
  store,
  facts,
  database,
}) => {
  const done: string[] = []
  const logged: string[] = []
  const failing = {
    ...facts,
    drop: () => Promise.reject(new Error('the disk is broken')),
    sweep: async () => {
      done.push('sweep')
      return { rows: 0, unfit: undefined }
    },
    forgetHours: async () => void done.push('hours'),
  }
  const log = { ...createLog('silent'), error: (_: object, text: string) => void logged.push(text) } as unknown as Log
  const clock = { now: () => new Date('2026-10-16T03:17:00Z') }
  const deps = { db: database.db, facts: failing, nextLoad: store.nextLoad, clock, log }
  await database.db
    .insertInto('forgottenProperties')
    .values({ propertyId: 3_000_001, at: new Date('2026-10-14T12:00:00Z') })
    .execute()
  await database.db
    .insertInto('factSweeps')
    .values({ at: new Date('2026-10-14T12:00:00Z'), newestLoad: 1 })
    .execute()
  const marks = () => database.db.selectFrom('factSweeps').select('at').where('at', '=', clock.now()).execute()
  await expect(sweepOnce(deps)).rejects.toThrow('Some steps of the nightly sweep failed')
  expect(done).toEqual(['sweep', 'hours'])
  expect(logged).toEqual(['the nightly sweep could not delete the facts of deleted accounts'])
  expect(await marks()).toHaveLength(1)
})

test('while the nightly sweep runs a long query, a place is still kept for evaluations; once its time is over, it runs no more', async ({
  store,
  database,
}) => {
  const asked: string[] = []
  /** An engine that answers nothing. */
  const engine = {
    query: ({ query, abort_signal: signal }: { query: string; abort_signal?: AbortSignal }) => {
      asked.push(query)
      return signal ? aborted(signal) : new Promise(() => {})
    },
    exec: () => new Promise(() => {}),
  } as unknown as ClickHouseClient
  const client = readFairly(engine, 8)
  const clock = { now: () => new Date('2026-10-21T03:17:00Z') }
  await database.db
    .insertInto('factSweeps')
    .values({ at: new Date('2026-10-20T03:17:00Z'), newestLoad: 1 })
    .execute()
  const jobs: ((job: { signal: AbortSignal }) => Promise<void>)[] = []
  const queue = {
    defineQueue: async () => {},
    work: async (_name: string, _options: object, job: (typeof jobs)[number]) => void jobs.push(job),
    schedule: async () => {},
  } as unknown as Queue
  const facts = createFactsStore(client, store.nextLoad)
  await workOnSweeps(queue, { db: database.db, facts, nextLoad: store.nextLoad, clock, log: createLog('silent') })
  const over = new AbortController()
  const night = jobs[0]?.({ signal: over.signal })
  await until(
    async () => asked.length,
    (length) => length === 1,
  )
  for (const person of ['ann', 'ben'])
    for (let count = 0; count < 4; count += 1) void forTenant(person, () => client.query({ query: person }))
  void client.query({ query: 'an evaluation' })
  await until(
    async () => asked.length,
    (length) => length === 8,
  )
  expect(asked).toContain('an evaluation')
  over.abort(new Error('its time is over'))
  await expect(night).rejects.toThrow('its time is over')
})
