import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCsv } from '../../test/support/csv.ts'
import { type CsvCell, csvLine } from './csv.ts'

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
    ['\tname', `"'\tname"\r\n`],
    ['\t=1', `"'\t'=1"\r\n`],
    ['\r=1', `"'\r'=1"\r\n`],
    [' =1', `" '=1"\r\n`],
    ['\u00A0\u3000+1', `"\u00A0\u3000'+1"\r\n`],
    ['\uFEFF=1', `"\uFEFF'=1"\r\n`],
    ['\u200B\u2060\u00AD\u200E@a', "\u200B\u2060\u00AD\u200E'@a\r\n"],
    ['\u3164\uFE0F=1', "\u3164\uFE0F'=1\r\n"],
    ['\0\u001B=1', "\0\u001B'=1\r\n"],
    ['＝1+1', "'＝1+1\r\n"],
    ['＋1', "'＋1\r\n"],
    ['－1', "'－1\r\n"],
    ['＠a', "'＠a\r\n"],
    ['﹦1', "'﹦1\r\n"],
    ['a=b', 'a=b\r\n'],
    ['a -b', 'a -b\r\n'],
    ["'quoted", "'quoted\r\n"],
  ])('%j', (text, line) => {
    expect(csvLine([text])).toBe(line)
  })

  test.each([
    ['x;=1+1;y', `"x;'=1+1;y"\r\n`],
    ['x\t@a', `"x\t'@a"\r\n`],
    ['x; ＝1', `"x; '＝1"\r\n`],
    ['x\n-1', `"x\n'-1"\r\n`],
    ['x;"=1', `"x;""'=1"\r\n`],
    ['a;b', '"a;b"\r\n'],
    ['a\tb', '"a\tb"\r\n'],
  ])('also with other separators: %j', (text, line) => {
    expect(csvLine([text])).toBe(line)
  })

  test('whatever the text, and whichever separator a spreadsheet uses', () => {
    const sign = '=+-@＝＋－＠'
    const unseen = ' \t\r\n\0\u00A0\u200B\u2060\uFEFF"'
    const text = fc.string({ unit: fc.constantFrom(...sign, ...unseen, ',', ';', 'a', "'"), maxLength: 10 })
    const begins = (cell: string) => [...cell].find((letter) => !unseen.includes(letter)) ?? 'nothing'
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
        const line = csvLine(cells)
        // Split at commas, as the format says; at the other separators ignoring quotes, which mean nothing there within a cell.
        for (const cell of [...(readCsv(line)[0] ?? []), ...line.split(/[;\t\r\n]/)]) expect(sign).not.toContain(begins(cell))
      }),
      { numRuns: 2000 },
    )
  })

  test('but a negative number stays a number', () => {
    expect(csvLine([-3, -0.25])).toBe('-3,-0.25\r\n')
  })

  test('an invalid number is left empty', () => {
    expect(csvLine([Number.NaN, Number.POSITIVE_INFINITY, 7])).toBe(',,7\r\n')
  })
})

test('everything written is read back, minus the apostrophes', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\r', '\n', ' ', '=', '-', "'", 'é', '\t'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
      const back = readCsv(rows.map(csvLine).join(''))
      const bare = (cells: readonly string[][]) => cells.map((row) => row.map((text) => text.replaceAll("'", '')))
      expect(bare(back)).toEqual(bare(rows))
      // Only a formula's first character, or a tab or line end at the start, gets one.
      const plain = rows.map((row) => row.map((text) => !/[=-]|^[\t\r\n]/.test(text)))
      const those = (cells: readonly string[][]) => cells.map((row, at) => row.filter((_text, column) => plain[at]?.[column]))
      expect(those(back)).toEqual(those(rows))
    }),
  )
})
