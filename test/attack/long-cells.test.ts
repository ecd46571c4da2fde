import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { bulkLayout } from '../../src/server/sync/import/bulk/layout.ts'
import { createBulkReader } from '../../src/server/sync/import/bulk/rows.ts'
import { recognizeTable } from '../../src/server/sync/import/file/columns.ts'
import { readDate } from '../../src/server/sync/import/file/dates.ts'
import { createRowReader } from '../../src/server/sync/import/rows.ts'
import { problemOf, rowsOf, today } from '../support/import-files.ts'

// A file whose cells hold a hundred thousand characters around a valid value: recognizing them must not keep everybody waiting. What is
// counted is the work, which doesn't depend on the machine: the characters that texts are normalized, replaced and split by.

const file = undefined
const dated = {
  headers: ['date', 'site', 'query', 'page', 'country', 'device', 'search type', 'clicks', 'impressions', 'ctr', 'position'],
  row: ['1 Jul 2024', 'a.example', 'q', 'https://a.example/', 'usa', 'MOBILE', 'web', '0', '1', '0%', '1'],
}
const site = {
  headers: [
    'data_date',
    'site_url',
    'query',
    'is_anonymized_query',
    'country',
    'search_type',
    'device',
    'impressions',
    'clicks',
    'sum_top_position',
  ],
  row: ['2024-07-01', 'a.example', 'q', 'false', 'usa', 'WEB', 'MOBILE', '1', '0', '0'],
}
const url = {
  headers: [
    'data_date',
    'site_url',
    'url',
    'query',
    'is_anonymized_query',
    'country',
    'search_type',
    'device',
    'impressions',
    'clicks',
    'sum_position',
  ],
  row: ['2024-07-01', 'a.example', 'https://a.example/', 'q', 'false', 'usa', 'WEB', 'MOBILE', '1', '0', '0'],
}

type Read = (fields: string[]) => unknown
const readersOf: Record<string, { headers: string[]; row: string[]; reader(): Read }> = {
  'a table by date': {
    ...dated,
    reader() {
      const table = recognizeTable({ line: 1, fields: dated.headers }, { line: 2, fields: dated.row })
      if (table.kind !== 'dated') throw new Error(`a table of the kind ${table.kind}`)
      const read = createRowReader({ layout: table.layout, searchType: 'web', dateOrder: undefined, today, file })
      return (fields) => read({ line: 2, fields })
    },
  },
  'a bulk export by site': { ...site, reader: () => bulkReader(site.headers) },
  'a bulk export by URL': { ...url, reader: () => bulkReader(url.headers) },
}
function bulkReader(headers: string[]): Read {
  const layout = bulkLayout(headers)
  if (!layout) throw new Error('not a bulk export')
  const read = createBulkReader(layout, { today, file, seen: { site: undefined } })
  return (fields) => read({ line: 2, fields })
}

const asked = ['normalize', 'replace', 'split', 'match', 'toLowerCase'] as const
/** Characters that passed through functions that go through the whole of a text. */
function lettersReadBy(read: Read, fields: string[]): number {
  let letters = 0
  const spies = asked.map((name) => {
    const usual = String.prototype[name] as (...given: unknown[]) => unknown
    return vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...given: unknown[]) {
      letters += this.length
      return usual.apply(this, given) as never
    })
  })
  try {
    read(fields)
  } catch {
    // Refused, which may take as little as the row.
  }
  for (const spy of spies) spy.mockRestore()
  return letters
}

const paddings: readonly (readonly [name: string, text: string])[] = [
  ['words', 'a '],
  ['letters with accents', 'é '],
  // NFKC makes eighteen of it, in four words.
  ['letters that become four words', '\ufdfa'],
  ['full stops', '.'],
  ['marks that become four', '\u2057'],
  ['marks that are left out', '\u200e'],
  ['digits', '1'],
  ['spaces between', ' \u200e'],
]

describe.for(Object.entries(readersOf))('every column of %s', ([, { headers, row, reader }]) => {
  // The names of months and countries are prepared once.
  beforeAll(() => {
    for (const first of [row[0], '1 Jul 2024']) reader()(row.with(0, String(first)))
  })

  test.for(paddings)('takes no more work for 130,000 characters than for a few: %s', ([, padding]) => {
    const long = padding.repeat(130_000 / padding.length)
    const work = headers.flatMap((name, column) =>
      [row[column] + long, row[column] + ' ' + long, long + row[column]].map((cell) => ({
        name,
        letters: lettersReadBy(reader(), row.with(column, cell)),
      })),
    )
    expect(lettersReadBy(reader(), row)).toBeLessThan(1_000)
    expect(work.filter(({ letters }) => letters > 1_000)).toEqual([])
  })

  test('takes a bounded amount of work at the longest that it may be', () => {
    const longest = (cell: string) => (cell + ' ' + '\ufdfa'.repeat(200)).slice(0, 200)
    const work = row.map((cell, column) => lettersReadBy(reader(), row.with(column, longest(cell))))
    expect(Math.max(...work)).toBeLessThan(40_000)
  })
})

