import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test as vitest } from 'vitest'
import { z } from 'zod'
import { startTestApp } from '../../../test/support/app.ts'
import { throughConsent } from '../../../test/support/consent.ts'
import { type Belongings, samplesOf } from '../../../test/support/made-requests.ts'
import { leaveUnproven, newPerson, ownerOf } from '../../../test/support/people.ts'
import { rawRequest } from '../../../test/support/raw-request.ts'
import { type JsonSchema, type Route, withRouteTable } from '../../../test/support/route-table.ts'
import { lookAtOwner } from '../../../test/support/stored-of-owner.ts'
import { putAlerts } from '../../../test/support/stored-alerts.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { apiKeyMade } from '../../contract/api-keys.ts'
import { webRoot } from './static-files.ts'

// Every route as registered by the application, requested by a visitor, a stranger and the owner. New routes are covered without being
// added here: they have to turn visitors away, and must not reveal what belongs to somebody else.

const site = 'https://mine.example/'
const other = 'https://theirs.example/'

const { started: app, routes } = await withRouteTable(() => startTestApp({ today: '2026-03-18', demo: false }))
afterAll(() => app.close())

/** Routes that aren't contract endpoints, and why anybody may request them. */
const ofNoEndpoint: Record<string, string> = {
  'GET /healthz': 'for operators',
  'GET /readyz': 'for operators',
  'GET /metrics': 'for operators: counts and durations, nothing of anybody',
  'GET /': 'the landing page',
  'GET /help': 'the same for everybody',
  'GET /privacy': 'the same for everybody',
  'GET /terms': 'the same for everybody',
}

const nameOf = ({ method, url }: Route) => `${method === 'HEAD' ? 'GET' : method} ${url}`
const accessOf = ({ endpoint }: Route) => endpoint?.access
const isOpen = (route: Route) => {
  const access = accessOf(route)
  return access === undefined ? nameOf(route) in ofNoEndpoint || isFile(route) : typeof access === 'object' && 'anybody' in access
}
const isFile = ({ method, url }: Route) =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api') && url !== '/' && existsSync(join(webRoot, url))
const isOfThisMachine = (route: Route) => accessOf(route) === 'machine'
/** Besides its operations, the API tells which methods a path allows; MCP is its own protocol. */
const needsKey = (route: Route) => {
  const access = accessOf(route)
  return access === undefined ? /^\/(api\/v1\/|mcp$)/.test(route.url) : typeof access === 'object' && 'key' in access
}

const open = routes.filter((route) => isOpen(route) && !isFile(route))
const closed = routes.filter((route) => !isOpen(route))
const ofSessions = closed.filter((route) => !needsKey(route) && !isOfThisMachine(route))
const ofKeys = closed.filter(needsKey)
const named = (some: readonly Route[]) => some.map((route) => [`${route.method} ${route.url}`, route] as const)

/** HEAD is GET without its body, by the same code: behind the access check it is tested in the full run. */
const inTwoRuns = (some: readonly Route[]) =>
  [
    { tags: [], some: some.filter(({ method }) => method !== 'HEAD') },
    { tags: ['full'], some: some.filter(({ method }) => method === 'HEAD') },
  ] as const

type Who = 'owner' | 'stranger' | 'visitor'

