import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type GoogleStandIn, startGoogle } from '../../../../../emulators/google/server.ts'
import { BLOG, LARGE } from '../../../../../emulators/google/testing.ts'
import { openTestStores, type TestStores } from '../../../../../test/support/import-stores.ts'
import { type SearchType, searchTypes } from '../../../../contract/common.ts'
import { type Grain, grainDimensions, tableOf } from '../../../facts/schema.ts'
import { grainsOf } from '../../sync-plan.ts'
import { createImportService } from '../service.ts'

let google: GoogleStandIn
let stores: TestStores
const directory = mkdtempSync(path.join(tmpdir(), 'ranklark-bulk-'))
beforeAll(async () => {
  google = await startGoogle({ today: '2026-07-15', anchor: '2026-07-15' })
  stores = await openTestStores()
})
afterAll(async () => {
  await stores?.close()
  await google?.close()
  rmSync(directory, { recursive: true })
})

const control = async (method: string, what: string, body?: unknown): Promise<unknown> =>
  (await fetch(`${google.url}/_control/${what}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })).json()

const extracted = z.object({ files: z.array(z.object({ path: z.string(), rows: z.number() })) })
const totals = z.object({
  rows: z.array(z.object({ keys: z.array(z.string()), clicks: z.number(), impressions: z.number(), position: z.number().optional() })),
})

/** Rows by key: clicks, impressions and the position to six digits. */
type Figures = Map<string, string>
const figuresOf = (rows: readonly { keys: string[]; clicks: number; impressions: number; position?: number | undefined }[]): Figures =>
  new Map(rows.map(({ keys, clicks, impressions, position = 0 }) => [keys.join('\t'), `${clicks} ${impressions} ${position.toFixed(6)}`]))

async function atGoogle(site: string, grain: Grain, type: SearchType, span: { start: string; end: string }): Promise<Figures> {
  const dims = ['date', ...grainDimensions[grain]].join(',')
  const query = new URLSearchParams({ site, dims, type, ...span })
  return figuresOf(totals.parse(await control('GET', `totals?${query}`)).rows)
}

async function inStore(property: number, grain: Grain, type: SearchType): Promise<Figures> {
  const columns = ['toString(date)', ...grainDimensions[grain].map((name) => `toString(${name})`)].join(', ')
  const answer = await stores.client.query({
    query: `SELECT [${columns}] AS keys, sum(clicks), sum(impressions), sum(position_sum) / sum(impressions) FROM ${tableOf(grain)}
      WHERE property = ${property} AND type = '${type}' AND (date, load) IN (
        SELECT date, max(load) FROM facts_current WHERE property = ${property} AND type = '${type}' AND grain = '${grain}' GROUP BY date)
      GROUP BY keys`,
    format: 'JSONCompactEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  const rows = await answer.json<[string[], number, number, number]>()
  return figuresOf(rows.map(([keys, clicks, impressions, position]) => ({ keys, clicks, impressions, position })))
}

const sumOfClicks = (figures: Figures): number => [...figures.values()].reduce((sum, text) => sum + Number(text.split(' ')[0]), 0)

async function expectImported(
  site: string,
  span: { start: string; end: string },
  how: { format: string; gzip?: boolean; shards?: number },
) {
  const { files } = extracted.parse(await control('POST', 'bulk', { site, ...span, ...how, directory: path.join(directory, how.format) }))
  const imports = createImportService({ ...stores, clock: { now: () => new Date('2026-07-15T20:00:00Z') } })
  const userId = await stores.person()
  const given = files.map((file) => ({ name: path.basename(file.path), content: createReadStream(file.path) }))
  const result = await imports.importFiles({ userId, propertyName: site, files: given })
  const rows = files.reduce((sum, file) => sum + file.rows, 0)
  expect(result).toMatchObject({ ok: true, answer: { rows, start: span.start, end: span.end } })
  const { id } = await stores.db.selectFrom('properties').select('id').where('userId', '=', userId).executeTakeFirstOrThrow()
  const missing: string[] = []
  for (const type of searchTypes) {
    // The export has search appearances as columns of other tables, which aren't imported (docs/decisions/0075).
    for (const grain of grainsOf(type).filter((each) => each !== 'search_appearance')) {
      const [theirs, ours] = [await atGoogle(site, grain, type, span), await inStore(id, grain, type)]
      for (const [key, figures] of theirs)
        if (ours.get(key) !== figures) missing.push(`${type} ${grain} ${key}: ${ours.get(key)}, not ${figures}`)
      // The API returns 50,000 pairs a day, the export all pairs: those of all named queries.
      const [got, wanted] =
        grain === 'query_page' ? [sumOfClicks(ours), sumOfClicks(await inStore(id, 'query', type))] : [ours.size, theirs.size]
      expect([type, grain, got]).toEqual([type, grain, wanted])
    }
  }
  expect(missing).toEqual([])
}

test(
  'a bulk export of several search types matches the API, to the last click and the sixth digit of every position',
  { tags: ['full'] },
  async () => {
    await expectImported(BLOG, { start: '2026-07-01', end: '2026-07-03' }, { format: 'json', gzip: true, shards: 3 })
  },
)

test('so does that of a large property', { tags: ['full'], timeout: 600_000 }, async () => {
  await expectImported(LARGE, { start: '2026-07-01', end: '2026-07-02' }, { format: 'csv', shards: 2 })
})
