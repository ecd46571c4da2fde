import { describe, expect, it } from 'vitest'
import { problemOf, readFile, rowsOf, zipOf } from '../../../../test/support/import-files.ts'

const header = 'date,clicks,impressions,ctr,position\n'
const good = '2026-07-01,1,10,10%,2.5\n'

/** One bad row on line 3, and the message for it. */
const badRows: [row: string, reason: string | RegExp][] = [
  ['2026-07-02,11,10,110%,2.5', 'There are more clicks (11) than impressions (10)'],
  ['2026-07-02,-1,10,1%,2.5', 'The number of clicks is negative (-1)'],
  ['2026-07-02,−1,10,1%,2.5', 'The number of clicks is negative (−1)'],
  ['2026-07-02,1.5,10,15%,2.5', 'The number of clicks is not a whole number (1.5)'],
  ['2026-07-02,NaN,10,1%,2.5', 'The number of clicks is not a number (NaN)'],
  ['2026-07-02,Infinity,10,1%,2.5', 'The number of clicks is not a number (Infinity)'],
  ['2026-07-02,1e3,10000,1%,2.5', 'The number of clicks is not a number (1e3)'],
  ['2026-07-02,0x10,10000,1%,2.5', 'The number of clicks is not a number (0x10)'],
  ['2026-07-02,,10,1%,2.5', 'The number of clicks is missing'],
  ['2026-07-02,~,10,1%,2.5', 'The number of clicks is missing'],
  ['2026-07-02,1,,1%,2.5', 'The number of impressions is missing'],
  ['2026-07-02,1,99999999999,1%,2.5', 'The number of impressions is too large (99999999999)'],
  ['2026-07-02,"12,34",5000,1%,2.5', 'The number of clicks is not a whole number (12,34)'],
  ['2026-07-02,1,10,,2.5', 'The CTR is missing'],
  ['2026-07-02,1,10,x,2.5', 'The CTR is not a number (x)'],
  ['2026-07-02,1,10,120%,2.5', 'The CTR is above 100% (120%)'],
  ['2026-07-02,1,10,10%,', 'The position is missing'],
  ['2026-07-02,1,10,10%,0', 'The position is below 1 (0), but the top position is 1'],
  ['2026-07-02,1,10,10%,0.5', 'The position is below 1 (0.5), but the top position is 1'],
  ['2026-07-02,1,10,10%,-3', 'The position is negative (-3)'],
  ['2026-07-02,1,10,10%,5%', 'The position is not a number (5%)'],
  ['2026-07-02,1,10,10%,first', 'The position is not a number (first)'],
  ['2026-07-02,1,10,10%,NaN', 'The position is not a number (NaN)'],
  ['2026-07-02,1,10,10%,5400', "The position can't be 5400: Google lists at most 1,000 results"],
  [',1,10,10%,2.5', 'The date is missing'],
  ['2026-02-30,1,10,10%,2.5', '"2026-02-30" is not a real date'],
  ['2025-02-29,1,10,10%,2.5', '"2025-02-29" is not a real date'],
  ['2026-13-01,1,10,10%,2.5', '"2026-13-01" is not a real date'],
  ['2026-11-21,1,10,10%,2.5', 'The date 2026-11-21 is in the future'],
  ['1999-12-31,1,10,10%,2.5', 'The date 1999-12-31 is before 2000'],
  ['yesterday,1,10,10%,2.5', '"yesterday" is not a date: write dates as YYYY-MM-DD'],
  ['Total,1,10,10%,2.5', '"Total" is not a date: write dates as YYYY-MM-DD'],
  ['2026-07,1,10,10%,2.5', /by month, not by day/],
  ['2026-W27,1,10,10%,2.5', /by week, not by day/],
  ['2026-07-02 - 2026-07-08,1,10,10%,2.5', /covers several days/],
  ['2026-07-02T13:00:00-07:00,1,10,10%,2.5', /by hour, not by day/],
  ['2026-07-01,1,10,10%,2.5', 'The day 2026-07-01 appears more than once in this file'],
  ['2026-07-02,1,10', 'This row has 3 columns, but the header has 5'],
  ['2026-07-02,1,10,10%,2.5,7', 'This row has 6 columns, but the header has 5: is there an unquoted comma?'],
]

