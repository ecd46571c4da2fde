import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GoogleResult } from '../../src/server/google/problem.ts'
import { type AnalyticsAnswer, createSearchConsole } from '../../src/server/google/search-console.ts'
import { systemClock } from '../../src/server/platform/clock.ts'
import { createPageFetcher, type PageFetcher } from '../../src/server/sync/page-fetcher.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { sumsStored } from '../support/grain-sums.ts'
import { ownerOf, propertyId, refresh } from '../support/people.ts'
import type { Visitor } from '../support/visitor.ts'
import { runs, seeds, series, timeout } from './runs.ts'
import { wild, wildNumber, wildText } from './wild.ts'
import { inFull } from '../support/in-full.ts'

const site = 'https://odd.example/'
const span = { start: '2026-03-16', end: '2026-03-18' }
/** A proxy to the Google stand-in: passes everything through, until told to answer queries itself. */
let front: Server
let url: string
let answering: { status: number; body: string } | null = null
let app: TestApp
let owner: Visitor
let fetcher: PageFetcher

beforeAll(async () => {
  front = createServer((asked, answer) => void pass(asked, answer).catch(() => answer.destroy()))
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
  app = await startTestApp({ today: '2026-03-18', demo: false, env: { GOOGLE_API_URL: url } })
  owner = await ownerOf(app, site, { profile: 'local', days: 3 })
  fetcher = createPageFetcher(url)
})
afterAll(async () => {
  await fetcher?.close()
  await app?.close()
  front?.closeAllConnections()
  front?.close()
})

async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const body = await buffer(asked)
  if (answering && (asked.url?.includes('searchAnalytics') || !app)) {
    answer.writeHead(answering.status, { 'content-type': 'application/json' }).end(answering.body)
    return
  }
  const { host: _host, connection: _connection, 'content-length': _length, ...headers } = asked.headers
  const target = new URL(asked.url ?? '/', app.google.url)
  const init = {
    method: asked.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  }
  const given = await fetch(target, init)
  answer.writeHead(given.status, { 'content-type': given.headers.get('content-type') ?? 'application/json' }).end(await given.text())
}

const key = fc.oneof(fc.constantFrom('2026-03-17', '2026-03-40', '1999-01-01', 'lamp', ''), wildText)
const figure = fc.oneof(fc.nat(100), wildNumber, wild)
const row = fc.record(
  { keys: fc.oneof(fc.array(key, { maxLength: 3 }), wild), clicks: figure, impressions: figure, position: figure },
  { requiredKeys: [] },
)
const answerOf = fc.record({ rows: fc.oneof(fc.array(row, { maxLength: 4 }), wild), metadata: wild, siteEntry: wild }, { requiredKeys: [] })
const bodies: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: answerOf.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: wild.map((value) => JSON.stringify(value) ?? '') },
  { weight: 2, arbitrary: fc.tuple(answerOf, fc.nat()).map(([value, at]) => JSON.stringify(value).slice(0, at % 200)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '{"rows":[{"keys":["2026-03-17"],"clicks":1e999,"impressions":1,"position":1}]}',
      '{"rows":[{"keys":["2026-03-17"],"clicks":NaN,"impressions":1}]}',
      '{"rows":[{"keys":["2026-03-17"],"clicks":1,"clicks":-5,"impressions":1,"position":1}]}',
      '{"rows":[{"keys":["2026-03-17"],"clicks":4294967297,"impressions":4294967297,"position":1}]}',
      '{"rows":[{"keys":["2026-03-17"],"clicks":1.5,"impressions":2,"position":1}]}',
      '{"rows":[{"keys":[],"clicks":1,"impressions":2,"position":1}]}',
      '{"rows":[{"keys":["2025-01-01"],"clicks":1,"impressions":2,"position":1}]}',
      '{"rows":null}',
      '<html>',
      '',
    ),
  },
)
const answers = fc.record({ status: fc.constantFrom(200, 200, 200, 200, 204, 302, 400, 401, 403, 404, 429, 500, 503), body: bodies })
const day = { startDate: '2026-03-17', endDate: '2026-03-17' }

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value < 2 ** 32

function expectStorable(read: GoogleResult<AnalyticsAnswer>): void {
  const rows = read.ok ? read.value.rows : []
  for (const { keys, clicks, impressions, position } of rows) {
    expect(keys).toEqual([day.startDate, expect.any(String)])
    expect([clicks, impressions].every(isCount) && Number.isFinite(position) && position >= 0).toBe(true)
  }
  expect(read.ok ? '' : read.problem.detail).toEqual(expect.any(String))
}

test.each([...seeds.slice(-1), ...inFull(seeds.slice(0, -1))])(
  'whatever Google answers is read or refused, and what is read can be stored (seed %i)',
  { timeout },
  async (seed) => {
    const google = createSearchConsole(url, systemClock)
    const query = { siteUrl: site, ...day, dimensions: ['date', 'query'] as const, searchType: 'web' as const, startRow: 0 }
    const tried = fc.asyncProperty(answers, async (answer) => {
      answering = answer
      const read = await google.query('token', query)
      expectStorable(read)
      // The fetching thread survives.
      const target = { property: 1, searchType: 'web' as const, load: 1 }
      const fetched = await fetcher.fetch({ accessToken: 'token', query, target })
      expect(fetched.ok).toBe(read.ok)
      expect(fetched.ok ? '' : fetched.problem.detail).not.toContain('thread ended')
      for (const other of [
        google.hours('token', { siteUrl: site, ...day, searchType: 'web' }),
        google.sites('token'),
        google.site('token', site),
      ])
        expect(typeof (await other).ok).toBe('boolean')
    })
    try {
      for (const how of series(150, seed)) await fc.assert(tried, how)
    } finally {
      answering = null
    }
  },
)

test("whatever Google answers, stored days don't change, and the property says what to do", { tags: ['full'], timeout }, async () => {
  const stored = async () => sumsStored((await app.stores()).clickhouse, { property: await propertyId(app, site) }, span)
  const before = await stored()
  // A complete response would be stored; these are incomplete, each for a different reason.
  const broken = [
    '{"rows":[{"keys":["2026-03-17","x"],"clicks":-1,"impressions":1,"position":1}]}',
    '{"rows":[{"keys":["2026-03-17","x","y","z"],"clicks":1,"impressions":1,"position":1}]}',
    '{"rows":[{"keys":["2020-01-01"],"clicks":4294967300,"impressions":1,"position":1}]}',
    '{"rows":[{"keys":["2026-03-17"],"clicks":0.5,"impressions":1,"position":1}]}',
    '{"rows":{}}',
    '[',
  ]
  const more = fc
    .sample(wild, { numRuns: Math.min(runs(3), 40), seed: seeds.at(-1) ?? 7 })
    .map((value) => JSON.stringify({ rows: [value] }))
  for (const body of [...broken, ...more.filter((text) => text !== '{"rows":[[]]}')]) {
    answering = { status: 200, body }
    const status = await refresh(owner, site)
    answering = null
    expect([body, status.state]).toEqual([body, 'google_unavailable'])
    expect(status.message).toContain('retry automatically')
    expect(await stored()).toEqual(before)
  }
  expect((await refresh(owner, site)).state).toBe('ok')
  expect(await stored()).toEqual(before)
  expect((await owner.get('/api/metrics')).status).toBe(200)
})
