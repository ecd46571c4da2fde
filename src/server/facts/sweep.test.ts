import { expect } from 'vitest'
import { factsTest as test, type TestFacts } from '../../../test/support/facts.ts'
import type { ClickHouseClient } from '../platform/clickhouse/clickhouse.ts'
import { newTenancy, runAs } from '../platform/tenant.ts'
import { createFactsStore } from './store.ts'
import { settledProperties, sweepOldLoads } from './sweep.ts'
import { dailyTotals } from './questions/daily-totals.ts'

const day = (date: string, clicks: number) => ({ date, keys: [], clicks, impressions: 100, position: 4 })
const scopeOf = (property: number) => ({ property, searchType: 'web', start: '2026-10-01', end: '2026-10-31' }) as const

async function replace(store: TestFacts, date: string, clicks: number, publish: boolean): Promise<void> {
  const load = await store.facts.beginLoad(7, 'web')
  await load.write('total', [day(date, clicks)])
  if (publish) await load.publish(new Map([['total', [date]]]))
}

async function storedRows(store: TestFacts): Promise<number> {
  const answer = await store.client.query({ query: 'SELECT count() AS n FROM facts_total WHERE property = 7', format: 'JSONEachRow' })
  return Number((await answer.json<{ n: string }>())[0]?.n)
}

test('rows of replaced and unpublished loads are deleted, and every answer stays the same', async ({ store }) => {
  for (let clicks = 1; clicks <= 5; clicks++) await replace(store, '2026-10-05', clicks, true)
  await replace(store, '2026-10-06', 9, true)
  await replace(store, '2026-10-06', 99, false)
  const before = await store.facts.ask(dailyTotals, scopeOf(7))
  expect(before.map((row) => row.clicks)).toEqual([5, 9])
  expect(await storedRows(store)).toBe(7)

  expect(await sweepOldLoads(store.client, store.lastLoad() + 1)).toEqual({ rows: 5, unfit: undefined })
  expect(await storedRows(store)).toBe(2)
  expect(await store.facts.ask(dailyTotals, scopeOf(7))).toEqual(before)
})

test('a load that may still be in progress is kept', async ({ store }) => {
  const before = store.lastLoad() + 1
  const load = await store.facts.beginLoad(8, 'web')
  await load.write('total', [day('2026-10-07', 3)])
  await sweepOldLoads(store.client, before)
  await load.publish(new Map([['total', ['2026-10-07']]]))
  expect((await store.facts.ask(dailyTotals, scopeOf(8))).at(-1)).toMatchObject({ date: '2026-10-07', clicks: 3 })
})

type Statement = Parameters<ClickHouseClient['query']>[0]

/** The same store, with questions or deletions handled in another way. */
const handling = (client: ClickHouseClient, handlers: Partial<Record<'query' | 'command', (statement: Statement) => unknown>>) =>
  new Proxy(client, { get: (target, name: keyof ClickHouseClient) => (handlers as Partial<ClickHouseClient>)[name] ?? target[name] })

/** Some months of properties in two grains, eight rows a day, imported twice. */
async function importTwice(store: TestFacts, properties: readonly number[], months: number): Promise<void> {
  const days = Array.from({ length: months }, (_, month) => new Date(Date.UTC(2023, month, 1)).toISOString().slice(0, 8)).flatMap((month) =>
    Array.from({ length: 28 }, (_, at) => `${month}${String(at + 1).padStart(2, '0')}`),
  )
  const rows = days.flatMap((date) => Array.from({ length: 8 }, (_, at) => ({ ...day(date, at), keys: [`lamp ${at}`] })))
  for (const property of [...properties, ...properties]) {
    const load = await store.facts.beginLoad(property, 'web')
    for (const grain of ['page', 'query'] as const) await load.write(grain, rows)
    await load.publish(
      new Map([
        ['page', days],
        ['query', days],
      ]),
    )
  }
}