describe('two hundred columns', () => {
  // Each is looked at for what it may be: a dimension, a metric, a span, or a column of a bulk export.
  const lettersReadOf = (name: (at: number) => string) => {
    const headers = ['date', 'clicks', 'impressions', 'ctr', 'position', ...Array.from({ length: 195 }, (_, at) => name(at))]
    return lettersReadBy(() => recognizeTable({ line: 1, fields: headers }, { line: 2, fields: dated.row }), [])
  }

  test('take no work if their names are longer than any known', () => {
    expect(lettersReadOf((at) => `${at}${'\ufdfa'.repeat(190)}`)).toBeLessThan(2_000)
  })

  test.for([
    ['that become eighteen', '\ufdfa'],
    ['with accents', 'é'],
  ] as const)('are folded a few times each, however often they are asked about: letters %s', ([, letter]) => {
    expect(lettersReadOf((at) => `${at}${letter.repeat(90)}`)).toBeLessThan(195 * 2_000)
    // The next table of an upload has the same.
    expect(lettersReadOf((at) => `${at}${letter.repeat(90)}`)).toBeLessThan(2_000)
  })
})

test('a text of many words is not a date, and each word is looked at only once', () => {
  const words = Array.from({ length: 40 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(' ')
  let reading: unknown
  expect(lettersReadBy(([cell = '']) => (reading = readDate(cell)), [`1 Jul 2024 ${words}`])).toBeLessThan(1_000)
  expect(reading).toEqual({ kind: 'none' })
  expect(readDate('quarta-feira, 25 de setembro de 2024')).toEqual({ kind: 'day', date: '2024-09-25' })
})

describe('a long cell', () => {
  const row = (column: number, cell: string): string => dated.row.with(column, cell).join(',')

  test.for([
    [0, 'date'],
    [4, 'country'],
    [5, 'device'],
    [6, 'search type'],
    [7, 'number of clicks'],
    [8, 'number of impressions'],
    [9, 'CTR'],
    [10, 'position'],
  ] as const)('is refused with its line and column: %s %s', async ([column, name]) => {
    const cell = dated.row[column] + '\u200e'.repeat(200)
    expect(await problemOf([dated.headers.join(','), dated.row.join(','), row(column, cell)].join('\n'))).toEqual({
      message: `The ${name} is longer than 200 characters`,
      line: 3,
    })
  })

  test('of spaces around a value is read, as from a program that aligns columns', async () => {
    const spaces = ' '.repeat(300)
    const rows = await rowsOf([dated.headers.join(','), dated.row.map((cell) => spaces + cell + spaces).join(',')].join('\n'))
    expect(rows).toMatchObject([{ date: '2024-07-01', impressions: 1 }])
  })

  test('is refused when only the days of a file are looked at to see which comes first, day or month', async () => {
    const days = ['01/02/2024', '02/02/2024', `03/02/2024${'\ufdfa'.repeat(100_000)}`]
    const lines = days.map((day) => `${day},1,10,5`)
    // The beginning of a file says nothing about the order: fifty rows and more.
    const text = ['date,clicks,impressions,position', ...Array(60).fill(lines[0]), ...lines].join('\n')
    expect(await problemOf(text)).toEqual({ message: 'The date is longer than 200 characters', line: 64 })
  })
})

describe('rows that take a while each', () => {
  test.for([
    ['by date', ['date,query,clicks,impressions,position', (at: number) => `2024-07-01,q${at},1,10,5`]],
    ['of a bulk export', ['data_date,query,clicks,impressions,sum_position', (at: number) => `2024-07-01,q${at},1,10,5`]],
    [
      'whose first days are ambiguous',
      ['date,query,clicks,impressions,position', (at: number) => `${at < 999 ? '01/02' : '28/02'}/2024,q${at},1,10,5`],
    ],
  ] as const)('are read in turns with other requests: %s', async ([, [header, row]]) => {
    // Each look at the clock is a millisecond later.
    let [ms, since, longest] = [0, 0, 0]
    vi.spyOn(performance, 'now').mockImplementation(() => {
      ms += 1
      longest = Math.max(longest, ms - since)
      return ms
    })
    onTestFinished(() => void vi.restoreAllMocks())
    let next = setImmediate(function turn() {
      since = ms
      next = setImmediate(turn)
    })
    const rows = await rowsOf([header, ...Array.from({ length: 1_000 }, (_, at) => row(at))].join('\n'))
    clearImmediate(next)
    expect(rows).toHaveLength(1_000)
    expect(ms).toBeGreaterThanOrEqual(1_000)
    expect(longest).toBeLessThan(30)
  })
})
