import fc from 'fast-check'
import { expect, test } from 'vitest'
import { problem } from '../../src/contract/api-v1/problems.ts'
import { apiError } from '../../src/contract/common.ts'
import { importEndpoints } from '../../src/contract/import.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { sumsStored } from '../support/grain-sums.ts'
import { propertyId } from '../support/people.ts'
import { type Route, withRouteTable } from '../support/route-table.ts'
import { lookAtOwner, type Stored } from '../support/stored-of-owner.ts'
import { anyOf } from './fitting.ts'
import { createFuzzer, type Fuzzer } from './fuzzer.ts'
import { toolsOf } from './programs.ts'
import { type Asked, asked, createAsker, encoded, header } from './requests.ts'
import { series } from './runs.ts'
import { type Answered, createSender, type Sender } from './sender.ts'
import { wild, wildText } from './wild.ts'

type Look = { at: Date; stored: Stored }

/** A server for arbitrary requests, and a user with one of everything who sends them. */
export type Fuzzed = {
  app: TestApp
  routes: Route[]
  fuzzer: Fuzzer
  sender: Sender
  ask: ReturnType<typeof createAsker>
  look(): Promise<Look>
  /** Every list can still be read, and no figure has changed. */
  expectWhole(): Promise<void>
}

const span = { start: '2026-03-13', end: '2026-03-18' }

/** Tests in a file that share one server. */
export const fuzzTest = test.extend('fuzzed', { scope: 'file' }, async ({}, { onCleanup }): Promise<Fuzzed> => {
  const { started: app, routes: table } = await withRouteTable(() => startTestApp({ today: '2026-03-18', demo: false }))
  const sender = createSender(() => app.url)
  onCleanup(async () => {
    sender.close()
    await app.close()
  })
  const fuzzer = await createFuzzer(app)
  // HEAD is GET without its body. Uploads are tested separately, and aren't JSON. Without an endpoint, `/api/v1` only tells which methods
  // it takes.
  const isTried = ({ method, url, endpoint }: Route): boolean =>
    method !== 'HEAD' && url !== '*' && (endpoint ? endpoint !== importEndpoints.upload : !/^\/(assets|api\/v1)\//.test(url))
  const routes = table.filter(isTried)
  expect(routes.length).toBeGreaterThan(100)
  const stored = async () => sumsStored((await app.stores()).clickhouse, { property: await propertyId(app, fuzzer.site) }, span)
  const before = await stored()
  const lookAtStored = await lookAtOwner((await app.stores()).sql, fuzzer.site)
  return {
    app,
    routes,
    fuzzer,
    sender,
    ask: createAsker(sender, fuzzer.known),
    look: async () => ({ at: new Date(), stored: await lookAtStored() }),
    async expectWhole() {
      const headers = await fuzzer.restored()
      const lists = routes.filter(({ method, url }) => method === 'GET' && !url.includes(':') && url !== '/api/user/export')
      for (const { url } of lists) expectGood(app, await sender.send('GET', url, headers))
      expect(await stored()).toEqual(before)
      expect(app.logLines.filter((line) => line.includes('a request failed') || line.includes('does not match its contract'))).toEqual([])
    },
  }
})

/**
 * All rows, without those that refused requests write too: a key was used, somebody failed to sign in, or a test message failed to arrive.
 */
const rowsOf = ({ stored: tables }: Look): string[] =>
  Object.entries(tables).flatMap(([table, rows]) =>
    rows
      .filter((row) => !/"kind": "(key-used|sign-in-failed|test", "state": "failed)"/.test(row))
      .map((row) => `${table} ${row.replace(/"last_used_at": ("[^"]*"|null)/, '')}`),
  )

/** A refused request stores nothing, not even partially. Returns whether that was verified. */
async function expectNothingStored(app: TestApp, earlier: Look, later: Look): Promise<boolean> {
  const [was, is] = [rowsOf(earlier), rowsOf(later)]
  const changed = [...was.filter((row) => !is.includes(row)), ...is.filter((row) => !was.includes(row))]
  if (changed.length === 0) return true
  // Jobs queued by earlier requests write when their turn comes; those that send emails write nothing here.
  const { sql } = await app.stores()
  const work = await sql(
    `SELECT id FROM jobs.job WHERE name NOT LIKE 'mail%' AND (state = 'active' OR started_on >= $1 OR completed_on >= $1)`,
    [earlier.at],
  )
  if (work.length === 0) throw new Error(`refused, and yet stored: ${changed.join('; ').slice(0, 3_000)}`)
  return false
}

/** Whatever is requested, the response is one that somebody can act on. */
function expectGood(app: TestApp, { status, body, type }: Answered): void {
  const isGood = status < 500 || status === 502
  if (!isGood) throw new Error(`${status} ${body.slice(0, 300)}\n${app.logLines.at(-1)?.slice(0, 3_000)}`)
  if (status < 400) return
  if (type.startsWith('application/problem+json')) problem.parse(JSON.parse(body))
  else if (type.startsWith('application/json') && !body.includes('"jsonrpc"')) apiError.loose().parse(JSON.parse(body))
}

type Trial = { what: string; property: fc.IAsyncPropertyWithHooks<[unknown]> }

/** Continues after a failure, so that one run reports all of them. @param prepare restores what was tested */
async function failuresOf(trials: readonly Trial[], tries: number, seed: number, prepare: () => Promise<void>): Promise<string[]> {
  const failures: string[] = []
  for (const { what, property } of trials) {
    for (const how of series(tries, seed)) {
      await prepare()
      const { failed, counterexample, errorInstance } = await fc.check(property, how)
      if (!failed) continue
      failures.push(`${what} (FUZZ_SEED=${how.seed}) with ${fc.stringify(counterexample?.[0]).slice(0, 1_000)}: ${String(errorInstance)}`)
      break
    }
  }
  return failures
}

/**
 * Requests every route this many times, and checks that refused requests store nothing. @param share the fraction of the routes that has to
 * be reached: larger for longer runs
 */
export async function tryRoutes(
  { app, routes, fuzzer, ask, look, expectWhole }: Fuzzed,
  tries: number,
  seed: number,
  share: number,
): Promise<void> {
  /** Routes that succeeded at least once; the others refused everything. */
  const reached = new Set<Route>()
  let seenToStoreNothing = 0
  let who = await fuzzer.restored()
  /** After the request before, if nothing happened in between. */
  let lastLook: Look | null = null
  const trials = routes.map((route): Trial => {
    const property = fc.asyncProperty(asked(route, fuzzer.known) as fc.Arbitrary<unknown>, async (request) => {
      const earlier = lastLook ?? (await look())
      lastLook = null
      const answer = await ask(route, request as Asked, who)
      if (answer.status < 400) reached.add(route)
      expectGood(app, answer)
      if (answer.status < 400) return
      lastLook = await look()
      if (await expectNothingStored(app, earlier, lastLook)) seenToStoreNothing += 1
    })
    return { what: `${route.method} ${route.url}`, property }
  })
  const failures = await failuresOf(trials, tries, seed, async () => {
    who = await fuzzer.restored()
    lastLook = null
  })
  expect(failures).toEqual([])
  // If everything were refused immediately, nothing would have been tested.
  expect(reached.size).toBeGreaterThan(routes.length * share)
  expect(seenToStoreNothing).toBeGreaterThan(routes.length / 4)
  await expectWhole()
}

/** Calls every tool of MCP this many times. */
export async function tryTools({ app, fuzzer, ask, expectWhole }: Fuzzed, tries: number, seed: number): Promise<void> {
  let who = await fuzzer.restored()
  const route: Route = { method: 'POST', url: '/mcp' }
  const trials = (await toolsOf(app, fuzzer.key)).map(({ name, input }): Trial => {
    const params = anyOf(input, fuzzer.known).map((args) => ({ name, arguments: args }))
    const call = fc.oneof(
      { weight: 6, arbitrary: params.map((given) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: given })) },
      { weight: 1, arbitrary: fc.record({ jsonrpc: fc.constantFrom('2.0', '1.0'), id: wild, method: wildText, params: wild }) },
    )
    const property = fc.asyncProperty(call as fc.Arbitrary<unknown>, async (body) => {
      const headers = { accept: 'application/json, text/event-stream' }
      const answer = await ask(route, { params: {}, query: {}, body, raw: null, headers }, who)
      expectGood(app, answer)
      if (answer.body.includes('went wrong')) throw new Error(answer.body.slice(0, 500))
    })
    return { what: name, property }
  })
  const failures = await failuresOf(trials, tries, seed, async () => {
    who = await fuzzer.restored()
  })
  expect(failures).toEqual([])
  await expectWhole()
}

