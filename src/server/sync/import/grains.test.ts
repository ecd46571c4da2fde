import { expect, test } from 'vitest'
import type { FactRow, Load } from '../../facts/load.ts'
import { createGrainWriter } from './grains.ts'
import type { ImportedRow } from './rows.ts'

type Written = { rows: number; months: Map<string, number> }

/** A writer of pages, what it writes and the clicks in it. */
function pagesWriter() {
  const written: Written[] = []
  const seen: number[][] = []
  let clicks = 0
  const write = async (_grain: string, rows: readonly FactRow[]) => {
    const months = new Map<string, number>()
    for (const { date } of rows) months.set(date.slice(0, 7), (months.get(date.slice(0, 7)) ?? 0) + 1)
    written.push({ rows: rows.length, months })
    clicks += rows.reduce((sum, row) => sum + row.clicks, 0)
  }
  const load = { write } as Partial<Load> as Load
  const writer = createGrainWriter(load, ['page'], ['page'], (months) => seen.push([...months]))
  return { writer, written, seen, clicks: () => clicks }
}

const row = (date: string, page: string, impressions = 2): ImportedRow => ({
  date,
  searchType: 'web',
  values: [page],
  clicks: 1,
  impressions,
  position: 3,
})
const month = (at: number) => `${2001 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`

test(
  'if days of many months are scattered among those of one, it is written first, the others once they fill the memory',
  { tags: ['full'] },
  async () => {
    const { writer, written, seen, clicks } = pagesWriter()
    const rows = Array.from({ length: 200_000 }, (_, at) =>
      at % 10 === 0 ? row(`${month((at / 10) % 250)}-01`, `/${at}`) : row(`2026-07-${String((at % 28) + 1).padStart(2, '0')}`, `/${at}`),
    )
    await writer.add(rows)
    const meanwhile = [...written]
    await writer.finish()
    expect(meanwhile.length).toBeGreaterThan(2)
    for (const { rows: count, months } of meanwhile) {
      expect(count).toBeGreaterThanOrEqual(25_000)
      expect([...months.keys()]).toEqual(['2026-07'])
    }
    expect(seen).toEqual(written.map(({ months }) => [...months.values()]))
    expect(clicks()).toBe(rows.length)
  },
)

test('in a file sorted by day, only a month that does not fit into memory is split', async () => {
  const { writer, written } = pagesWriter()
  const rowsOf = (at: number, count: number) =>
    Array.from({ length: count }, (_, i) => row(`${month(at)}-${String(Math.floor((i * 28) / count) + 1).padStart(2, '0')}`, `/${i}`))
  for (let at = 0; at < 20; at += 1) await writer.add(rowsOf(at, 8_000))
  await writer.add(rowsOf(20, 120_000))
  await writer.finish()
  const pieces = Map.groupBy(
    written.flatMap(({ months }) => [...months.keys()]),
    (each) => each,
  )
  expect([...pieces].filter(([, { length }]) => length > 1).map(([each]) => each)).toEqual([month(20)])
  expect(written.length).toBeLessThan(12)
})

test('rows whose sum exceeds what the store can hold are written together, not one by one', async () => {
  const { writer, written, clicks } = pagesWriter()
  await writer.add(Array.from({ length: 2_000 }, () => row('2026-07-01', '/', 4_000_000_000)))
  await writer.finish()
  expect(written.map(({ rows }) => rows)).toEqual([2_000])
  expect(clicks()).toBe(2_000)
})