test('however much all accounts have together, no query of the nightly sweep covers more than a month of it, or a few properties', async ({
  store,
}) => {
  const properties = [21, 22]
  await importTwice(store, properties, 12)
  // Everybody's pointers, but neither all rows of a table nor all of its pointers in one set.
  const limits = { max_rows_to_read: '7000', max_rows_in_set: '500', set_overflow_mode: 'throw' } as const
  const deletions: string[] = []
  const limited = handling(store.client, {
    query: (asked) => store.client.query({ ...asked, clickhouse_settings: { ...asked.clickhouse_settings, ...limits } }),
    command: async ({ query }) => void deletions.push(query),
  })
  const facts = createFactsStore(limited, store.nextLoad)
  const before = store.lastLoad() + 1
  expect(await facts.sweep(before)).toEqual({ rows: 2 * 2 * 12 * 28 * 8, unfit: undefined })
  expect(await facts.ask(settledProperties, before)).toEqual(expect.arrayContaining(properties))
  expect(await facts.forgetHours('2024-01-01')).toBeUndefined()
  expect(await facts.drop(properties)).toBeUndefined()
  // Each month of both grains twice, and the pointers.
  expect(deletions).toHaveLength(2 * 2 * 12 + 1)
  expect(deletions.filter((query) => !/DELETE IN PARTITION ID '\w+' WHERE/.test(query))).toEqual([])
})

test('a month that fails keeps no other month from being swept, and is named at the end', async ({ store }) => {
  await importTwice(store, [23], 2)
  const deletions: string[] = []
  const failing = handling(store.client, {
    query: (asked) =>
      asked.query.includes('FROM facts_page WHERE toYYYYMM(date) = 202301')
        ? Promise.reject(new Error('too many rows'))
        : store.client.query(asked),
    command: async ({ query }) =>
      void deletions.push(/TABLE (\w+) DELETE IN PARTITION ID '(\w+)'/.exec(query)?.slice(1).join(' ') ?? query),
  })
  const sweep = sweepOldLoads(failing, store.lastLoad() + 1)
  await expect(sweep).rejects.toMatchObject({ errors: [{ message: 'facts_page 202301: too many rows' }] })
  expect(deletions).toEqual(expect.arrayContaining(['facts_page 202302', 'facts_query 202301', 'facts_query 202302']))
  expect(deletions).not.toContain('facts_page 202301')
})

test('a month that only one property has is swept without reading the pointers of all others', async ({ store }) => {
  await importTwice(store, [24], 1)
  await store.client.command({
    query: `INSERT INTO facts_current SELECT 1000 + number, 'web', 'query', toDate('2023-01-05'), 1, 1, 1, 1 FROM numbers(60000)`,
  })
  await store.client.command({ query: 'OPTIMIZE TABLE facts_current FINAL' })
  const deletions: string[] = []
  const limits = { max_rows_to_read: '30000' } as const
  const limited = handling(store.client, {
    query: (asked) => store.client.query({ ...asked, clickhouse_settings: { ...asked.clickhouse_settings, ...limits } }),
    command: async ({ query }) => void deletions.push(query),
  })
  await sweepOldLoads(limited, store.lastLoad() + 1)
  expect(deletions).toContainEqual(expect.stringContaining(`facts_query DELETE IN PARTITION ID '202301'`))
})

test('once its time is over, the sweep starts on no further month', async ({ store }) => {
  await importTwice(store, [25], 3)
  const [over, looked]: [AbortController, string[]] = [new AbortController(), []]
  const client = handling(store.client, {
    query: (asked) => {
      if (asked.query.includes('AS stale')) looked.push(asked.query)
      if (looked.length === 1) over.abort(new Error('its time is over'))
      return store.client.query(asked)
    },
  })
  const sweep = runAs(newTenancy(over.signal), () => sweepOldLoads(client, store.lastLoad() + 1))
  await expect(sweep).rejects.toThrow('its time is over')
  expect(looked).toHaveLength(1)
})
