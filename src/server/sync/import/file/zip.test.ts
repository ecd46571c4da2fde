import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { problemOf, readFile, rowsOf, zipOf } from '../../../../../test/support/import-files.ts'

const chart = 'Date,Clicks,Impressions,CTR,Position\n2026-07-01,1,2,50%,3\n'

/** Patches records of the central directory: `at` is the offset within each, as numbered in the ZIP format. */
function patched(zip: Uint8Array, at: number, bytes: number[]): Uint8Array {
  const copy = Buffer.from(zip)
  for (let from = copy.indexOf('PK\x01\x02', 0, 'latin1'); from >= 0; from = copy.indexOf('PK\x01\x02', from + 4, 'latin1'))
    copy.set(bytes, from + at)
  return copy
}

describe('unusual ZIP files', () => {
  it('names with paths to other places are only labels', async () => {
    const rows = await rowsOf(zipOf({ '../../../etc/cron.d/Chart.csv': chart }))
    expect(rows).toHaveLength(1)
    const problem = await problemOf(zipOf({ '/etc/a\nb\u202ebad.csv': chart.replace('1,2', '3,2') }))
    expect(problem).toMatchObject({ line: 2, file: 'a b bad.csv' })
    expect(await rowsOf(zipOf({ 'C:\\temp\\Chart.csv': chart }))).toHaveLength(1)
  })

  it('more files than any export has are refused', { tags: ['full'] }, async () => {
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`${index}.csv`, 'a']))
    expect((await problemOf(zipOf(many))).message).toBe('The ZIP contains 501 files. The limit is 500')
  })

  it('sizes beyond 16 GiB are refused before anything is unpacked', async () => {
    const five = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.csv`, chart]))
    expect((await problemOf(patched(zipOf(five), 24, [0xfe, 0xff, 0xff, 0xff]))).message).toContain('larger than 16 GB')
  })

  it("names are read correctly even if the ZIP doesn't declare them as UTF-8", async () => {
    const files = { 'Gráfico.csv': chart, 'クエリ.csv': 'Top queries,Clicks,Impressions,CTR,Position\nlamp,1,2,50%,3\n' }
    expect(await readFile(patched(zipOf(files), 8, [0, 0]))).toMatchObject({ notes: [expect.stringMatching(/^クエリ\.csv has no dates/)] })
    const dos = patched(zipOf({ 'Grxfico.csv': chart.replace('1,2', '3,2') }), 48, [0xa0])
    expect(await problemOf(dos)).toMatchObject({ file: 'Gráfico.csv' })
  })

  it('a bomb that lies about its size stops at the stated size', { tags: ['full'] }, async () => {
    const bomb = zipSync({ 'Chart.csv': Buffer.concat([Buffer.from(chart), Buffer.alloc(32 * 1024 * 1024, 0x20)]) })
    const before = process.memoryUsage().rss
    expect(await problemOf(patched(bomb, 24, [60, 0, 0, 0]))).toEqual({
      message: 'The ZIP is damaged: download it again',
      file: 'Chart.csv',
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
  })

  it('entries that share their bytes are refused: each would be read, so the ZIP would hold far more than its size allows', async () => {
    const zip = zipOf({ '1.csv': chart, '2.csv': chart, '3.csv': chart })
    expect((await problemOf(patched(zip, 42, [0, 0, 0, 0]))).message).toBe('The ZIP is damaged: download it again')
  })

  it('a ZIP with a password is refused', async () => {
    expect(await problemOf(patched(zipOf({ 'Chart.csv': chart }), 8, [1, 0]))).toMatchObject({
      message: expect.stringContaining('password'),
      file: 'Chart.csv',
    })
  })

  it('an unknown compression method is refused', async () => {
    expect((await problemOf(patched(zipOf({ 'Chart.csv': chart }), 10, [99, 0]))).message).toContain('unsupported compression method')
  })

  it('damage is detected: a wrong checksum, a truncated file, garbage', async () => {
    const zip = zipOf({ 'Chart.csv': chart })
    for (const bad of [patched(zip, 16, [1, 2, 3, 4]), zip.subarray(0, zip.length - 30), Buffer.from('PK\x03\x04garbage')]) {
      expect((await problemOf(bad)).message).toContain('The ZIP is damaged')
    }
  })

  it('an empty ZIP, a ZIP without tables and a workbook get different messages', async () => {
    expect((await problemOf(zipOf({}))).message).toContain('contains no CSV file')
    expect((await problemOf(zipOf({ 'photo.jpg': 'x' }))).message).toContain('contains no CSV file')
    expect((await problemOf(zipOf({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<workbook/>' }))).message).toContain(
      'Excel workbook',
    )
  })

  it('a ZIP may contain one long CSV, but not two', async () => {
    const long = 'date,page,clicks,impressions,position\n2026-07-01,/a,1,2,3\n'
    expect(await rowsOf(zipOf({ 'long.csv': long }))).toMatchObject([{ values: ['/a'] }])
    expect((await problemOf(zipOf({ 'a.csv': long, 'b.csv': long }))).message).toContain('several daily tables')
  })
})
