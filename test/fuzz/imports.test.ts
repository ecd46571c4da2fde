import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect } from 'vitest'
import { createImportService } from '../../src/server/sync/import/service.ts'
import { type Read, readFile, today, zipOf } from '../support/import-files.ts'
import { storesTest as test } from '../support/import-stores.ts'
import { sumsStored } from '../support/grain-sums.ts'
import { runs, seeds, series, timeout } from './runs.ts'
import { wildText } from './wild.ts'
import { inFull } from '../support/in-full.ts'

const chart = 'Date,Clicks,Impressions,CTR,Position\n2026-07-01,12,345,3.48%,5.5\n2026-07-02,3,20,15%,8.1\n2026-07-03,0,9,0%,31\n'
const long =
  'date,query,page,country,device,clicks,impressions,position\n2026-07-01,"a ""lamp"", red",https://a.example/x?y=1,deu,MOBILE,1,7,3.25\n2026-07-02,лампа,https://a.example/ü,usa,DESKTOP,0,2,11\n'
const filters = 'Filter,Value\nSearch type,Web\nDate,Last 28 days\n'
const good: readonly Buffer[] = [
  Buffer.from(chart),
  Buffer.from(long),
  Buffer.from(chart.replaceAll(',', ';').replaceAll('\n', '\r\n')),
  Buffer.from(chart.replaceAll(',', '\t')),
  Buffer.from(`\uFEFF${long}`, 'utf16le'),
  Buffer.from(`\uFEFF${chart}`),
  Buffer.from(zipOf({ 'Chart.csv': chart, 'Filters.csv': filters })),
  Buffer.from(zipOf({ 'export/Dates.csv': chart, 'Queries.csv': 'Top queries,Clicks,Impressions,CTR,Position\nlamp,1,2,50%,3\n' })),
]

/** A mutation of a file: cut, flipped, repeated, swapped, filled with typed text. */
const damage = fc.record({
  kind: fc.constantFrom('cut', 'head', 'flip', 'insert', 'repeat', 'drop', 'text', 'number'),
  at: fc.nat(),
  to: fc.nat(),
  byte: fc.nat(255),
  text: wildText,
})

function damaged(file: Buffer, { kind, at, to, byte, text }: typeof damage extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const [start, end] = [at % (file.length + 1), to % (file.length + 1)].toSorted((a, b) => a - b) as [number, number]
  switch (kind) {
    case 'cut':
      return file.subarray(0, end)
    case 'head':
      return file.subarray(start)
    case 'drop':
      return Buffer.concat([file.subarray(0, start), file.subarray(end)])
    case 'repeat':
      return Buffer.concat([file.subarray(0, end), file.subarray(start, end), file.subarray(end)])
    case 'flip': {
      const copy = Buffer.from(file)
      if (copy.length > 0) copy[start % copy.length] = byte
      return copy
    }
    case 'insert':
      return Buffer.concat([file.subarray(0, start), Buffer.alloc(1 + (to % 50), byte), file.subarray(start)])
    case 'text': {
      const line = file.toString('latin1').replace(/\d+(?=,)/, text.slice(0, 500))
      return Buffer.from(line, 'latin1')
    }
    default:
      return Buffer.from(
        file
          .toString('latin1')
          .replace(/\b\d{1,3}\b/, ['-1', '1e9', '4294967296', '0.5', '99999999999999999999', 'NaN', ''][byte % 7] ?? ''),
        'latin1',
      )
  }
}

const files = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...good), fc.array(damage, { minLength: 1, maxLength: 3 }))
      .map(([file, damages]) => damages.reduce(damaged, file)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(wildText, wildText), { maxLength: 4 })
      .map((entries) =>
        Buffer.from(zipOf(Object.fromEntries(entries.map(([name, text]) => [`${name.toWellFormed().slice(0, 200)}.csv`, text])))),
      ),
  },
)
const names = fc.oneof(fc.constantFrom('upload.csv', 'Chart.zip', 'https___x.com_-Performance-on-Discover-2026-11-01.zip'), wildText)
const largest = 2 ** 32 - 1

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= largest

function expectSound(read: Read): void {
  const reason = 'problem' in read ? { words: read.problem.message, status: read.status } : null
  expect(reason === null || (reason.words.length > 5 && reason.status >= 400 && reason.status < 500)).toBe(true)
  const rows = 'rows' in read ? read.rows : []
  for (const { date, clicks, impressions, position } of rows) {
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(date <= today && isCount(clicks) && isCount(impressions) && Number.isFinite(position) && position >= 0).toBe(true)
  }
}

test.each([...seeds.slice(-1), ...inFull(seeds.slice(0, -1))])(
  'whatever a file contains, it is read or refused with a reason (seed %i)',
  { timeout },
  async (seed) => {
    const tried = fc.asyncProperty(files, names, async (content, name) => {
      const read = await readFile(content, name)
      expectSound(read)
    })
    for (const how of series(300, seed)) await fc.assert(tried, how)
  },
)

test('a refused file leaves a property, its figures and its list of files unchanged', { timeout, tags: ['full'] }, async ({ stores }) => {
  const imports = createImportService({ ...stores, clock: { now: () => new Date(`${today}T20:00:00Z`) } })
  const userId = await stores.person()
  const put = (content: Buffer, fileName: string) =>
    imports.importFiles({ userId, propertyName: 'kept', files: [{ name: fileName, content: Readable.from([content]) }] })
  expect(await put(Buffer.from(chart), 'chart.csv')).toMatchObject({ ok: true })
  const look = async () => ({
    days: await sumsStored(stores.client, { property: await propertyId() }, { start: '2025-01-01', end: today }),
    imports: (await stores.pool.query('SELECT sha256, rows, clicks FROM imports ORDER BY sha256')).rows,
    properties: (await stores.pool.query('SELECT name, kind FROM properties ORDER BY id')).rows,
    audited: (await stores.pool.query('SELECT kind, details FROM audit_events ORDER BY id')).rows,
  })
  const propertyId = async () => Number((await stores.pool.query('SELECT id FROM properties')).rows[0]?.id)
  let before = await look()
  let refused = 0
  for (const content of fc.sample(files, { numRuns: runs(12), seed: seeds[0] ?? 7 })) {
    const result = await put(content, 'upload.csv')
    const after = await look()
    if (!result.ok) refused += 1
    expect(result.ok ? before : after).toEqual(before)
    before = after
  }
  expect(refused).toBeGreaterThan(0)
})