const publicPaths = [
  '/api/unsubscribe?token=',
  '/api/alert-verdict?token=',
  '/api/report-unsubscribe?token=',
  '/api/report-recipient?token=',
  '/api/shared/',
  '/api/v1/keywords?cursor=',
  '/api/auth/google/callback?state=',
]

/** Sends this many tokens, cursors, cookies and keys that nobody has issued. */
export async function tryPublicPaths({ app, fuzzer, sender, expectWhole }: Fuzzed, tries: number, seed: number): Promise<void> {
  const signed = fc.tuple(fc.base64String(), fc.base64String(), fc.base64String()).map((parts) => parts.join('.'))
  const token = fc.oneof(wildText, fc.base64String({ maxLength: 300 }), signed)
  const name = fc.constantFrom('ranklark.session_token', 'ranklark.two_factor', 'ranklark.google', 'ranklark.trust_device')
  await fuzzer.restored()
  const tried = fc.asyncProperty(
    fc.constantFrom(...publicPaths),
    name,
    token,
    token,
    header,
    async (start, cookieName, made, held, scheme) => {
      const cookie = `${cookieName}=${encoded(held).slice(0, 3_000)}; ${cookieName}=; =; ;;`
      const path = `${start}${encoded(made).slice(0, 4_000)}`
      for (const authorization of [`${scheme} ${encoded(made).slice(0, 3_000)}`, `Bearer ${fuzzer.key}`]) {
        const answer = await sender.send('GET', path, { cookie, authorization })
        expectGood(app, answer)
        const mustRefuse = start.startsWith('/api/shared') || start.startsWith('/api/unsub')
        expect(mustRefuse && answer.status < 400).toBe(false)
      }
      expect((await sender.send('GET', '/api/user', { cookie })).status).toBe(401)
      const code = await sender.send('POST', '/api/auth/two-factor', { cookie, 'content-type': 'application/json' }, '{"code":"123456"}')
      expect([400, 401, 429]).toContain(code.status)
    },
  )
  for (const how of series(tries, seed)) await fc.assert(tried, how)
  await expectWhole()
}
