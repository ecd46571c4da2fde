import { expect } from 'vitest'
import { pacificHour, pacificHours } from '../../../core/analytics/pacific-hours.ts'
import { factsTest as test, type TestFacts } from '../../../../test/support/facts.ts'
import { type HourFigures, hourTotals } from './hours.ts'
import type { FactsStore } from '../store.ts'
import { dailyTotals } from './daily-totals.ts'
import { settledProperties } from '../sweep.ts'

const hoursOf = (date: string, clicks: number): HourFigures[] =>
  pacificHours(date).map((at, i) => ({
    at: at.toISOString(),
    date,
    hour: pacificHour(at),
    clicks: clicks + i,
    impressions: 100 + i,
    positionSum: (100 + i) / 3,
  }))

async function put(facts: FactsStore, property: number, days: Record<string, HourFigures[]>): Promise<void> {
  await (await facts.beginHours(property)).store(new Map(Object.entries(days)))
}

test.for([
  ['2026-03-08', 23],
  ['2026-03-09', 24],
  ['2026-11-01', 25],
] as const)('the hours of %s are returned as stored, all %i of them', async ([date, count], { facts }) => {
  const given = hoursOf(date, 5)
  await put(facts, 1, { [date]: given })
  expect(given).toHaveLength(count)
  expect(await facts.ask(hourTotals, { property: 1, from: date, to: date })).toEqual(given)
})

test('a day stored again has only the new hours; other days, properties and daily figures are unchanged', async ({ facts }) => {
  const [monday, tuesday] = [hoursOf('2026-05-04', 1), hoursOf('2026-05-05', 2)]
  await put(facts, 2, { '2026-05-04': monday, '2026-05-05': hoursOf('2026-05-05', 70) })
  await put(facts, 3, { '2026-05-04': hoursOf('2026-05-04', 9) })
  await put(facts, 2, { '2026-05-05': tuesday.slice(0, 7) })
  expect(await facts.ask(hourTotals, { property: 2, from: '2026-05-01', to: '2026-05-31' })).toEqual([...monday, ...tuesday.slice(0, 7)])
  await put(facts, 2, { '2026-05-05': [] })
  expect(await facts.ask(hourTotals, { property: 2, from: '2026-05-05', to: '2026-05-05' })).toEqual([])
  expect(await facts.ask(dailyTotals, { property: 2, searchType: 'web', start: '2026-05-01', end: '2026-05-31' })).toEqual([])
})

test('hours are queried by the instants at which they start', async ({ facts }) => {
  const day = hoursOf('2026-05-04', 1)
  const [from, to] = [new Date(day[3]?.at ?? ''), new Date(day[9]?.at ?? '')]
  expect(await facts.ask(hourTotals, { property: 2, from, to })).toEqual(day.slice(3, 10))
  expect(await facts.ask(hourTotals, { property: 2, from: new Date(from.getTime() + 1), to })).toEqual(day.slice(4, 10))
  expect(await facts.ask(hourTotals, { property: 2, from: '2026-05-04', to })).toEqual(day.slice(0, 10))
})

test('rows of a load killed before it was published are never read, and are swept', { tags: ['full'] }, async ({ store, facts }) => {
  const day = hoursOf('2026-06-01', 3)
  await put(facts, 4, { '2026-06-01': day })
  const load = await store.nextLoad()
  const orphans = day.map(({ at, positionSum, ...figures }) => ({
    ...figures,
    property: 4,
    type: 'web',
    load,
    at: Date.parse(at) / 1000,
    position_sum: positionSum,
  }))
  await store.client.insert({ table: 'facts_hour', values: orphans, format: 'JSONEachRow' })
  expect(await facts.ask(hourTotals, { property: 4, from: '2026-06-01', to: '2026-06-01' })).toEqual(day)
  expect((await facts.sweep(store.lastLoad() + 1)).rows).toBeGreaterThanOrEqual(orphans.length)
  expect(await rows(store, 4)).toBe(day.length)
  expect(await facts.ask(hourTotals, { property: 4, from: '2026-06-01', to: '2026-06-01' })).toEqual(day)
})

const rows = async (store: TestFacts, property: number): Promise<number> => {
  const answer = await store.client.query({
    query: `SELECT toUInt32(count()) AS rows FROM facts_hour WHERE property = ${property}`,
    format: 'JSONEachRow',
  })
  return (await answer.json<{ rows: number }>())[0]?.rows ?? 0
}

test('old days are deleted with their pointers, and deleting a property deletes its hours', async ({ store, facts }) => {
  const [old, recent] = [hoursOf('2025-01-31', 1), hoursOf('2025-02-01', 2)]
  await put(facts, 5, { '2025-01-31': old, '2025-02-01': recent })
  await facts.forgetHours('2025-02-01')
  await facts.forgetHours('2025-02-01')
  expect(await facts.ask(hourTotals, { property: 5, from: '2025-01-01', to: '2025-03-01' })).toEqual(recent)
  expect(await rows(store, 5)).toBe(recent.length)
  expect(await facts.ask(settledProperties, store.lastLoad() + 1)).toContain(5)
  await facts.drop([5])
  expect(await rows(store, 5)).toBe(0)
  expect(await facts.ask(settledProperties, store.lastLoad() + 1)).not.toContain(5)
})
