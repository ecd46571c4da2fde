import { expect, test } from 'vitest'
import { readCsv } from '../../../test/support/csv.ts'
import type { Part } from '../facts/questions/window-columns.ts'
import { reportFile } from './files.ts'

const about = { property: 'sc-domain:lamps.example', report: 'pages', period: { start: '2026-03-09', end: '2026-03-15' } }

/** A file over so many numbered rows, with the parts it asked for. */
function fileOf(count: number) {
  const asked: Part[] = []
  const file = reportFile<number>(
    about,
    ['row'],
    (row) => [[row]],
    async (part) => {
      asked.push(part)
      return Array.from({ length: Math.max(0, Math.min(part.limit, count - part.offset)) }, (_, i) => part.offset + i)
    },
  )
  return { asked, file }
}

test.each([0, 1, 5_000, 12_000])('a file of %i rows holds each of them once', async (count) => {
  const { file } = fileOf(count)
  let text = ''
  for await (const piece of file.pieces) text += piece
  expect(readCsv(text.slice(1)).slice(1)).toEqual(Array.from({ length: count }, (_, i) => [String(i)]))
  expect(file.fileName).toBe('ranklark-sc-domain_lamps.example-pages-2026-03-09-2026-03-15.csv')
})

test('a download that is broken off asks for no more rows', async () => {
  const { asked, file } = fileOf(100_000)
  let text = ''
  for await (const piece of file.pieces) {
    text += piece
    if (text.includes('5000')) break
  }
  expect(asked).toHaveLength(2)
})
