import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problem } from '../../src/contract/api-v1/problems.ts'
import { apiError } from '../../src/contract/common.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { sumsStored } from '../support/grain-sums.ts'
import { propertyId } from '../support/people.ts'
import { type Route, withRouteTable } from '../support/route-table.ts'
import { lookAtOwner, type Stored } from '../support/stored-of-owner.ts'
import { createFuzzer, type Fuzzer } from './fuzzer.ts'
import { anyOf } from './fitting.ts'
import { operationRoutes, toolsOf } from './programs.ts'
import { seeds, series, timeout } from './runs.ts'
import { type Answered, createSender, type Sender } from './sender.ts'
import { wild, wildText } from './wild.ts'

let app: TestApp
let routes: Route[]
let fuzzer: Fuzzer
let sender: Sender
const span = { start: '2026-03-13', end: '2026-03-18' }

beforeAll(async () => {
  const { started, routes: table } = await withRouteTable(() => startTestApp({ today: '2026-03-18', demo: false }))
  app = started
  fuzzer = await createFuzzer(app)
  sender = createSender(() => app.url)
  // HEAD is GET without its body. What is uploaded is tried apart, and is no JSON.
  const known = table.filter(({ method, url }) => method !== 'HEAD' && url !== '*' && !/^\/(assets\/|api\/import|api\/v1)/.test(url))
  const distinct = new Map([...known, ...operationRoutes()].map((route) => [`${route.method} ${route.url}`, route]))
  routes = [...distinct.values()]
  before = await stored()
  lookAtStored = await lookAtOwner((await app.stores()).sql, fuzzer.site)
})
afterAll(async () => {
  sender?.close()
  await app?.close()
})

const stored = async () => sumsStored((await app.stores()).clickhouse, { property: await propertyId(app, fuzzer.site) }, span)
let before: Awaited<ReturnType<typeof stored>>

type Look = { at: Date; stored: Stored }
let lookAtStored: () => Promise<Stored>
const look = async (): Promise<Look> => ({ at: new Date(), stored: await lookAtStored() })
/** After the request before, where nothing came in between. */
let lastLook: Look | null = null
/** Refused requests that were seen to have stored nothing. */
let seenToStoreNothing = 0

/** The rows of a look, without what is noted of refused requests too: that a key was used, that somebody failed to sign in. */
const rowsOf = ({ stored: tables }: Look): string[] =>
  Object.entries(tables).flatMap(([table, rows]) =>
    rows
      .filter((row) => !/"kind": "(key-used|sign-in-failed)"/.test(row))
      .map((row) => `${table} ${row.replace(/"last_used_at": ("[^"]*"|null)/, '')}`),
  )

/** What is refused leaves nothing behind, not even a half. */
async function expectNothingStored(earlier: Look, later: Look): Promise<void> {
  const [was, is] = [rowsOf(earlier), rowsOf(later)]
  const changed = [...was.filter((row) => !is.includes(row)), ...is.filter((row) => !was.includes(row))]
  if (changed.length === 0) {
    seenToStoreNothing += 1
    return
  }
  // Jobs that earlier requests asked for write when their turn comes; those that mail letters write nothing here.
  const { sql } = await app.stores()
  const work = await sql(`SELECT id FROM jobs.job WHERE name <> 'mail' AND (state = 'active' OR started_on >= $1 OR completed_on >= $1)`, [
    earlier.at,
  ])
  if (work.length === 0) throw new Error(`refused, and yet stored: ${changed.join('; ').slice(0, 3_000)}`)
}

type Asked = { params: unknown; query: unknown; body: unknown; raw: string | null; headers: Record<string, string> }

const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 80 })
const oddHeaders = fc.record(
  {
    'accept-language': fc.oneof(header, fc.constant('*;q=9, de-DE-x-y;q=NaN')),
    'user-agent': fc.oneof(header, fc.constant('x'.repeat(5_000))),
    accept: header,
    'if-none-match': fc.oneof(header, fc.constant('*')),
    'idempotency-key': fc.oneof(header, fc.constant('again')),
    'accept-encoding': header,
    range: fc.constantFrom('bytes=5-1', 'bytes=-1', 'x'),
  },
  { requiredKeys: [] },
)
const brokenBodies = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[1,',
    '{"a":1,"a":2}',
    '\uFEFF{}',
    'NaN',
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{}}}',
    `${'['.repeat(5_000)}`,
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

