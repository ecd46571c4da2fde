import { expect, test } from 'vitest'
import { csvFile } from './csv-file.ts'

test('a file starts with the UTF-8 byte order mark and its header, and comes in chunks', async () => {
  async function* batches() {
    yield [['2026-03-18', 1]]
    yield []
    yield [
      ['2026-03-19', 2],
      ['2026-03-20', 3],
    ]
  }
  const pieces: string[] = []
  for await (const piece of csvFile(['date', 'clicks'], batches())) pieces.push(piece)
  expect(pieces).toEqual(['\uFEFFdate,clicks\r\n', '2026-03-18,1\r\n', '2026-03-19,2\r\n2026-03-20,3\r\n'])
})