const dayRow = (date: string): string => `${date},1,10,10%,2.5\n`

describe('an invalid row', () => {
  it.each(badRows)('%s', async (row, reason) => {
    const problem = await problemOf(`${header}${good}${row}\n`)
    expect(problem.message).toMatch(reason)
    expect(problem.line).toBe(3)
  })

  it('is reported with its physical line, even after quoted or mixed line endings and empty lines', async () => {
    const text =
      'date,query,clicks,impressions,position\r\n2026-07-01,"two\nlines",1,2,3\r\n\n\r2026-07-01,"three\r\nmore\rlines",1,2,3\n2026-07-01,b,9,2,3'
    expect((await problemOf(text)).line).toBe(9)
  })

  it('may repeat a day, but not all of its dimensions', async () => {
    const text = 'date,query,page,clicks,impressions,position\n2026-07-01,a,/b,1,2,3\n2026-07-01,a,/c,1,2,3\n'
    expect(await rowsOf(text)).toHaveLength(2)
    expect(await problemOf(`${text}2026-07-01,a,/b,1,2,3\n`)).toEqual({
      message: 'The same query, page on 2026-07-01 appears more than once in this file',
      line: 4,
    })
  })

  it.each([
    ['query', ',1,2,3', 'The query is missing'],
    ['device', 'TOASTER,1,2,3', '"TOASTER" is not a device: use DESKTOP, MOBILE or TABLET'],
    ['country', 'Atlantis,1,2,3', '"Atlantis" is not a country: use its three-letter code, such as usa'],
    ['search_type', 'carrier pigeon,1,2,3', '"carrier pigeon" is not a search type: use web, image, video, news, discover or googleNews'],
    ['page', `${'a'.repeat(9000)},1,2,3`, 'The page is longer than 2,048 characters'],
  ])('with an invalid %s', async (name, rest, message) => {
    expect(await problemOf(`date,${name},clicks,impressions,position\n2026-07-01,${rest}\n`)).toEqual({ message, line: 2 })
  })

  it('from a second site is refused', async () => {
    const problem = await problemOf('site,date,clicks,impressions,position\na.com,2026-07-01,1,2,3\nb.com,2026-07-02,1,2,3\n')
    expect(problem).toEqual({
      message: 'The file has more than one site ("a.com" and "b.com"): import each into its own property',
      line: 3,
    })
  })

  it('whose number format contradicts earlier rows is refused, not guessed', async () => {
    const problem = await problemOf('date;clicks;impressions;position\n2026-07-01;1.234;5.678;3\n2026-07-02;1;2;3.5\n')
    expect(problem).toEqual({
      message: 'The position uses "." as a decimal separator, but line 2 uses it as a thousands separator',
      line: 3,
    })
  })
})

