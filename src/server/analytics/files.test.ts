import { expect, test } from 'vitest'
import { readCsv } from '../../../test/support/csv.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import { TooMuchAtOnce } from '../platform/clickhouse/clickhouse-errors.ts'
import { reportFile } from './files.ts'

const about = { property: 'sc-domain:lamps.example', report: 'pages', period: { start: '2026-03-09', end: '2026-03-15' } }

/** A file over this many numbered rows, and the chunks it requested. */
function fileOf(count: number, fits: (part: Part) => boolean = () => true) {
  const asked: Part[] = []
  const file = reportFile<number>(
    about,
    ['row'],
    (row) => [[row]],
    async (part) => {
      asked.push(part)
      if (!fits(part)) throw new TooMuchAtOnce()
      return Array.from({ length: Math.max(0, Math.min(part.limit, count - part.offset)) }, (_, i) => part.offset + i)
    },
  )
  return { asked, file }
}

test.each([0, 1, 5_000, 12_000])('a file of %i rows has each of them once', async (count) => {
  const { file } = fileOf(count)
  let text = ''
  for await (const piece of file.pieces) text += piece
  expect(readCsv(text.slice(1)).slice(1)).toEqual(Array.from({ length: count }, (_, i) => [String(i)]))
  expect(file.fileName).toBe('ranklark-lamps.example-pages-2026-03-09-2026-03-15.csv')
})

test('an aborted download requests no more rows', async () => {
  const { asked, file } = fileOf(100_000)
  let text = ''
  for await (const piece of file.pieces) {
    text += piece
    if (text.includes('5000')) break
  }
  expect(asked).toHaveLength(2)
})

test('rows with names so long that a part does not fit are read in smaller parts; none is missing', async () => {
  const { asked, file } = fileOf(12_000, ({ limit, offset }) => offset >= 10_000 || offset + limit <= 5_000 || limit <= 400)
  let text = ''
  for await (const piece of file.pieces) text += piece
  expect(readCsv(text.slice(1)).slice(1)).toEqual(Array.from({ length: 12_000 }, (_, i) => [String(i)]))
  expect(asked.slice(0, 4).map(({ limit }) => limit)).toEqual([5_000, 5_000, 1_250, 313])
})

test('a file of which not even a few rows fit ends with the reason', async () => {
  const { file } = fileOf(10, () => false)
  await expect(Array.fromAsync(file.pieces)).rejects.toBeInstanceOf(TooMuchAtOnce)
})
