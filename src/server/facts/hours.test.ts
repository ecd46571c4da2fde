import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pacificHour, pacificHours } from '../../core/analytics/pacific-hours.ts'
import { type ClickHouse, openClickHouse } from '../platform/clickhouse.ts'
import { createLog } from '../platform/log.ts'
import type { HourFigures } from './hours.ts'
import { createFactsTables } from './schema.ts'
import { createFactsStore, type FactsStore } from './store.ts'

let dataDir: string
let clickhouse: ClickHouse
let facts: FactsStore
let loads = 0

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'ranklark-hours-'))
  clickhouse = await openClickHouse({ dataDir, memoryBytes: 512 * 1024 ** 2, log: createLog('silent') })
  await createFactsTables(clickhouse.client)
  facts = createFactsStore(clickhouse.client, async () => ++loads)
})
afterAll(async () => {
  await clickhouse.close()
  await rm(dataDir, { recursive: true, force: true })
})

const hoursOf = (date: string, clicks: number): HourFigures[] =>
  pacificHours(date).map((at, i) => ({
    at: at.toISOString(),
    date,
    hour: pacificHour(at),
    clicks: clicks + i,
    impressions: 100 + i,
    positionSum: (100 + i) / 3,
  }))

async function store(property: number, days: Record<string, HourFigures[]>): Promise<void> {
  await (await facts.beginHours(property)).store(new Map(Object.entries(days)))
}

test.each([
  ['2026-03-08', 23],
  ['2026-03-09', 24],
  ['2026-11-01', 25],
])('the hours of %s come back as they were stored, all %i of them', async (date, count) => {
  const given = hoursOf(date, 5)
  await store(1, { [date]: given })
  expect(given).toHaveLength(count)
  expect(await facts.hourTotals({ property: 1, from: date, to: date })).toEqual(given)
})

test('a day that is stored again has the new hours and no others; other days, properties and the figures of days stay', async () => {
  const [monday, tuesday] = [hoursOf('2026-05-04', 1), hoursOf('2026-05-05', 2)]
  await store(2, { '2026-05-04': monday, '2026-05-05': hoursOf('2026-05-05', 70) })
  await store(3, { '2026-05-04': hoursOf('2026-05-04', 9) })
  await store(2, { '2026-05-05': tuesday.slice(0, 7) })
  expect(await facts.hourTotals({ property: 2, from: '2026-05-01', to: '2026-05-31' })).toEqual([...monday, ...tuesday.slice(0, 7)])
  await store(2, { '2026-05-05': [] })
  expect(await facts.hourTotals({ property: 2, from: '2026-05-05', to: '2026-05-05' })).toEqual([])
  expect(await facts.dailyTotals({ property: 2, searchType: 'web', start: '2026-05-01', end: '2026-05-31' })).toEqual([])
})

test('instants ask for the hours from one that begins then to one that begins then', async () => {
  const day = hoursOf('2026-05-04', 1)
  const [from, to] = [new Date(day[3]?.at ?? ''), new Date(day[9]?.at ?? '')]
  expect(await facts.hourTotals({ property: 2, from, to })).toEqual(day.slice(3, 10))
  expect(await facts.hourTotals({ property: 2, from: new Date(from.getTime() + 1), to })).toEqual(day.slice(4, 10))
  expect(await facts.hourTotals({ property: 2, from: '2026-05-04', to })).toEqual(day.slice(0, 10))
})

test('rows of a load that was killed before it was published are never read, and are swept', { tags: ['full'] }, async () => {
  const day = hoursOf('2026-06-01', 3)
  await store(4, { '2026-06-01': day })
  const orphans = day.map(({ at, positionSum, ...figures }) => ({
    ...figures,
    property: 4,
    type: 'web',
    load: ++loads,
    at: Date.parse(at) / 1000,
    position_sum: positionSum,
  }))
  await clickhouse.client.insert({ table: 'facts_hour', values: orphans, format: 'JSONEachRow' })
  expect(await facts.hourTotals({ property: 4, from: '2026-06-01', to: '2026-06-01' })).toEqual(day)
  expect(await facts.sweep(loads + 1)).toBeGreaterThanOrEqual(orphans.length)
  expect(await rows(4)).toBe(day.length)
  expect(await facts.hourTotals({ property: 4, from: '2026-06-01', to: '2026-06-01' })).toEqual(day)
})

const rows = async (property: number): Promise<number> => {
  const answer = await clickhouse.client.query({
    query: `SELECT toUInt32(count()) AS rows FROM facts_hour WHERE property = ${property}`,
    format: 'JSONEachRow',
  })
  return (await answer.json<{ rows: number }>())[0]?.rows ?? 0
}

test('old days are forgotten, with their pointers, and dropping a property takes its hours along', async () => {
  const [old, recent] = [hoursOf('2025-01-31', 1), hoursOf('2025-02-01', 2)]
  await store(5, { '2025-01-31': old, '2025-02-01': recent })
  await facts.forgetHours('2025-02-01')
  await facts.forgetHours('2025-02-01')
  expect(await facts.hourTotals({ property: 5, from: '2025-01-01', to: '2025-03-01' })).toEqual(recent)
  expect(await rows(5)).toBe(recent.length)
  expect(await facts.settledProperties(loads + 1)).toContain(5)
  await facts.drop([5])
  expect(await rows(5)).toBe(0)
  expect(await facts.settledProperties(loads + 1)).not.toContain(5)
})
