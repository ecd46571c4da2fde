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

test('final data ends two or three days ago, and both occur', async () => {
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

test('today grows by the hour', async () => {
  const ask = { startDate: '2026-07-15', endDate: '2026-07-15', dimensions: ['date'], dataState: 'all' }
  const morning = sum(await on('2026-07-15T08:00:00-07:00', ask), 'impressions')
  const evening = sum(await on('2026-07-15T20:00:00-07:00', ask), 'impressions')
  expect(morning).toBeGreaterThan(0)
  expect(evening).toBeGreaterThan(morning)
})

test('hours add up to their day, carry an offset, end a few hours ago and reach about ten days back', async () => {
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
  expect(keys.at(-1)).toBe('2026-03-10T12:00:00-07:00')
  await bench.control('PUT', 'today', { today: '2026-07-15' })
  const { body } = await bench.query(SHOP, {
    ...recent,
    startDate: '2026-06-01',
    dimensions: ['hour'],
    dataState: 'hourly_all',
    rowLimit: 25_000,
  })
  expect(body.rows?.[0]?.keys?.[0]).toBe('2026-07-05T00:00:00-07:00')
  // At noon, hours that ended at 7:00 or later are still being counted.
  expect(body.metadata).toEqual({ firstIncompleteHour: '2026-07-15T06:00:00-07:00' })
  const past = { dimensions: ['hour'], dataState: 'hourly_all', endDate: '2026-07-14', startDate: '2026-07-10' }
  expect((await bench.query(SHOP, past)).body).not.toHaveProperty('metadata')
})

test('hours of every kind add up to their total, even on the day with 25 hours', { tags: ['full'] }, async () => {
  await bench.control('PUT', 'today', { today: '2025-11-03T09:00:00-08:00' })
  const ask = { startDate: '2025-10-31', endDate: '2025-11-03', rowLimit: 25_000 }
  const rowsOf = async (dataState: string, dimensions: string[]): Promise<Row[]> =>
    (await bench.query(SHOP, { ...ask, dataState, dimensions })).body.rows ?? []
  for (const cut of [[], ['device'], ['country'], ['page'], ['query'], ['page', 'device']]) {
    const days = await rowsOf('all', ['date', ...cut])
    const hours = await rowsOf('hourly_all', ['hour', ...cut])
    expect(byDay(hours)).toEqual(byDay(days))
  }
  const autumn = (await rowsOf('hourly_all', ['hour'])).map((row) => row.keys?.[0] ?? '').filter((key) => key.startsWith('2025-11-02'))
  expect(autumn).toHaveLength(25)
  expect(autumn.slice(1, 3)).toEqual(['2025-11-02T01:00:00-07:00', '2025-11-02T01:00:00-08:00'])
  expect(hourly(await rowsOf('hourly_all', ['hour']))).toEqual(hourly(await rowsOf('hourly_all', ['hour', 'device'])))
})

/** Clicks, impressions and position sums, grouped by what `keyOf` returns for a row's first key and the others. */
function sumsBy(rows: readonly Row[], keyOf: (first: string, others: readonly string[]) => string): Record<string, number[]> {
  const sums: Record<string, number[]> = {}
  for (const { keys: [first = '', ...others] = [], clicks, impressions, position = 0 } of rows) {
    const [c = 0, i = 0, p = 0] = sums[keyOf(first, others)] ?? []
    sums[keyOf(first, others)] = [c + clicks, i + impressions, p + Math.round(position * impressions)]
  }
  return sums
}
const byDay = (rows: readonly Row[]) => sumsBy(rows, (first, others) => [first.slice(0, 10), ...others].join(' '))
const hourly = (rows: readonly Row[]) => sumsBy(rows, (first) => first)

test('an hour only grows, and keeps what it has while later ones arrive; nights are quiet', async () => {
  const ask = { startDate: '2026-07-15', endDate: '2026-07-15', dimensions: ['hour'], dataState: 'hourly_all' }
  const seen: Map<string, number>[] = []
  for (const moment of ['2026-07-15T09:00:00-07:00', '2026-07-15T10:00:00-07:00', '2026-07-16T02:00:00-07:00', '2026-07-20']) {
    await bench.control('PUT', 'today', { today: moment })
    seen.push(new Map(((await bench.query(SHOP, ask)).body.rows ?? []).map((row) => [row.keys?.[0] ?? '', row.impressions])))
  }
  const [morning, later, night, final] = seen
  for (const [before, after] of [
    [morning, later],
    [later, night],
    [night, final],
  ]) {
    let [grown, moved] = [0, 0]
    for (const [key, impressions] of before ?? []) {
      grown += Math.max(0, (after?.get(key) ?? 0) - impressions)
      moved += Math.max(0, impressions - (after?.get(key) ?? 0))
    }
    expect(grown).toBeGreaterThan(0)
    // A few events move an hour earlier once more of their row is known.
    expect(moved).toBeLessThan(0.03 * [...(before?.values() ?? [])].reduce((total, each) => total + each, 0))
  }
  const at = (hour: string): number => final?.get(`2026-07-15T${hour}:00:00-07:00`) ?? 0
  expect(at('12') + at('13')).toBeGreaterThan(2 * (at('18') + at('19')))
})

test('hours can be made to fall or rise from one on; the final day confirms or reverts it', async () => {
  const day = { startDate: '2026-07-15', endDate: '2026-07-15' }
  const shown = async (until: string | null): Promise<number> => {
    const rows = (await bench.query(SHOP, { ...day, dimensions: ['hour'], dataState: 'hourly_all' })).body.rows ?? []
    return sum(
      rows.filter((row) => until === null || (row.keys?.[0] ?? '') < until),
      'impressions',
    )
  }
  const total = async (dataState: string): Promise<number> => sum((await bench.query(SHOP, { ...day, dataState })).body.rows, 'impressions')
  const ten = '2026-07-15T10:00:00-07:00'
  await bench.control('PUT', 'today', { today: '2026-07-15T22:00:00-07:00' })
  const [usualBefore, usual] = [await shown(ten), await shown(null)]
  for (const final of ['confirms', 'withdraws']) {
    await bench.control('PUT', 'today', { today: '2026-07-15T22:00:00-07:00' })
    await bench.control('PUT', 'hours', { site: SHOP, changes: [{ from: ten, factor: 0.2, final }] })
    expect(Math.abs((await shown(ten)) - usualBefore)).toBeLessThan(0.02 * usualBefore)
    const rest = usual - usualBefore
    expect(Math.abs((await shown(null)) - (await shown(ten)) - 0.2 * rest)).toBeLessThan(0.03 * usual)
    expect(await total('all')).toBe(await shown(null))
    await bench.control('PUT', 'today', { today: '2026-07-20' })
    expect(await total('final')).toBe(await shown(null))
    const [least, most] = final === 'confirms' ? [0, 0.8 * usual] : [usual, 2 * usual]
    expect(await total('final')).toBeGreaterThan(least ?? 0)
    expect(await total('final')).toBeLessThan(most ?? 0)
  }
  await bench.control('PUT', 'hours', { site: SHOP, changes: [] })
  const whole = await total('final')
  await bench.control('PUT', 'hours', { site: SHOP, changes: [{ from: ten, until: '2026-07-15T12:00:00-07:00', factor: 3 }] })
  expect((await total('final')) / whole).toBeGreaterThan(1.1)
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