const asked = (route: Route): fc.Arbitrary<Asked> =>
  fc.record({
    params: anyOf(route.params, fuzzer.known),
    query: route.query ? anyOf(route.query, fuzzer.known) : fc.oneof({ weight: 5, arbitrary: fc.constant({}) }, wild),
    body: route.body ? anyOf(route.body, fuzzer.known) : wild,
    raw: fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, brokenBodies),
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, oddHeaders),
  })

/** As a query string: lists as the same key again, everything else as text, whatever it was. */
function queryOf(query: unknown): string {
  if (typeof query === 'string') return encodeURI(query.toWellFormed()).replaceAll('#', '%23')
  if (typeof query !== 'object' || query === null) return ''
  const pairs = Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => `${encoded(key)}=${encoded(one)}`))
  return pairs.join('&')
}
const encoded = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed())

function pathOf(route: Route, params: unknown): string {
  const given = (typeof params === 'object' && params !== null ? params : {}) as Record<string, unknown>
  const ids = fuzzer.known['id'] ?? []
  return route.url.replaceAll(
    /:(\w+)|\*/g,
    (_all, name: string | undefined) => encoded(given[name ?? ''] ?? ids[0] ?? '1').slice(0, 2_000) || '1',
  )
}

let requests = 0
function send(route: Route, { params, query, body, raw, headers }: Asked, who: Record<string, string>): Promise<Answered> {
  const search = queryOf(query).slice(0, 8_000)
  // Every request from an address of its own: what is tried here is not how often one may ask.
  const from = { 'x-forwarded-for': `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests++ & 255}` }
  const path = pathOf(route, params) + (search && `?${search}`)
  if (route.method === 'GET') return sender.send('GET', path, { ...headers, ...who, ...from })
  const sent = raw ?? JSON.stringify(body) ?? ''
  return sender.send(route.method, path, { ...headers, ...who, ...from, 'content-type': 'application/json' }, sent)
}

/** Whatever is asked, the answer is one that somebody can act on. */
function expectGood({ status, body, type }: Answered): void {
  const isGood = status < 500 || status === 502
  if (!isGood) throw new Error(`${status} ${body.slice(0, 300)}\n${app.logLines.at(-1)?.slice(0, 3_000)}`)
  if (status < 400) return
  if (type.startsWith('application/problem+json')) problem.parse(JSON.parse(body))
  else if (type.startsWith('application/json') && !body.includes('"jsonrpc"')) apiError.loose().parse(JSON.parse(body))
}

type Trial = { what: string; property: fc.IAsyncPropertyWithHooks<[unknown]>; short: number }
let who: { cookie: string; authorization: string }

/** Tries on after a failure, so that one run tells of all of them. */
async function failuresOf(trials: readonly Trial[], seed: number): Promise<string[]> {
  const failures: string[] = []
  for (const { what, property, short } of trials) {
    for (const how of series(short, seed)) {
      who = await fuzzer.restored()
      lastLook = null
      const { failed, counterexample, errorInstance } = await fc.check(property, how)
      if (!failed) continue
      failures.push(`${what} (FUZZ_SEED=${how.seed}) with ${fc.stringify(counterexample?.[0]).slice(0, 1_000)}: ${String(errorInstance)}`)
      break
    }
  }
  return failures
}

/** Routes that did what they were asked for at least once; the others refused everything. */
const reached = new Set<Route>()