describe('a file as a whole', () => {
  it.each([
    ['nothing', '', /The file is empty/],
    ['a byte order mark only', '\ufeff', /The file is empty/],
    ['a header only', header, /no rows|has no rows/],
    ['no date column', 'query,clicks,impressions,ctr,position\na,1,2,50%,3\n', /No date column found in "query", "clicks"/],
    ['no clicks', 'date,impressions,ctr,position\n2026-07-01,1,0%,3\n', /No clicks column found/],
    ['neither CTR nor position', 'date,clicks,impressions\n2026-07-01,1,3\n', /no CTR or position column/],
    ['the page indexing report', 'Date,Not indexed,Indexed,Impressions\n2026-07-01,5,6,7\n', /^This is the page indexing report/],
    ['weeks', header + ['2026-06-01', '2026-06-08', '2026-06-15'].map(dayRow).join(''), /by week, not by day/],
    [
      'weeks, cut short at both ends',
      header + ['2026-06-03', '2026-06-08', '2026-06-15', '2026-06-22', '2026-06-24'].map(dayRow).join(''),
      /by week/,
    ],
    ['months', header + ['2026-05-01', '2026-06-01'].map(dayRow).join(''), /by month, not by day/],
    ['a column of weeks', 'Week,Clicks,Impressions,CTR,Position\n2026-06-01,1,10,10%,2.5\n', /by week, not by day/],
    ['a column of hours', 'Time,Clicks,Impressions,CTR,Position\n14:00,1,10,10%,2.5\n', /by hour, not by day/],
    [
      'two periods',
      'Date,Last 7 days Clicks,Previous 7 days Clicks,Last 7 days Impressions,Previous 7 days Impressions,Last 7 days Position,Previous 7 days Position\n2026-07-01,1,2,3,4,5,6\n',
      /compares two periods/,
    ],
    [
      'two periods in German',
      'Datum,Letzte 7 Tage Klicks,Vorherige 7 Tage Klicks,Letzte 7 Tage Impressionen,Vorherige 7 Tage Impressionen,Letzte 7 Tage CTR,Vorherige 7 Tage CTR\n2026-07-01,1,2,3,4,5%,6%\n',
      /compares two periods/,
    ],
    ['dates that stay ambiguous', 'date,clicks,impressions,position\n01/07/2026,1,2,3\n02/07/2026,1,2,3\n', /day first or month first/],
    ['an open quote', 'date,query,clicks,impressions,position\n2026-07-01,"a,1,2,3\n', /A quoted field isn't closed/],
    ['text after a closing quote', 'date,query,clicks,impressions,position\n2026-07-01,"a"b,1,2,3\n', /There's text after a closing quote/],
    ['an endless line', `date,query,clicks,impressions,position\n2026-07-01,"${'a\n'.repeat(800_000)}`, /too long: is a quote left open/],
    [
      'unknown words in another order',
      'Xdata,Xaa,Xbb,Xcc,Xdd\n2026-07-01,10,1000,1%,2\n2026-07-02,10,1000,7%,2\n',
      /isn't in a language we recognize/,
    ],
  ])('with %s is refused', async (_name, text, reason) => {
    expect((await problemOf(text)).message).toMatch(reason)
  })

  it('of JSON lines with more columns than any export has is refused, on one line or across many', async () => {
    const wide = Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`c${n}`, 1]))
    const narrow = Array.from({ length: 201 }, (_, n) => JSON.stringify({ [`c${n}`]: 1 }))
    for (const text of [JSON.stringify(wide), narrow.join('\n')]) {
      expect((await problemOf(text)).message).toBe('There are more than 200 columns')
    }
  })

  it("of JSON that isn't one object per line is refused with an explanation", async () => {
    const answer = { rows: [{ keys: ['2026-07-01'], clicks: 1, impressions: 2, ctr: 0.5, position: 3 }] }
    for (const text of [JSON.stringify(answer), JSON.stringify(answer, null, 2), JSON.stringify(answer.rows), '{"a": 1,\n}']) {
      expect((await problemOf(text)).message).toMatch(/^This is a JSON document, which has no rows to import/)
    }
    expect(await problemOf('{"date":"2026-07-01","clicks":1,"impressions":2,"position":3}\n{"date"')).toMatchObject({ line: 2 })
  })

  it('of the page indexing report is recognized by its file name in any language, and refused', async () => {
    const zip = zipOf({ 'Diagramm.csv': 'Datum,Nicht indexiert,Indexiert,Impressionen\n2026-07-01,5,6,7\n' })
    for (const name of ['x.zip', 'https___x.com_-Coverage-2026-11-01.zip']) {
      expect((await problemOf(zip, name)).message).toMatch(/^This is the page indexing report/)
    }
    const unknown = zipOf({ 'Xyz.csv': 'Xdata,Xaa,Xbb,Xcc\n2026-07-01,5,6,7\n' })
    expect((await problemOf(unknown, 'https___x.com_-Coverage-Drilldown-2026-11-01.zip')).message).toMatch(
      /^This is the page indexing report/,
    )
  })

  it("that isn't text is refused", async () => {
    expect((await problemOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2))).message).toContain("isn't a text file")
  })

  it('in a legacy encoding is refused with its line', async () => {
    const bytes = Buffer.concat([
      Buffer.from('date,query,clicks,impressions,position\n2026-07-01,é,1,2,3\n2026-07-01,'),
      Buffer.from([0xe9]),
      Buffer.from(',1,2,3\n'),
    ])
    expect(await problemOf(bytes)).toMatchObject({ message: expect.stringContaining('not valid UTF-8'), line: 3 })
  })

  it('may contain a few days that are far apart', async () => {
    expect(await readFile(header + ['2026-06-01', '2026-06-09', '2026-07-30'].map(dayRow).join(''))).toMatchObject({ rows: { length: 3 } })
  })
})
