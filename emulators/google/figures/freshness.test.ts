import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBench, SHOP, sum } from '../testing.ts'
import type { Bench, Row } from '../testing.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(() => bench.control('POST', 'reset', { keepTokens: true }))
afterAll(() => bench.google.close())

const recent = { startDate: '2026-07-01', endDate: '2026-07-31', dimensions: ['date'] }

async function on(today: string, body: Record<string, unknown>): Promise<Row[]> {
  await bench.control('PUT', 'today', { today })
  return (await bench.query(SHOP, body)).body.rows ?? []
}

test('final data ends two or three days ago, and both happen', async () => {
  const lags = new Set<number>()
  for (let day = 10; day < 30; day++) {
    const last = (await on(`2026-07-${day}`, recent)).at(-1)?.keys?.[0] ?? ''
    lags.add(day - Number(last.slice(8)))
  }
  expect([...lags].toSorted()).toEqual([2, 3])
})

test('data of every state goes up to today, and says from when on it is incomplete', async () => {
  await bench.control('PUT', 'today', { today: '2026-07-15' })
  const { body } = await bench.query(SHOP, { ...recent, dataState: 'all' })
  const final = (await bench.query(SHOP, recent)).body
  expect(body.rows?.at(-1)?.keys?.[0]).toBe('2026-07-15')
  const lastFinal = final.rows?.at(-1)?.keys?.[0] ?? ''
  expect(body.metadata?.firstIncompleteDate).toBe(`2026-07-${Number(lastFinal.slice(8)) + 1}`)
  expect(body.rows?.slice(0, final.rows?.length)).toEqual(final.rows)
  expect(final).not.toHaveProperty('metadata')
  expect((await bench.query(SHOP, { ...recent, endDate: '2026-07-05', dataState: 'all' })).body).not.toHaveProperty('metadata')
})

test('a recent day grows from day to day until it is final, and then never changes', async () => {
  const ask = { startDate: '2026-07-15', endDate: '2026-07-15', dimensions: ['date'], dataState: 'all' }
  const seen: number[] = []
  for (const today of ['2026-07-15', '2026-07-16', '2026-07-17', '2026-07-18', '2026-07-19', '2026-08-20']) {
    seen.push(sum(await on(today, ask), 'impressions'))
  }
  const [first = 0, second = 0, third = 0, ...settled] = seen
  expect(first).toBeLessThan(second)
  expect(second).toBeLessThan(third)
  expect(new Set(settled).size).toBe(1)
  expect(third).toBeLessThanOrEqual(settled[0] ?? 0)
  expect(sum(await on('2026-07-16', ask), 'impressions')).toBe(second)
})

test('today grows with the hours', async () => {
  const ask = { startDate: '2026-07-15', endDate: '2026-07-15', dimensions: ['date'], dataState: 'all' }
  const morning = sum(await on('2026-07-15T08:00:00-07:00', ask), 'impressions')
  const evening = sum(await on('2026-07-15T20:00:00-07:00', ask), 'impressions')
  expect(morning).toBeGreaterThan(0)
  expect(evening).toBeGreaterThan(morning)
})

test('hours add up to their day, carry an offset, and reach about ten days back', async () => {
  const ask = { startDate: '2026-03-07', endDate: '2026-03-10', rowLimit: 25_000 }
  const hours = await on('2026-03-10T15:00:00-07:00', { ...ask, dimensions: ['HOUR'], dataState: 'HOURLY_ALL' })
  const days = await on('2026-03-10T15:00:00-07:00', { ...ask, dimensions: ['date'], dataState: 'all' })
  const keys = hours.map((row) => row.keys?.[0] ?? '')
  expect(keys.slice(0, 2)).toEqual(['2026-03-07T00:00:00-08:00', '2026-03-07T01:00:00-08:00'])
  expect(keys.filter((key) => key.startsWith('2026-03-08'))).toHaveLength(23)
  expect(keys).toContain('2026-03-08T03:00:00-07:00')
  for (const day of days) {
    const own = hours.filter((row) => row.keys?.[0]?.startsWith(day.keys?.[0] ?? '-'))
    expect([sum(own, 'clicks'), sum(own, 'impressions')]).toEqual([day.clicks, day.impressions])
  }
  expect(keys.at(-1)).toBe('2026-03-10T14:00:00-07:00')
  await bench.control('PUT', 'today', { today: '2026-07-15' })
  const { body } = await bench.query(SHOP, {
    ...recent,
    startDate: '2026-06-01',
    dimensions: ['hour'],
    dataState: 'hourly_all',
    rowLimit: 25_000,
  })
  expect(body.rows?.[0]?.keys?.[0]).toBe('2026-07-05T00:00:00-07:00')
  expect(body.metadata?.firstIncompleteHour).toMatch(/^2026-07-1[34]T00:00:00-07:00$/)
})

test('a property can be kept late, and a day be revised more than once or shrink', async () => {
  await bench.control('PUT', 'today', { today: '2026-07-15' })
  await bench.control('PUT', 'late', { site: SHOP, days: 6 })
  expect((await bench.query(SHOP, recent)).body.rows?.at(-1)?.keys?.[0]).toBe('2026-07-09')
  const one = { startDate: '2026-07-03', endDate: '2026-07-03' }
  const clicks = async (): Promise<number> => sum((await bench.query(SHOP, one)).body.rows, 'clicks')
  const before = await clicks()
  await bench.control('POST', 'revise', { site: SHOP, date: '2026-07-03', factor: 1.5 })
  expect(Math.abs((await clicks()) / before - 1.5)).toBeLessThan(0.1)
  await bench.control('POST', 'revise', { site: SHOP, date: '2026-07-03', factor: 0.5 })
  expect(Math.abs((await clicks()) / before - 0.5)).toBeLessThan(0.1)
  await bench.control('POST', 'revise', { site: SHOP, date: '2026-07-03', rows: 40 })
  expect((await bench.query(SHOP, { ...one, dimensions: ['query', 'page'] })).body.rows?.length).toBeLessThanOrEqual(40)
  await bench.control('POST', 'revise', { site: SHOP, date: '2026-07-03' })
  expect(await clicks()).toBe(before)
})