test.each(seeds)(
  'whatever the app is asked, by whoever is signed in, it answers, and stores nothing of what it refuses (seed %i)',
  { timeout },
  async (seed) => {
    expect(routes.length).toBeGreaterThan(100)
    const trials = routes.map((route): Trial => {
      const property = fc.asyncProperty(asked(route) as fc.Arbitrary<unknown>, async (request) => {
        const earlier = lastLook ?? (await look())
        lastLook = null
        const answer = await send(route, request as Asked, who)
        if (answer.status < 400) reached.add(route)
        expectGood(answer)
        if (answer.status < 400) return
        lastLook = await look()
        await expectNothingStored(earlier, lastLook)
      })
      return { what: `${route.method} ${route.url}`, property, short: 10 }
    })
    expect(await failuresOf(trials, seed)).toEqual([])
    // Were everything refused at the door, nothing would have been tried.
    expect(reached.size).toBeGreaterThan(routes.length / 2)
    expect(seenToStoreNothing).toBeGreaterThan(routes.length / 4)
  },
)

test.each(seeds)('the tools of MCP answer whatever they are called with (seed %i)', { timeout }, async (seed) => {
  who = await fuzzer.restored()
  const route: Route = { method: 'POST', url: '/mcp' }
  const trials = (await toolsOf(app, fuzzer.key)).map(({ name, input }): Trial => {
    const params = anyOf(input, fuzzer.known).map((args) => ({ name, arguments: args }))
    const call = fc.oneof(
      { weight: 6, arbitrary: params.map((given) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: given })) },
      { weight: 1, arbitrary: fc.record({ jsonrpc: fc.constantFrom('2.0', '1.0'), id: wild, method: wildText, params: wild }) },
    )
    const property = fc.asyncProperty(call as fc.Arbitrary<unknown>, async (body) => {
      const headers = { accept: 'application/json, text/event-stream' }
      const answer = await send(route, { params: {}, query: {}, body, raw: null, headers }, who)
      expectGood(answer)
      if (answer.body.includes('went wrong')) throw new Error(answer.body.slice(0, 500))
    })
    return { what: name, property, short: 8 }
  })
  expect(await failuresOf(trials, seed)).toEqual([])
})

const doors = [
  '/api/unsubscribe?token=',
  '/api/report-unsubscribe?token=',
  '/api/shared/',
  '/api/v1/keywords?cursor=',
  '/api/auth/google/callback?state=',
]

test.each(seeds)('made-up tokens, cursors, cookies and keys open nothing and break nothing (seed %i)', { timeout }, async (seed) => {
  const signed = fc.tuple(fc.base64String(), fc.base64String(), fc.base64String()).map((parts) => parts.join('.'))
  const token = fc.oneof(wildText, fc.base64String({ maxLength: 300 }), signed)
  const name = fc.constantFrom('ranklark.session_token', 'ranklark.two_factor', 'ranklark.google', 'ranklark.trust_device')
  await fuzzer.restored()
  const tried = fc.asyncProperty(fc.constantFrom(...doors), name, token, token, header, async (door, cookieName, made, held, scheme) => {
    const cookie = `${cookieName}=${encoded(held).slice(0, 3_000)}; ${cookieName}=; =; ;;`
    const path = `${door}${encoded(made).slice(0, 4_000)}`
    for (const authorization of [`${scheme} ${encoded(made).slice(0, 3_000)}`, `Bearer ${fuzzer.key}`]) {
      const answer = await sender.send('GET', path, { cookie, authorization })
      expectGood(answer)
      const mustRefuse = door.startsWith('/api/shared') || door.startsWith('/api/unsub')
      expect(mustRefuse && answer.status < 400).toBe(false)
    }
    expect((await sender.send('GET', '/api/user', { cookie })).status).toBe(401)
    const code = await sender.send('POST', '/api/auth/two-factor', { cookie, 'content-type': 'application/json' }, '{"code":"123456"}')
    expect([400, 401, 429]).toContain(code.status)
  })
  for (const how of series(40, seed)) await fc.assert(tried, how)
})

test('what was stored on the way is whole: every list can still be read, and no figure is another', { timeout }, async () => {
  const headers = await fuzzer.restored()
  const lists = routes.filter(({ method, url }) => method === 'GET' && !url.includes(':') && url !== '/api/user/export')
  for (const { url } of lists) expectGood(await sender.send('GET', url, headers))
  expect(await stored()).toEqual(before)
  expect(app.logLines.filter((line) => line.includes('a request failed') || line.includes('does not fit its contract'))).toEqual([])
})