/** The owner has at least one of everything, the stranger the same plan and none of it. */
const test = vitest
  .extend('known', { scope: 'file' }, async ({}) => {
    const cast: Record<Who, Visitor> = {
      owner: await ownerOf(app, site, { profile: 'local', days: 15, email: 'owner@example.test' }),
      stranger: await newPerson(app, { email: 'stranger@example.test', sites: { [other]: 'empty' }, plan: 'agency' }),
      visitor: app.visitor(),
    }
    const { sql } = await app.stores()
    await sql(`UPDATE people SET plan = 'agency'`)
    const make = async (path: string, body: unknown, who: Visitor = cast.owner): Promise<unknown> => {
      const answer = await who.send('POST', path, body)
      if (answer.status >= 300) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const makeKey = async (name: string, scope: 'read' | 'write', who?: Visitor) =>
      apiKeyMade.parse(await make('/api/keys', { name, scope, days: 1 }, who))
    const ids = await putAlerts(app, site, [
      { openedAt: '2026-03-16T09:00:00Z', entity: { kind: 'query', name: 'secret of the owner' } },
      { openedAt: '2026-03-15T09:00:00Z' },
    ])
    await make('/api/annotations', { date: '2026-03-10', text: 'secret of the owner', property: site })
    await make('/api/explore/saved', { kind: 'segment', name: 'secret of the owner', content: 'query contains secret' })
    const client = z
      .object({ id: z.string() })
      .parse(await make('/api/report-clients', { name: 'secret of the owner', properties: [site] })).id
    const subject = { property: site }
    const schedule = { subject, kind: 'week', paper: 'a4', recipients: ['a-secret@mine.example'], enabled: false }
    await make('/api/report-schedules', schedule)
    await make('/api/report-shares', { subject, kind: 'week', days: 7 })
    await make('/api/report-shares', { subject: { client }, kind: 'week', days: 7 })
    const runOf = `INSERT INTO report_runs (user_id, property_id, scheduled, title, kind, paper, period_start, period_end, state, total, recipients, pdf, created_at)
    SELECT user_id, id, false, name, 'week', 'a4', '2026-03-09', '2026-03-15', 'done', 1, '{}', '%PDF-', now() FROM properties WHERE name = $1`
    await sql(runOf, [site])
    await sql(
      `INSERT INTO notifications (user_id, channel, kind, message, next_attempt_at, give_up_at, created_at, state, sent_at)
     SELECT id, 'webhook', 'test', '{"kind":"test","property":null}', now(), now(), now(), 'sent', now() FROM users WHERE email = $1`,
      ['owner@example.test'],
    )
    await cast.owner.send('PUT', '/api/report-brand', { name: 'secret of the owner', color: '#123456', senderName: 'Mine', replyTo: null })
    const ofOwner = (await makeKey('secret of the owner', 'write')).key
    const [revoked, expired] = [await makeKey('gone', 'write'), await makeKey('old', 'write')]
    await cast.owner.send('DELETE', `/api/keys/${revoked.apiKey.id}`)
    await sql('UPDATE api_keys SET expires_at = $2 WHERE start = $1', [expired.key.slice(0, 7), app.google.now()])
    const keys = {
      owner: ofOwner,
      reader: (await makeKey('reads', 'read')).key,
      stranger: (await makeKey('of the stranger', 'write', cast.stranger)).key,
      revoked: revoked.key,
      expired: expired.key,
    }
    const belongings: Belongings = { property: site, client, alert: ids[0]! }
    /** Some requests change the plan, and a locked feature doesn't reveal ownership. */
    const onAgency = () => sql(`UPDATE people SET plan = 'agency' WHERE plan <> 'agency'`)
    return { cast, keys, belongings, sql, onAgency }
  })
  .extend('before', { scope: 'file' }, async ({ known: { sql } }) => {
    const look = await lookAtOwner(sql, site)
    const stored = await look()
    expect(JSON.stringify(stored)).toContain('secret of the owner')
    return { look, stored }
  })
  .extend('asking', { scope: 'file' }, ({ known: { cast, belongings } }) => {
    const cookieOf = (who: Who) => ({ cookie: [...cast[who].cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
    /** Like a browser that keeps its cookies: some requests renew the session. */
    async function askAs(who: Who, { method, path, body }: Pick<Asked, 'method' | 'path' | 'body'>, headers = {}): Promise<Received> {
      const answer = await cast[who].send(method as 'POST', path, body, { headers })
      return { status: answer.status, text: typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body) }
    }
    const asOwner: AskOwner = (path) => askAs('owner', { method: 'GET', path, body: undefined })
    function firstId(list: string, askOwner: AskOwner): Promise<string> {
      const asked =
        firstIds.get(list) ??
        askOwner(list).then(({ text }) => {
          const id = idIn(JSON.parse(text))
          if (id === null)
            throw new Error(`The owner has nothing under ${list}: give them one in the fixture "known". ${text.slice(0, 300)}`)
          return id
        })
      firstIds.set(list, asked)
      return asked
    }
    /** Requests to a route, about the owner's belongings wherever possible. */
    async function requestsTo(route: Route, askOwner: AskOwner = asOwner, whose: Belongings = belongings): Promise<Asked[]> {
      const list = route.url.split('/:id')[0] ?? ''
      const hasId = list !== route.url
      const path = hasId ? route.url.replace(':id', await firstId(list, askOwner)) : route.url.replace(':token', 'guessed')
      const none = [{ value: undefined, names: false }]
      const queries = route.query ? samplesOf(route.query, whose) : none
      const bodies = route.body ? samplesOf(route.body, whose) : none
      return queries.flatMap((query) =>
        bodies.map((body) => {
          const search = new URLSearchParams(query.value as Record<string, string> | undefined).toString()
          return {
            method: route.method,
            path: search === '' ? path : `${path}?${search}`,
            body: body.value,
            names: hasId || query.names || body.names,
          }
        }),
      )
    }
    return { cookieOf, askAs, asOwner, firstId, requestsTo }
  })

/** Only the owner sees these. */
const marks = ['mine.example', 'secret of the owner', 'owner@example.test']

type Asked = { method: string; path: string; body: unknown; names: boolean }
type Received = { status: number; text: string }
type AskOwner = (path: string) => Promise<Received>

async function ask({ method, path, body }: Omit<Asked, 'names'>, headers: Record<string, string>): Promise<Received> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const answer = await fetch(new URL(path, app.url), {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
    ...(text !== undefined && { body: text }),
  })
  return { status: answer.status, text: await answer.text() }
}
let address = 0
/** This many guesses from one address would hit the rate limit. */
const withKey = (key: string) => ({ authorization: `Bearer ${key}`, 'x-forwarded-for': `10.1.${(address += 1) >> 8}.${address & 255}` })

/** The first item of an owner's list; an object's own path begins with its list. */
const firstIds = new Map<string, Promise<string>>()
function idIn(body: unknown): string | null {
  if (body === null || typeof body !== 'object') return null
  if (Array.isArray(body) && body.length > 0 && body[0]?.id !== undefined) return String(body[0].id)
  return Object.values(body).reduce<string | null>((found, part) => found ?? idIn(part), null)
}

function expectNothingOfTheOwner({ path, body }: Asked, { text }: Received): void {
  const said = `${decodeURIComponent(path)} ${JSON.stringify(body)}`
  for (const mark of marks.filter((each) => !said.includes(each))) expect(text).not.toContain(mark)
}

describe('the list of routes', () => {
  test('has every known entry, and none for a route that no longer exists', () => {
    expect(routes.map(nameOf)).toEqual(expect.arrayContaining(['POST /api/gsc-properties/select', 'POST /mcp', 'GET /api/v1/metrics']))
    const known = new Set(routes.map(nameOf))
    expect(Object.keys(ofNoEndpoint).filter((name) => !known.has(name) && existsSync(webRoot))).toEqual([])
    expect(ofSessions.length).toBeGreaterThan(100)
  })

  test("has no route that isn't in the contract", () => {
    expect(ofSessions.filter(({ endpoint }) => endpoint === undefined)).toEqual([])
    const unstated = routes.filter((route) => route.endpoint === undefined && !isFile(route) && !needsKey(route))
    expect(unstated.map(nameOf).filter((name) => !(name in ofNoEndpoint))).toEqual([])
  })

  test('every path parameter has a schema', () => {
    for (const { url, params } of routes.filter(({ endpoint }) => endpoint !== undefined))
      expect({ url, params: Object.keys(params?.properties ?? {}) }).toEqual({
        url,
        params: Array.from(url.matchAll(/:(\w+)/g), ([, name]) => name),
      })
  })
})

describe('a visitor has to log in', () => {
  test.for(named(ofSessions))('%s', async ([_name, route], { asking: { askAs, requestsTo } }) => {
    for (const request of await requestsTo(route)) {
      const response = await askAs('visitor', request)
      // 400 would mean that the generated request no longer fits the route: see test/support/made-requests.ts.
      expect({ ...request, status: response.status }).toEqual({ ...request, status: 401 })
      expectNothingOfTheOwner(request, response)
    }
  })
})

describe('public routes reveal nothing about anyone', () => {
  test.for(named(open))('%s', async ([_name, route], { asking: { askAs, requestsTo } }) => {
    for (const request of await requestsTo(route)) {
      const response = await askAs('visitor', request)
      expect(response.status).toBeLessThan(500)
      expectNothingOfTheOwner(request, response)
    }
  })
})

describe("internal routes require this machine's token", () => {
  test.for(named(routes.filter(isOfThisMachine)))('%s', async ([_name, { method, url }], { asking: { askAs } }) => {
    for (const who of ['visitor', 'stranger', 'owner'] as const)
      expect((await askAs(who, { method, path: url, body: undefined })).status).toBe(401)
  })
})

describe("a stranger can't find or change anything of the owner's", () => {
  test.beforeAll(({ before: _looked }) => {})
  test.beforeEach(async ({ known: { onAgency } }) => void (await onAgency()))

  for (const { tags, some } of inTwoRuns(ofSessions.filter(({ url, method }) => url !== '/api/user' || method !== 'DELETE')))
    test.for(named(some))('%s', { tags: [...tags] }, async ([_name, route], { asking: { askAs, requestsTo } }) => {
      for (const request of await requestsTo(route)) {
        const response = await askAs('stranger', request)
        const fitting = request.names ? response.status === 404 : response.status !== 401 && response.status !== 500
        expect({ ...request, ...response, fitting }).toMatchObject({ fitting: true })
        expectNothingOfTheOwner(request, response)
        // Optional parameters refer to one's own data.
        const bare = { ...request, path: request.path.split('?')[0] ?? '' }
        if (route.method === 'GET' && bare.path !== request.path) expectNothingOfTheOwner(bare, await askAs('stranger', bare))
      }
    })

  test.for(['?property=all', `?property=${encodeURIComponent(other)}`])(
    'lists contain only their own: %s',
    async (query, { asking: { askAs } }) => {
      for (const { url } of ofSessions.filter(({ method, query: asks }) => method === 'GET' && asks?.properties?.['property']))
        expectNothingOfTheOwner(
          { method: 'GET', path: url + query, body: undefined, names: false },
          await askAs('stranger', { method: 'GET', path: url + query, body: undefined }),
        )
    },
  )

  test('not even by pointing something of their own at it', async ({
    known: { belongings, sql },
    asking: { askAs, asOwner, firstId, requestsTo },
  }) => {
    const theirs: Belongings = { property: other, client: '', alert: '' }
    const monitored = (is: boolean) => sql('UPDATE properties SET monitored = $2 WHERE name = $1', [other, is])
    await monitored(true)
    onTestFinished(async () => void (await monitored(false)))
    const speaks = (part: JsonSchema | undefined) => part !== undefined && samplesOf(part, belongings).some(({ names }) => names)
    const pointing = ofSessions.filter(({ url, query, body }) => url.includes('/:id') && (speaks(query) || speaks(body)))
    expect(pointing.map(nameOf)).toEqual(expect.arrayContaining(['PUT /api/report-clients/:id', 'PUT /api/report-schedules/:id']))
    for (const route of pointing) {
      const list = route.url.split('/:id')[0] ?? ''
      const maker = ofSessions.find(({ method, url }) => method === 'POST' && url === list)
      if (!maker?.body) throw new Error(`Nothing is made by POST ${list}: give the stranger one in another way.`)
      const made = await askAs('stranger', { method: 'POST', path: list, body: samplesOf(maker.body, theirs)[0]?.value })
      expect(made).toMatchObject({ status: 201 })
      const { id } = z.object({ id: z.string() }).parse(JSON.parse(made.text))
      const ownersId = await firstId(list, asOwner)
      const atOwn = async (whose: Belongings) =>
        (await requestsTo(route, asOwner, whose)).map((one) => ({ ...one, path: one.path.replace(`${list}/${ownersId}`, `${list}/${id}`) }))
      for (const request of await atOwn(belongings)) {
        const response = await askAs('stranger', request)
        expect({ ...request, status: response.status }).toEqual({ ...request, status: 404 })
        expectNothingOfTheOwner(request, response)
      }
      // The object they pointed at wasn't found.
      const [own] = await atOwn(theirs)
      expect((await askAs('stranger', own!)).status).toBeLessThan(300)
    }
  })

  test("everything of the owner's is unchanged", async ({ before: { look, stored } }) => {
    expect(await look()).toEqual(stored)
  })
})

describe('API keys', () => {
  const expectScope = ({ endpoint }: Route): 'read' | 'write' => {
    if (typeof endpoint?.access !== 'object' || !('key' in endpoint.access)) throw new Error('No endpoint for programs')
    return endpoint.access.key
  }
  test.beforeAll(async ({ known: { onAgency } }) => void (await onAgency()))
  for (const { tags, some } of inTwoRuns(ofKeys))
    test.for(named(some))(
      '%s: rejects sessions, revoked keys, expired keys and guesses',
      { tags: [...tags] },
      async ([_name, { method, url }], { known: { keys }, asking: { cookieOf } }) => {
        const path = url.replace(':id', '1')
        const body = method === 'GET' || method === 'HEAD' ? undefined : {}
        for (const headers of [
          cookieOf('owner'),
          withKey(keys.revoked),
          withKey(keys.expired),
          withKey(`rk_${'x'.repeat(43)}`),
          { authorization: `Basic ${keys.owner}` },
        ])
          expect([401, 405]).toContain(
            (await ask({ method, path, body }, { ...headers, 'x-forwarded-for': `10.2.0.${(address += 1) & 255}` })).status,
          )
      },
    )

  test.for(named(ofKeys.filter(({ method, endpoint }) => endpoint !== undefined && method !== 'HEAD')))(
    "%s, with a stranger's key and with a read-only key",
    async ([_name, route], { known: { keys }, asking: { requestsTo } }) => {
      const isWrite = expectScope(route) === 'write'
      const byKey: AskOwner = (path) =>
        ask({ method: 'GET', path: `${path}?property=${encodeURIComponent(site)}`, body: undefined }, withKey(keys.owner))
      for (const request of await requestsTo(route, byKey)) {
        const response = await ask(request, withKey(keys.stranger))
        expect(response.status).toBe(request.names ? 404 : 200)
        expectNothingOfTheOwner(request, response)
        const ofReader = isWrite ? (await ask(request, withKey(keys.reader))).status : 403
        expect(ofReader).toBe(403)
      }
    },
  )

  test("MCP tools, with a stranger's key and with a read-only key", async ({ known: { keys, belongings } }) => {
    const call = async (key: string, method: string, params: object): Promise<{ result: unknown; text: string }> => {
      const headers = { ...withKey(key), accept: 'application/json, text/event-stream' }
      const { text } = await ask({ method: 'POST', path: '/mcp', body: { jsonrpc: '2.0', id: 1, method, params } }, headers)
      return { result: z.looseObject({ result: z.unknown().optional() }).parse(JSON.parse(text)).result ?? { isError: true }, text }
    }
    const listed = z
      .object({
        tools: z.array(
          z.object({ name: z.string(), inputSchema: z.looseObject({}), annotations: z.looseObject({ readOnlyHint: z.boolean() }) }),
        ),
      })
      .parse((await call(keys.stranger, 'tools/list', {})).result)
    expect(listed.tools.length).toBeGreaterThan(5)
    for (const { name, inputSchema, annotations } of listed.tools) {
      for (const { value, names } of samplesOf(inputSchema as JsonSchema, belongings)) {
        const answer = await call(keys.stranger, 'tools/call', { name, arguments: value })
        const { isError } = z.looseObject({ isError: z.boolean().default(false) }).parse(answer.result)
        expect({ name, refused: isError || !names }).toEqual({ name, refused: true })
        expectNothingOfTheOwner({ method: name, path: '', body: value, names }, { status: 200, text: answer.text })
        const ofReader = annotations.readOnlyHint
          ? { isError: true }
          : (await call(keys.reader, 'tools/call', { name, arguments: value })).result
        expect(ofReader).toMatchObject({ isError: true })
      }
    }
  })
})

describe('other spellings of a path or method lead nowhere', () => {
  /** Unchanged, without `fetch`'s normalization. */
  const raw = (method: string, path: string, headers = {}) => rawRequest(Number(new URL(app.url).port), { method, path, headers })

  const reading = ofSessions.filter(({ method, url }) => method === 'GET' && !url.includes(':'))
  // All take the same path until their route is found.
  const plainPaths = reading.filter((_route, index) => index % 8 === 0)

  test.for([
    ['a slash at the end', (path: string) => `${path}/`],
    ['capitals', (path: string) => path.toUpperCase()],
    ['double slashes', (path: string) => path.replaceAll('/', '//')],
    ['a dot', (path: string) => path.replace('/api/', '/api/./')],
    ['two dots', (path: string) => path.replace('/api/', '/help/../api/')],
    ['two encoded dots', (path: string) => path.replace('/api/', '/help/%2e%2e/api/')],
    ['an encoded slash', (path: string) => path.replace('/api/', '/api%2F')],
    ['encoded letters', (path: string) => path.replace('/api/', '/%61%70%69/')],
    ['an extension', (path: string) => `${path}.json`],
    ['a part after a semicolon', (path: string) => `${path};a=b`],
    ['a whole URL', (path: string) => `http://localhost${path}`],
    ['a NUL', (path: string) => `${path}%00`],
  ] as const)('%s', async ([_what, written], { asking: { cookieOf } }) => {
    for (const { url } of plainPaths) {
      for (const headers of [{}, cookieOf('stranger')]) {
        const response = await raw('GET', written(url), headers)
        expect(response.status).toBeLessThan(500)
        for (const mark of marks) expect(response.text).not.toContain(mark)
      }
      expect([400, 401, 404]).toContain((await raw('GET', written(url))).status)
    }
  })

  test.for(['OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'QUERY'])('%s', async (method, { asking: { cookieOf } }) => {
    for (const path of ['/api/user', '/api/alerts', '/']) {
      const response = await raw(method, path, cookieOf('owner'))
      expect([400, 403, 404, 405]).toContain(response.status)
      for (const mark of marks) expect(response.text).not.toContain(mark)
    }
  })

  test('a property or ID given twice is refused', async ({ asking: { cookieOf } }) => {
    const twice = `property=${encodeURIComponent(other)}&property=${encodeURIComponent(site)}`
    for (const { url } of ofSessions.filter(
      ({ method, url: path, query }) => method === 'GET' && !path.includes(':') && query?.properties?.['property'],
    ))
      expect((await raw('GET', `${url}?${twice}`, cookieOf('stranger'))).status).toBe(400)
    for (const part of ['1,2', '1%2C2', '0x1', '-1', '1.0', '9'.repeat(30), '1%20OR%201=1'])
      expect([400, 404]).toContain((await raw('GET', `/api/alerts/${part}`, cookieOf('stranger'))).status)
  })
})

describe('a cross-site request', () => {
  const forged = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  const writing = ofSessions.filter(({ method }) => method !== 'GET' && method !== 'HEAD')

  // The request's content isn't looked at before that.
  test.for(forged)('%j is refused, whatever it requests', async (headers, { asking: { cookieOf } }) => {
    const tried = headers === forged[0] ? writing : writing.filter((_route, index) => index % 6 === 0)
    for (const { method, url } of tried) {
      const response = await ask(
        { method, path: url.replace(':id', '1'), body: {} },
        { ...cookieOf('owner'), ...(headers as Record<string, string>) },
      )
      expect({ url, ...response }).toMatchObject({
        url,
        status: 403,
        text: '{"message":"This request came from another site, so it was refused."}',
      })
    }
    const login = await app
      .visitor()
      .send('POST', '/api/auth/login', { username: 'demo', password: 'demo-password' }, { headers: headers as Record<string, string> })
    expect(login.status).toBe(403)
  })

  test('requests from our own pages are allowed', async ({ known: { cast } }) => {
    const headers = { origin: new URL(app.url).origin, 'sec-fetch-site': 'same-origin' }
    expect((await cast.owner.send('POST', '/api/sync', { property: site }, { headers })).status).toBe(202)
  })

  const { port } = new URL(app.url)
  const loginFrom = (host: string) =>
    rawRequest(Number(port), {
      method: 'POST',
      path: '/api/auth/login',
      headers: { host, origin: `http://${host}`, 'content-type': 'application/json' },
      body: '{"username":"nobody","password":"a-good-password"}',
    })

  test.each([
    'localhost',
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    'ranklark.localhost:8080',
    '192.168.1.5:3000',
    'nas:3000',
    'nas.local',
  ])("people can log in at %s, which isn't a name that could be rebound", async (host) => expect((await loginFrom(host)).status).toBe(401))

  test.each([
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.localdomain',
    'local.evil.example',
    '127.0.0.1.nip.io',
  ])('a page at %s, rebound to this machine, counts as another site', async (host) => {
    const { status, text } = await loginFrom(host)
    expect(status).toBe(403)
    expect((JSON.parse(text) as { message: string }).message).toContain(app.url)
  })

  test.for(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain; application/json', ''])(
    'a cross-site form, which can send %s but not JSON, is refused',
    async (type, { known: { cast } }) => {
      const rawBody = `{"selectedProperty":${JSON.stringify(site)}}`
      const answer = await cast.owner.send('POST', '/api/gsc-properties/select', undefined, { rawBody, headers: { 'content-type': type } })
      expect([400, 415]).toContain(answer.status)
    },
  )
})

describe("a session alone isn't enough for sensitive requests, which require a recent proof of identity", () => {
  const asking = routes.filter(({ method, endpoint }) => endpoint?.proof !== undefined && method !== 'HEAD')

  const reportTo = (recipient: string) => ({
    subject: { property: 'mine' },
    kind: 'week',
    paper: 'a4',
    recipients: [recipient],
    enabled: true,
  })

  test('every such route is listed', () => {
    // Ways into the account, and who is in it, all of its data, where its alerts and reports go, what these say to others, and its money.
    expect(asking.map(nameOf).toSorted()).toEqual([
      'DELETE /api/user',
      'DELETE /api/user/google-sign-ins',
      'DELETE /api/user/sessions',
      'DELETE /api/user/two-factor',
      'GET /api/auth/google',
      'GET /api/user/export',
      'PATCH /api/annotations/:id',
      'PATCH /api/explore/saved/:id',
      'PATCH /api/user',
      'POST /api/annotations',
      'POST /api/create-subscription',
      'POST /api/delivery-channels/webhook/secret',
      'POST /api/import',
      'POST /api/keys',
      'POST /api/report-runs',
      'POST /api/report-schedules',
      'POST /api/report-shares',
      'POST /api/subscription/change',
      'POST /api/subscription/portal',
      'POST /api/subscription/resume',
      'POST /api/user/two-factor',
      'POST /api/user/two-factor/confirm',
      'POST /api/user/two-factor/recovery-codes',
      'PUT /api/delivery-channels/email',
      'PUT /api/delivery-channels/slack',
      'PUT /api/delivery-channels/sms',
      'PUT /api/delivery-channels/webhook',
      'PUT /api/report-brand',
      'PUT /api/report-brand/logo',
      'PUT /api/report-clients/:id',
      'PUT /api/report-schedules/:id',
    ])
  })

  test.for(named(asking))(
    '%s',
    async ([_name, route], { known: { cast, belongings, sql }, asking: { askAs, asOwner, cookieOf, firstId } }) => {
      await leaveUnproven(app)
      // Somebody else gets a report with the owner's segment in its title.
      await sql('UPDATE report_schedules SET enabled = true, segment_id = (SELECT id FROM saved_explorations LIMIT 1)')
      onTestFinished(async () => void (await sql('UPDATE report_schedules SET enabled = false, segment_id = NULL')))
      const before = (await cast.owner.get('/api/user')).body
      if (nameOf(route) === 'GET /api/auth/google') {
        // Somebody else's Google account isn't a proof, and doesn't get connected.
        expect(await throughConsent(cast.owner, { account: 'stranger@example.test' })).toBe('/dashboard?connected=prove')
      } else if (nameOf(route) === 'POST /api/import') {
        // Not JSON.
        const form = new FormData()
        form.append('property', site)
        form.append('file', new Blob(['Date,Clicks\n2024-01-01,1']), 'figures.csv')
        const answer = await fetch(new URL(route.url, app.url), { method: 'POST', body: form, headers: cookieOf('owner') })
        expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 403, body: { code: 'proof-needed' } })
      } else {
        // What gives somebody else the account or its reports.
        const others: Readonly<Record<string, unknown>> = {
          '/api/create-subscription': { planType: 'free' },
          '/api/user': { email: 'mine@mine.example' },
          '/api/report-schedules': reportTo('mine@mine.example'),
          '/api/report-schedules/:id': reportTo('mine@mine.example'),
          '/api/report-clients/:id': { name: 'mine', properties: [site, other] },
          '/api/annotations': { date: '2026-03-10', text: 'mine', property: site, inReports: true },
          '/api/annotations/:id': { text: 'mine', inReports: true },
          '/api/report-runs': {
            subject: { property: site },
            kind: 'week',
            paper: 'a4',
            schedule: await firstId('/api/report-schedules', asOwner),
          },
          '/api/report-brand': { name: 'mine', color: '#123456', senderName: 'mine', replyTo: 'mine@mine.example' },
        }
        const [list = '', ofOne] = route.url.split('/:id')
        const path = ofOne === undefined ? route.url : `${list}/${await firstId(list, asOwner)}${ofOne}`
        const samples = route.body ? samplesOf(route.body, belongings).map(({ value }) => value) : [undefined]
        for (const body of ['PATCH', 'POST', 'PUT'].includes(route.method) && route.url in others ? [others[route.url]] : samples) {
          const response = await askAs('owner', { method: route.method, path, body })
          expect(response).toMatchObject({ status: 403 })
          expect(JSON.parse(response.text)).toMatchObject({ code: 'proof-needed' })
        }
      }
      expect((await cast.owner.get('/api/user')).body).toEqual(before)
    },
  )
})

// Last: anything deleted here is gone.
describe('the owner has access', () => {
  const order = ['HEAD', 'GET', 'PUT', 'PATCH', 'POST', 'DELETE']
  const mine = ofSessions
    .filter(({ url, method }) => !(method === 'DELETE' && url === '/api/user'))
    // Disconnecting would remove what the others request.
    .filter(({ url, method }) => !(method === 'PATCH' && url === '/api/user'))
    .toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))

  for (const { tags, some } of inTwoRuns(mine))
    test.for(named(some))('%s', { tags: [...tags] }, async ([_name, route], { known: { onAgency }, asking: { askAs, requestsTo } }) => {
      await onAgency()
      firstIds.clear()
      for (const request of await requestsTo(route)) {
        const { status, text } = await askAs('owner', request)
        // The stranger's 404 only counts if the object exists.
        expect({ ...request, status, text }).not.toMatchObject({ status: request.names ? 404 : 401 })
        expect([401, 500, 503]).not.toContain(status)
      }
    })
})
