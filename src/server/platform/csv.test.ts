import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCsv } from '../../../test/support/csv.ts'
import { csvFile, type CsvCell, csvLine } from './csv.ts'

describe('a line', () => {
  test.each<[CsvCell[], string]>([
    [['a', 'b', 1, 0.5], 'a,b,1,0.5\r\n'],
    [['', null, 0], ',,0\r\n'],
    [['one, two', 'say "so"', 'two\nlines', 'cr\rlf'], '"one, two","say ""so""","two\nlines","cr\rlf"\r\n'],
    [[' blank before', 'blank after '], '" blank before","blank after "\r\n'],
    [['Größe', '日本語', '🍞'], 'Größe,日本語,🍞\r\n'],
  ])('%j', (cells, line) => {
    expect(csvLine(cells)).toBe(line)
  })
})

describe('text that a spreadsheet would calculate is shown instead', () => {
  test.each([
    ['=1+1', "'=1+1\r\n"],
    ['=HYPERLINK("https://evil.example","click")', `"'=HYPERLINK(""https://evil.example"",""click"")"\r\n`],
    ['+49 30 1234', "'+49 30 1234\r\n"],
    ['-site:example.com', "'-site:example.com\r\n"],
    ['@handle', "'@handle\r\n"],
    ['\t=1', "'\t=1\r\n"],
    ['\r=1', `"'\r=1"\r\n`],
    ['a=b', 'a=b\r\n'],
    ["'quoted", "'quoted\r\n"],
  ])('%j', (text, line) => {
    expect(csvLine([text])).toBe(line)
  })

  test('but a negative number is a number', () => {
    expect(csvLine([-3, -0.25])).toBe('-3,-0.25\r\n')
  })

  test('a number that is none is left empty', () => {
    expect(csvLine([Number.NaN, Number.POSITIVE_INFINITY, 7])).toBe(',,7\r\n')
  })
})

test('whatever is written is read back, less the apostrophe', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', '=', '-', "'", 'é', '\t'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
      const back = readCsv(rows.map(csvLine).join(''))
      expect(back).toEqual(rows.map((row) => row.map((text) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text))))
    }),
  )
})

test('a file begins with the mark of UTF-8 and its header, and comes in pieces', async () => {
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
