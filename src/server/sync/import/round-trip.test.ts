import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { rowsOf, today } from '../../../../test/support/import-files.ts'

/** How a country writes its tables. */
const locale = fc.record({
  decimal: fc.constantFrom('.', ','),
  group: fc.constantFrom('', '\u202f', '\u00a0', "'", 'other mark'),
  delimiter: fc.constantFrom(',', ';', '\t'),
  newline: fc.constantFrom('\n', '\r\n', '\r'),
  percent: fc.constantFrom('#%', '# %', '%#', '#\u00a0%'),
  date: fc.constantFrom('iso', 'dots', 'slashes'),
  words: fc.constantFrom(
    ['Date', 'Query', 'Clicks', 'Impressions', 'CTR', 'Position'],
    ['Datum', 'Suchanfrage', 'Klicks', 'Impressionen', 'CTR', 'Position'],
  ),
  bom: fc.boolean(),
  finalNewline: fc.boolean(),
})
type Locale = typeof locale extends fc.Arbitrary<infer T> ? T : never

const query = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '')
const row = fc
  .record({
    day: fc.integer({ min: 0, max: 700 }),
    query,
    impressions: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 1_000_000_000 })),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    // Hundredths, as Search Console writes them.
    position: fc.integer({ min: 100, max: 12_000 }),
  })
  .map(({ day, query: text, impressions, share, position }) => ({
    query: text,
    impressions,
    date: new Date(Date.parse(today) - day * 86_400_000).toISOString().slice(0, 10),
    clicks: Math.floor(impressions * share),
    position: impressions === 0 ? 0 : position / 100,
  }))
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never

function write(rows: Row[], { decimal, group, delimiter, newline, percent, date, words, bom, finalNewline }: Locale): string {
  const thousands = group === 'other mark' ? (decimal === '.' ? ',' : '.') : group
  const quote = (text: string): string =>
    /["\n\r]/.test(text) || text.includes(delimiter) || text.startsWith(' ') ? `"${text.replaceAll('"', '""')}"` : text
  const count = (value: number): string => quote(String(value).replace(/\B(?=(\d{3})+$)/g, thousands))
  const number = (value: number): string => String(value).replace('.', decimal)
  const day = (iso: string): string => {
    const [y, m, d] = iso.split('-')
    return date === 'iso' ? iso : date === 'dots' ? `${d}.${m}.${y}` : `${y}/${Number(m)}/${Number(d)}`
  }
  const lines = rows.map((each) => [
    day(each.date),
    quote(each.query),
    count(each.clicks),
    count(each.impressions),
    quote(percent.replace('#', number(each.impressions === 0 ? 0 : Math.round((each.clicks / each.impressions) * 10_000) / 100))),
    quote(number(each.position)),
  ])
  return (bom ? '\ufeff' : '') + [words, ...lines].map((cells) => cells.join(delimiter)).join(newline) + (finalNewline ? newline : '')
}

it('rows written in any of these formats are read back unchanged', async () => {
  const distinct = fc.uniqueArray(row, { minLength: 1, maxLength: 40, selector: ({ date, query: text }) => `${date} ${text}` })
  await fc.assert(
    fc.asyncProperty(distinct, locale, async (rows, form) => {
      // Files with days whole weeks or months apart are refused on purpose: two neighboring days keep this one by day.
      const anchored = [
        ...rows,
        ...['2024-01-01', '2024-01-02'].map((date) => ({ date, query: 'anchor', clicks: 1, impressions: 2, position: 1.5 })),
      ]
      const read = await rowsOf(write(anchored, form))
      expect(
        read.map(({ date, values, clicks, impressions, position }) => ({ date, query: values[0], clicks, impressions, position })),
      ).toEqual(anchored)
    }),
    { numRuns: 300 },
  )
})
