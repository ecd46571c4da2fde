import { connect } from 'node:net'
import { describe, expect, onTestFinished } from 'vitest'
import { appTest } from '../../../test/support/app-test.ts'
import type { TestApp } from '../../../test/support/app.ts'
import { runJob } from '../../../test/support/jobs.ts'
import { member, newPerson } from '../../../test/support/people.ts'
import { watchedAtOnce } from '../../../test/support/stored-history.ts'
import type { Sql } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'
import type { Answer, Visitor } from '../../../test/support/visitor.ts'
import { problem, type ProblemName } from '../../contract/api-v1/problems.ts'
import { apiAlerts } from '../../contract/api-v1/alerts.ts'
import { apiKeywords, apiPages } from '../../contract/api-v1/figures.ts'
import { apiKeyMade, apiKeys } from '../../contract/api-keys.ts'
import { operations } from './operations.ts'
import { requestsOfAccount } from './rate-limit.ts'

const site = 'https://mine.example/'
const named = `property=${encodeURIComponent(site)}`

const test = appTest({ today: '2026-03-18', demo: false })
  .extend(
    'sql',
    { scope: 'file' },
    ({ app }): Sql =>
      async <Row extends object>(text: string, values?: unknown[]) =>
        (await app.stores()).sql<Row>(text, values),
  )
  .extend('people', { scope: 'file' }, async ({ app }) => {
    const owner = await newPerson(app, { email: 'owner@example.test', sites: { [site]: 'local' }, plan: 'agency' })
    await watchedAtOnce(app, site, { days: 20 })
    return { owner, stranger: await member(app, { email: 'stranger@example.test', plan: 'agency' }) }
  })
  .extend('keys', { scope: 'file' }, async ({ people }) => ({
    write: await makeKey(people.owner, 'write'),
    read: await makeKey(people.owner, 'read'),
    stranger: await makeKey(people.stranger, 'write'),
  }))
  .extend('lesser', { scope: 'file' }, ({ app, sql, people }) => lesserKeys(app, sql, people.owner))
  .extend('alertIds', { scope: 'file' }, ({ sql, people: _owner }) =>
    addAlerts(sql, ['2026-03-10T08:00:00Z', '2026-03-11T08:00:00Z', '2026-03-12T08:00:00Z', '2026-03-12T08:00:00Z']),
  )
  /** A program: no cookies, one key. */
  .extend(
    'call',
    { scope: 'file' },
    ({ app, keys }) =>
      (method: Method, path: string, { key = keys.write as string | null, body, headers }: CallOptions = {}): Promise<Answer> => {
        const extra = { headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...headers } }
        const program = app.visitor()
        return method === 'GET' ? program.get(`/api/v1${path}`, extra) : program.send(method, `/api/v1${path}`, body, extra)
      },
  )
  .extend('expectProblem', { scope: 'file' }, ({ app }) => (answer: Answer, name: ProblemName, field?: string): void => {
    const found = problem.parse(answer.body)
    expect({ status: answer.status, type: found.type, field: found.field }).toEqual({
      status: found.status,
      type: `${app.url}/api/docs#problem-${name}`,
      field,
    })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  })

const planOf = (sql: Sql, email: string, plan: string) =>
  sql('UPDATE people SET plan = $2 WHERE user_id = (SELECT id FROM users WHERE email = $1)', [email, plan])

async function makeKey(person: Visitor, scope: 'read' | 'write', days: number | null = null): Promise<string> {
  const answer = await person.send('POST', '/api/keys', { name: `My ${scope} key`, scope, days })
  expect(answer.status).toBe(201)
  return apiKeyMade.parse(answer.body).key
}

async function addAlerts(sql: Sql, times: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const [index, at] of times.entries()) {
    const [row] = await sql<{ id: string }>(
      `INSERT INTO alerts (property_id, type, entity_kind, entity_name, severity, state, message, opened_at, judged_at)
       SELECT id, 'clicks', 'page', $2, $3, 'firing', 'Data <late> & so on', $4, now() FROM properties WHERE name = $1 RETURNING id`,
      [site, `late ${at} ${index}`, index % 2 ? 'critical' : 'warning', at],
    )
    ids.push(String(row!.id))
  }
  return ids
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Call = (method: Method, path: string, options?: CallOptions) => Promise<Answer>
type Asking = { call: Call; raw: (text: string, type: string) => Promise<Answer> }
type CallOptions = { key?: string | null; body?: unknown; headers?: Record<string, string> }

/** The problem type of an answer; undefined on success. */
const typeOf = (answer: Answer): string => problem.safeParse(answer.body).data?.type.split('#problem-')[1] ?? ''

/** Keys with fewer rights, or none anymore. */
async function lesserKeys(app: TestApp, sql: Sql, owner: Visitor) {
  const expired = await makeKey(owner, 'write', 1)
  await sql(`UPDATE api_keys SET expires_at = $2 WHERE start = $1`, [expired.slice(0, 7), app.google.now()])
  const gone = apiKeyMade.parse((await owner.send('POST', '/api/keys', { name: 'Gone', scope: 'write', days: null })).body)
  await owner.send('DELETE', `/api/keys/${gone.apiKey.id}`)
  const lapsed = await member(app, { email: 'lapsed@example.test', plan: 'agency' })
  const free = await makeKey(lapsed, 'write')
  await planOf(sql, 'lapsed@example.test', 'free')
  const smaller = await member(app, { email: 'pro@example.test', plan: 'agency' })
  const pro = await makeKey(smaller, 'write')
  await planOf(sql, 'pro@example.test', 'pro')
  return { expired, revoked: gone.key, free, pro }
}

describe('keys in the app', () => {
  test('a key is shown once; afterwards only its start and when it was used', async ({ app, people, call }) => {
    const answer = await people.owner.send('POST', '/api/keys', { name: ' Looker ', scope: 'read', days: 30 })
    const made = apiKeyMade.parse(answer.body)
    expect(made.key).toMatch(/^rk_[\w-]{43}$/)
    expect(made.apiKey).toMatchObject({ name: 'Looker', scope: 'read', start: made.key.slice(0, 7), lastUsedAt: null })
    expect(new Date(made.apiKey.expiresAt!).getTime() - new Date(made.apiKey.createdAt).getTime()).toBe(30 * 86_400_000)

    await call('GET', '/properties', { key: made.key })
    const list = await people.owner.get('/api/keys')
    expect(JSON.stringify(list.body)).not.toContain(made.key)
    const shown = apiKeys.parse(list.body).keys.find(({ id }) => id === made.apiKey.id)!
    expect(shown.lastUsedAt).toBe(app.google.now().toISOString())
  })

  test('the use of a key is recorded at most once a minute', async ({ app, sql, people, call }) => {
    const key = await makeKey(people.owner, 'read')
    const used = async (secondsAgo: number) => {
      const noted = new Date(app.google.now().getTime() - secondsAgo * 1_000)
      await sql('UPDATE api_keys SET last_used_at = $2 WHERE start = $1', [key.slice(0, 7), noted])
      await call('GET', '/properties', { key })
      const [row] = await sql<{ at: Date }>('SELECT last_used_at AS at FROM api_keys WHERE start = $1', [key.slice(0, 7)])
      return (app.google.now().getTime() - row!.at.getTime()) / 1_000
    }
    expect(await used(59)).toBe(59)
    expect(await used(61)).toBe(0)
  })

  test('neither the log nor the database contains a key', async ({ app, sql, keys }) => {
    const lines = app.logLines.join('\n')
    const dump = JSON.stringify([await sql('SELECT * FROM api_keys'), await sql('SELECT * FROM api_requests')])
    for (const key of Object.values(keys)) {
      expect(lines).not.toContain(key.slice(7))
      expect(dump).not.toContain(key.slice(7))
    }
    expect(dump).toContain(keys.write.slice(0, 7))
  })

  test('a revoked key is refused immediately, and only its owner can revoke it', async ({ people, call, expectProblem }) => {
    const made = apiKeyMade.parse((await people.owner.send('POST', '/api/keys', { name: 'Old', scope: 'read', days: null })).body)
    const path = `/api/keys/${made.apiKey.id}`
    expect((await people.stranger.send('DELETE', path)).status).toBe(404)
    expect((await call('GET', '/properties', { key: made.key })).status).toBe(200)
    expect((await people.owner.send('DELETE', path)).status).toBe(204)
    expectProblem(await call('GET', '/properties', { key: made.key }), 'unauthenticated')
    expect((await people.owner.send('DELETE', path)).status).toBe(404)
  })

  test('a user has at most 50 keys, however many are requested at once', async ({ app, sql }) => {
    const crowd = await member(app, { email: 'crowd@example.test', plan: 'agency' })
    const [{ id }] = (await sql<{ id: string }>(`SELECT id FROM users WHERE email = 'crowd@example.test'`)) as [{ id: string }]
    await sql(
      `INSERT INTO api_keys (user_id, name, scope, hash, start, created_at)
       SELECT $1, 'k', 'read', sha256(('k' || n)::bytea), 'rk_', now() FROM generate_series(1, 48) n`,
      [id],
    )
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await crowd.send('POST', '/api/keys', { name: 'k', scope: 'read', days: null })).status),
    )
    expect(statuses.toSorted()).toEqual([201, 201, 409, 409, 409])
  })
})

/** A valid request by the owner for each operation, and its answer. */
const requests: Record<string, { path: string; body?: unknown; owner?: number; stranger?: number }> = {
  listProperties: { path: '/properties', stranger: 200 },
  getMetrics: { path: `/metrics?${named}` },
  getSummary: { path: `/summary?${named}` },
  getSeries: { path: `/series?${named}&days=7` },
  listKeywords: { path: `/keywords?${named}` },
  listPages: { path: `/pages?${named}` },
  listOpportunities: { path: `/opportunities?${named}` },
  listSegments: { path: '/segments', stranger: 200 },
  listAlerts: { path: `/alerts?${named}` },
  getAlert: { path: '/alerts/:alert' },
  acknowledgeAlert: { path: '/alerts/:alert/acknowledge' },
  snoozeAlert: { path: '/alerts/:alert/snooze', body: { until: '2026-04-01T00:00:00Z' } },
  unsnoozeAlert: { path: '/alerts/:alert/unsnooze' },
  rateAlert: { path: '/alerts/:alert/verdict', body: { verdict: 'noise' } },
  listConditions: { path: `/conditions?${named}` },
  createCondition: { path: `/conditions?${named}`, body: { type: 'clicks' }, owner: 201 },
  backtestCondition: { path: `/conditions/backtest?${named}`, body: { type: 'clicks' } },
  getCondition: { path: '/conditions/:condition' },
  updateCondition: { path: '/conditions/:condition', body: { threshold: 21 } },
  deleteCondition: { path: '/conditions/:condition', owner: 204 },
  listAnnotations: { path: `/annotations?${named}` },
  createAnnotation: { path: '/annotations', body: { date: '2026-03-10', text: 'x', property: site }, owner: 201 },
  updateAnnotation: { path: '/annotations/:annotation', body: { text: 'y' } },
  deleteAnnotation: { path: '/annotations/:annotation', owner: 204 },
  listIncidents: { path: '/incidents', stranger: 200 },
  exportKeywords: { path: `/exports/keywords?${named}` },
  exportPages: { path: `/exports/pages?${named}` },
  exportOpportunities: { path: `/exports/opportunities?${named}` },
  exportDaily: { path: `/exports/daily?grain=page&${named}` },
}

describe('access', () => {
  test('every operation is tested here', () => {
    expect(Object.keys(requests).toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
  })

  const idOf = async ({ body }: Answer): Promise<string> => (body as { id: string }).id

  test.for(operations.map((operation) => [operation.id, operation] as const))(
    '%s',
    async ([id, { method, scope }], { keys, call, expectProblem, alertIds, lesser }) => {
      const { path, body, owner = 200, stranger = 404 } = requests[id]!
      const { expired, revoked, pro, free } = lesser
      // Objects named in the path exist for this request only.
      const note = { date: '2026-03-09', text: 'Mine', property: site }
      const [kind] = /:(alert|condition|annotation)/.exec(path) ?? []
      const made =
        kind === ':condition'
          ? await idOf(await call('POST', `/conditions?${named}`, { body: { type: 'ctr' } }))
          : kind === ':annotation'
            ? await idOf(await call('POST', '/annotations', { body: note }))
            : alertIds[0]!
      const place = kind ? path.replace(kind, made) : path
      const as = (key: string | null) => call(method, place, { key, body })

      for (const key of [null, revoked, expired, 'rk_short', 'nothing']) {
        const answer = await asSomebody(key)
        expectProblem(answer, 'unauthenticated')
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="Ranklark"/)
      }
      const locked = await as(free)
      expectProblem(locked, 'plan')
      expect(problem.parse(locked.body).detail).toBe("Your Free plan doesn't include API access. Available on Pro and Agency plans.")
      // Pro may read, and a read key changes nothing.
      const writes = scope === 'write'
      const [onPro, readOnly] = [await as(pro), await as(keys.read)]
      expect(onPro.status).toBe(writes ? 403 : stranger)
      expect(readOnly.status).toBe(writes ? 403 : owner)
      expect([typeOf(onPro), typeOf(readOnly)]).toEqual(writes ? ['plan', 'scope'] : [stranger === 200 ? '' : 'not-found', ''])
      expect((await as(keys.stranger)).status).toBe(stranger)
      expect((await as(keys.write)).status).toBe(owner)

      function asSomebody(key: string | null): Promise<Answer> {
        // One address would hit the rate limit with that many strangers, so each comes from a different address.
        return call(method, place, { key, body, headers: { 'x-forwarded-for': anyAddress() } })
      }
    },
  )

  test('a cookie is not a key', async ({ people, expectProblem }) => {
    expectProblem(await people.owner.get('/api/v1/properties', { headers: { 'x-forwarded-for': anyAddress() } }), 'unauthenticated')
  })

  test('no page of another site can read a response, and nothing is refused because of its origin', async ({ alertIds, call }) => {
    const answer = await call('POST', `/alerts/${alertIds[0]}/acknowledge`, { headers: { origin: 'https://elsewhere.example' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('a smaller plan creates no keys with more access, and none at all on Free', async ({ sql, people, call }) => {
    await planOf(sql, 'owner@example.test', 'pro')
    expect(apiKeys.parse((await people.owner.get('/api/keys')).body)).toMatchObject({ locked: null, writeLocked: expect.any(String) })
    expect((await people.owner.send('POST', '/api/keys', { name: 'x', scope: 'write', days: null })).status).toBe(403)
    expect((await people.owner.send('POST', '/api/keys', { name: 'x', scope: 'read', days: null })).status).toBe(201)
    await planOf(sql, 'owner@example.test', 'free')
    const list = apiKeys.parse((await people.owner.get('/api/keys')).body)
    expect(list.locked).toBe("Your Free plan doesn't include API access. Available on Pro and Agency plans.")
    expect(list.keys.length).toBeGreaterThan(0)
    expect((await people.owner.send('POST', '/api/keys', { name: 'x', scope: 'read', days: null })).status).toBe(403)
    await planOf(sql, 'owner@example.test', 'agency')
    expect((await call('GET', '/properties')).status).toBe(200)
  })
})

let address = 0
const anyAddress = (): string => `10.0.${Math.floor((address += 1) / 250)}.${address % 250}`

describe('paged lists', () => {
  test('the pages of a list of figures add up to the list', async ({ app, call }) => {
    const all = apiKeywords.parse((await call('GET', `/keywords?${named}&limit=1000`)).body)
    expect(all.data.length).toBeGreaterThan(20)
    const found: unknown[] = []
    let path: string | null = `/keywords?${named}&limit=${Math.ceil(all.data.length / 4)}`
    while (path !== null) {
      const answer = await call('GET', path)
      const part = apiKeywords.parse(answer.body)
      found.push(...part.data)
      const link: string | undefined = /^<(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
      expect(link === undefined ? null : new URL(link).searchParams.get('cursor')).toBe(part.next)
      path = link === undefined ? null : link.slice(`${app.url}/api/v1`.length)
    }
    expect(found).toEqual(all.data)
    expect(all).toMatchObject({ property: site, completeThrough: all.current!.end, notComparable: [] })
  })

  test('pages and opportunities are listed the same way, with figures as numbers', async ({ call }) => {
    const first = apiPages.parse((await call('GET', `/pages?${named}&limit=1`)).body)
    const rest = apiPages.parse((await call('GET', `/pages?${named}&limit=1000&cursor=${first.next}`)).body)
    const all = apiPages.parse((await call('GET', `/pages?${named}&limit=1000`)).body)
    expect([...first.data, ...rest.data]).toEqual(all.data)
    expect(rest.next).toBeNull()
  })

  test.for(['keywords', 'pages', 'opportunities'])("%s omit a compared period that isn't stored completely", async (list, { call }) => {
    const parse = ({ body }: Answer) => apiPages.pick({ current: true, previous: true }).parse(body)
    expect(parse(await call('GET', `/${list}?${named}&days=7`)).previous).toEqual({ start: '2026-03-03', end: '2026-03-09' })
    for (const query of ['days=28', 'days=7&compare=year', 'days=7&compare=none']) {
      const found = parse(await call('GET', `/${list}?${named}&${query}`))
      expect(found.current?.end).toBe('2026-03-16')
      expect(found.previous).toBeNull()
    }
  })

  test('when newer figures arrive during paging, clients are told to start over', async ({ sql, call, expectProblem }) => {
    const first = apiKeywords.parse((await call('GET', `/keywords?${named}&limit=5`)).body)
    const where = `WHERE property_id = (SELECT id FROM properties WHERE name = $1)`
    const [before] = await sql<{ day: string }>(`SELECT complete_through::text AS day FROM property_syncs ${where}`, [site])
    await sql(`UPDATE property_syncs SET complete_through = complete_through - 1, facts_version = facts_version + 1 ${where}`, [site])
    expectProblem(await call('GET', `/keywords?${named}&limit=5&cursor=${first.next}`), 'list-changed', 'cursor')
    await sql(`UPDATE property_syncs SET complete_through = $2, facts_version = facts_version + 1 ${where}`, [site, before!.day])
    const again = await call('GET', `/keywords?${named}&limit=5&cursor=${first.next}`)
    expect(again.status).toBe(200)
  })

  test('alerts that open or recover during paging are neither repeated nor skipped', async ({ app, sql, alertIds, call }) => {
    const list = async (query: string) => apiAlerts.parse((await call('GET', `/alerts?state=open&to=2026-03-12&${query}`)).body)
    const all = await list('limit=100')
    // Latest first; at the same moment, most severe first.
    const expected = [alertIds[3]!, alertIds[2]!, alertIds[1]!, alertIds[0]!]
    expect(all.data.map(({ id }) => id)).toEqual(expected)
    const first = await list('limit=2')
    const [newer] = await addAlerts(sql, ['2026-03-12T09:00:00Z'])
    await sql(`UPDATE alerts SET state = 'recovered', recovered_at = now() WHERE id = $1`, [expected[1]])
    const second = await list(`limit=2&cursor=${first.next}`)
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(expected)
    expect(second.next).toBeNull()
    expect(first.data[0]).toMatchObject({ description: 'Data <late> & so on', target: site, url: `${app.url}/alerts/${expected[0]}` })
    await sql('DELETE FROM alerts WHERE id = $1', [newer])
    await sql(`UPDATE alerts SET state = 'firing', recovered_at = NULL WHERE id = $1`, [expected[1]])
  })

  test.for(['conditions', 'annotations', 'incidents', 'properties'])('%s are paged as well', async (list, { call }) => {
    if (list === 'annotations') {
      for (const text of ['a', 'b', 'c']) await call('POST', '/annotations', { body: { date: '2026-03-05', text, property: null } })
    }
    const query = list === 'conditions' ? named : ''
    const all = (await call('GET', `/${list}?${query}`)).body as { data: unknown[] }
    const found: unknown[] = []
    let cursor = ''
    do {
      const part = (await call('GET', `/${list}?${query}&limit=1${cursor}`)).body as { data: unknown[]; next: string | null }
      found.push(...part.data)
      cursor = part.next === null ? '' : `&cursor=${part.next}`
    } while (cursor !== '')
    expect(found).toEqual(all.data)
  })

  test('a made-up cursor, or one of another list, filter or user, is refused', async ({ keys, call, expectProblem }) => {
    const { next } = apiKeywords.parse((await call('GET', `/keywords?${named}&limit=5`)).body)
    const [payload, signature] = next!.split('.') as [string, string]
    const raised = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"offset":5', '"offset":9')).toString('base64url')
    for (const cursor of ['x', `${raised}.${signature}`, payload, `${next}x`]) {
      expectProblem(await call('GET', `/keywords?${named}&limit=5&cursor=${cursor}`), 'invalid-request', 'cursor')
    }
    expectProblem(await call('GET', `/pages?${named}&cursor=${next}`), 'invalid-request', 'cursor')
    expectProblem(await call('GET', `/keywords?${named}&search=a&cursor=${next}`), 'invalid-request', 'cursor')
    for (const text of ['one', 'other']) await call('POST', '/annotations', { body: { date: '2026-03-06', text, property: null } })
    const mine = (await call('GET', '/annotations?limit=1')).body as { next: string }
    expectProblem(await call('GET', `/annotations?limit=1&cursor=${mine.next}`, { key: keys.stranger }), 'invalid-request', 'cursor')
    // The requested number of rows may change between pages.
    expect((await call('GET', `/keywords?${named}&limit=9&cursor=${next}`)).status).toBe(200)
  })
})

describe('unchanged responses', () => {
  test("aren't sent again", async ({ call }) => {
    const first = await call('GET', `/summary?${named}`)
    const etag = first.headers.get('etag')!
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const second = await call('GET', `/summary?${named}`, { headers: { 'if-none-match': known } })
      expect({ status: second.status, body: second.body, etag: second.headers.get('etag') }).toEqual({ status: 304, body: '', etag })
    }
    const other = await call('GET', `/summary?${named}&days=28`, { headers: { 'if-none-match': etag } })
    expect(other.status).toBe(200)
  })

  test('are sent again once changed', async ({ call }) => {
    const path = '/annotations'
    const etag = (await call('GET', path)).headers.get('etag')!
    await call('POST', path, { body: { date: '2026-03-04', text: 'another', property: null } })
    const changed = await call('GET', path, { headers: { 'if-none-match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })
})

describe('files', () => {
  test('have every row, under a name', async ({ call }) => {
    const answer = await call('GET', `/exports/keywords?${named}`)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename="ranklark-https_mine.example-keywords-')
    const all = apiKeywords.parse((await call('GET', `/keywords?${named}&limit=1000`)).body)
    const lines = (answer.body as string).trimEnd().split('\r\n')
    expect(lines).toHaveLength(all.data.length + 1)
    expect(lines[1]!.startsWith(all.data[0]!.query)).toBe(true)
  })
})

describe('retried requests', () => {
  const create = (call: Call, idempotencyKey: string, text: string, key?: string) =>
    call('POST', '/annotations', {
      ...(key !== undefined && { key }),
      body: { date: '2026-03-01', text, property: null },
      headers: { 'idempotency-key': idempotencyKey },
    })
  /** Lets the locks of requests in progress expire. */
  const locksRunOut = (app: TestApp) => app.google.advance(61_000)
  const notes = async (sql: Sql, text: string) => (await sql('SELECT id FROM annotations WHERE text = $1', [text])).length

  test('are carried out once, even after a restart', async ({ app, sql, call }) => {
    const first = await create(call, 'order-1', 'once')
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    const second = await create(call, 'order-1', 'once')
    expect([second.status, second.headers.get('idempotent-replayed'), second.body]).toEqual([201, 'true', first.body])
    await app.restart()
    const third = await create(call, 'order-1', 'once')
    expect([third.status, third.headers.get('idempotent-replayed'), third.body]).toEqual([201, 'true', first.body])
    expect(await notes(sql, 'once')).toBe(1)
  })

  test('may have a response without a body', async ({ call }) => {
    const { id } = (await create(call, 'order-to-delete', 'short-lived')).body as { id: string }
    const remove = () => call('DELETE', `/annotations/${id}`, { headers: { 'idempotency-key': 'delete-1' } })
    expect((await remove()).status).toBe(204)
    const again = await remove()
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([204, '', 'true'])
  })

  test("are only stored up to a daily limit, and what isn't stored isn't done", async ({ sql, call, expectProblem }) => {
    await sql(`UPDATE day_counts SET used = 32 * 1024 - 3 WHERE what = 'api-answer-kib'`)
    expect((await create(call, 'order-10', 'fits')).status).toBe(201)
    expectProblem(await create(call, 'order-11', 'too much'), 'too-many-requests', 'Idempotency-Key')
    expect(await notes(sql, 'too much')).toBe(0)
    expect((await create(call, 'order-10', 'fits')).headers.get('idempotent-replayed')).toBe('true')
    await sql(`DELETE FROM day_counts WHERE what = 'api-answer-kib'`)
    expect((await create(call, 'order-11', 'too much')).status).toBe(201)
  })

  test('that change nothing are carried out again', { tags: ['full'] }, async ({ sql, call }) => {
    const ask = () =>
      call('POST', `/conditions/backtest?${named}`, { body: { type: 'clicks' }, headers: { 'idempotency-key': 'backtest-1' } })
    for (const answer of [await ask(), await ask()]) expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect(await sql(`SELECT 1 FROM api_requests WHERE idempotency_key = 'backtest-1'`)).toEqual([])
  })

  test("with another request's key are refused", async ({ sql, call, expectProblem }) => {
    await create(call, 'order-2', 'first')
    expectProblem(await create(call, 'order-2', 'second'), 'idempotency-key-used', 'Idempotency-Key')
    expect(await notes(sql, 'second')).toBe(0)
  })

  test('are carried out once when they come at the same time', async ({ sql, call, expectProblem }) => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(call, 'order-3', 'crowded')))
    for (const answer of answers) {
      if (answer.status === 201) continue
      expectProblem(answer, 'request-under-way')
      expect(answer.headers.get('retry-after')).toBe('1')
    }
    expect(answers.some(({ status }) => status === 201)).toBe(true)
    expect(await notes(sql, 'crowded')).toBe(1)
    expect((await create(call, 'order-3', 'crowded')).headers.get('idempotent-replayed')).toBe('true')
  })

  test('wait while one is in progress, and continue if its process has died', async ({ app, sql, call, expectProblem }) => {
    await create(call, 'order-4', 'abandoned')
    const where = `WHERE idempotency_key = 'order-4'`
    await sql(`UPDATE api_requests SET status = NULL, body = NULL, locked_until = $1 ${where}`, [
      new Date(app.google.now().getTime() + 1_000),
    ])
    expectProblem(await create(call, 'order-4', 'abandoned'), 'request-under-way')
    // It hadn't committed its work.
    await sql(`DELETE FROM annotations WHERE text = 'abandoned'`)
    locksRunOut(app)
    expect((await create(call, 'order-4', 'abandoned')).status).toBe(201)
    expect((await create(call, 'order-4', 'abandoned')).headers.get('idempotent-replayed')).toBe('true')
    expect(await notes(sql, 'abandoned')).toBe(1)
  })

  const ruleBody = { type: 'clicks', title: 'Only once', isEnabled: false }
  test.for([
    ['note', { path: '/annotations', body: { date: '2026-03-01', text: 'Only once', property: null } }, 'annotations WHERE text'],
    ['rule', { path: `/conditions?${named}`, body: ruleBody }, 'alert_conditions WHERE title'],
  ] as const)(
    'make one %s, even when the end comes between the change and its answer',
    async ([what, { path, body }, table], { app, sql, call, expectProblem }) => {
      const ask = () => call('POST', path, { body, headers: { 'idempotency-key': `crash-${what}` } })
      const made = async () => (await sql(`SELECT id FROM ${table} = 'Only once'`)).length
      // The database connection is lost just as the answer is stored, and every time after that.
      await sql(`CREATE FUNCTION end_here() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF TG_OP = 'DELETE' OR NEW.status IS NOT NULL THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      RETURN NEW; END $$`)
      await sql('CREATE TRIGGER end_here BEFORE UPDATE OR DELETE ON api_requests FOR EACH ROW EXECUTE FUNCTION end_here()')
      try {
        expectProblem(await ask(), 'unavailable')
      } finally {
        await sql('DROP FUNCTION end_here CASCADE')
      }
      expectProblem(await ask(), 'request-under-way')
      locksRunOut(app)
      const second = await ask()
      expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null])
      const third = await ask()
      expect([third.status, third.headers.get('idempotent-replayed'), third.body]).toEqual([201, 'true', second.body])
      expect(await made()).toBe(1)
    },
  )

  test('are carried out once if the first takes so long that another takes over', async ({ app, sql, call, expectProblem }) => {
    // Notes of this person wait until both are under way.
    const held = sql(`DO $$ BEGIN
      PERFORM 1 FROM people FOR UPDATE;
      FOR tries IN 1..1000 LOOP
        PERFORM pg_sleep(0.02), pg_stat_clear_snapshot();
        EXIT WHEN (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"people"%for update%') = 2;
      END LOOP;
    END $$`)
    const free = () => sql('SELECT 1 FROM people FOR UPDATE SKIP LOCKED')
    await until(free, (rows) => rows.length === 0)
    const begun = () => sql(`SELECT 1 FROM api_requests WHERE idempotency_key = 'order-8'`)
    const slow = create(call, 'order-8', 'slow')
    await until(begun, (rows) => rows.length === 1)
    locksRunOut(app)
    const quick = await create(call, 'order-8', 'slow')
    expect([quick.status, quick.headers.get('idempotent-replayed')]).toEqual([201, null])
    expectProblem(await slow, 'request-under-way')
    await held
    expect((await create(call, 'order-8', 'slow')).body).toEqual(quick.body)
    expect(await notes(sql, 'slow')).toBe(1)
  })

  test('whose client leaves before they begin are forgotten: their keys work again', { tags: ['full'] }, async ({ app, keys, sql }) => {
    const ofTable = `relation = 'api_requests'::regclass`
    const held = sql(`DO $$ BEGIN
      LOCK TABLE api_requests IN EXCLUSIVE MODE;
      FOR tries IN 1..500 LOOP
        EXIT WHEN (SELECT count(*) FROM pg_locks WHERE ${ofTable} AND NOT granted) = 3;
        PERFORM pg_sleep(0.02);
      END LOOP;
      PERFORM pg_sleep(0.5);
    END $$`)
    const waiting = () => sql(`SELECT 1 FROM pg_locks WHERE ${ofTable} AND NOT granted`)
    await until(
      () => sql(`SELECT 1 FROM pg_locks WHERE ${ofTable} AND mode = 'ExclusiveLock' AND granted`),
      (rows) => rows.length > 0,
    )
    const body = JSON.stringify({ date: '2026-03-01', text: 'left', property: null })
    const clients = Array.from({ length: 3 }, (_, at) => {
      const client = connect(Number(new URL(app.url).port), '127.0.0.1')
      client.on('error', () => {})
      const head = [
        'POST /api/v1/annotations HTTP/1.1',
        'host: localhost',
        `authorization: Bearer ${keys.write}`,
        `idempotency-key: left-${at}`,
        'content-type: application/json',
        `content-length: ${body.length}`,
      ]
      client.write(`${head.join('\r\n')}\r\n\r\n${body}`)
      return client
    })
    await until(waiting, (rows) => rows.length === 3)
    for (const client of clients) client.destroy()
    await held
    await until(waiting, (rows) => rows.length === 0)
    await until(
      () => sql(`SELECT 1 FROM api_requests WHERE idempotency_key LIKE 'left-%'`),
      (rows) => rows.length === 0,
    )
    expect(await notes(sql, 'left')).toBe(0)
  })

  test(
    'sent at once, even more than there are connections, are all carried out: none needs a second one',
    { tags: ['full'] },
    async ({ people, call }) => {
      const segment = { kind: 'segment', name: 'Blog', content: 'page contains blog' }
      const key = await makeKey(people.owner, 'write')
      const saved = await people.owner.send('POST', '/api/explore/saved', segment)
      const limits = { segment: (saved.body as { id: string }).id }
      const made = await call('POST', `/conditions?${named}`, { key, body: { type: 'clicks', title: 'Limited', monitor: 'top_pages' } })
      const path = `/conditions/${(made.body as { id: string }).id}`
      const changes = Array.from({ length: 25 }, (_, at) =>
        call('PATCH', path, { key, body: limits, headers: { 'idempotency-key': `segment-${at}` } }),
      )
      const creations = Array.from({ length: 12 }, (_, at) =>
        call('POST', `/conditions?${named}`, {
          key,
          body: { type: 'clicks', title: `Limited ${at}`, monitor: 'top_pages', ...limits },
          headers: { 'idempotency-key': `limited-${at}` },
        }),
      )
      expect(new Set((await Promise.all(changes)).map(({ status }) => status))).toEqual(new Set([200]))
      expect(new Set((await Promise.all(creations)).map(({ status }) => status))).toEqual(new Set([201]))
    },
  )

  test('that were refused can be sent again, corrected', async ({ call, expectProblem }) => {
    expectProblem(await create(call, 'order-5', ''), 'invalid-request', 'text')
    expect((await create(call, 'order-5', 'mended')).status).toBe(201)
  })

  test('with another key are separate', async ({ keys, call }) => {
    await create(call, 'order-6', 'of the owner')
    const theirs = await create(call, 'order-6', 'of the stranger', keys.stranger)
    expect([theirs.status, theirs.headers.get('idempotent-replayed')]).toEqual([201, null])
  })

  test('are forgotten after a day, and deleted', async ({ app, sql, call }) => {
    for (const key of ['order-7', 'order-9']) await create(call, key, 'yesterday')
    await sql(`UPDATE api_requests SET begun_at = $1 WHERE idempotency_key IN ('order-7', 'order-9')`, [
      new Date(app.google.now().getTime() - 24 * 3_600_000 - 1_000),
    ])
    const again = await create(call, 'order-7', 'yesterday')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
    await runJob(app, 'sweep-api-requests')
    expect(await sql(`SELECT 1 FROM api_requests WHERE idempotency_key = 'order-9'`)).toHaveLength(0)
    expect(await sql(`SELECT 1 FROM api_requests WHERE idempotency_key = 'order-7'`)).toHaveLength(1)
  })

  test.for([
    ['spaces', 'a b'],
    ['characters that no header has', 'é'],
    ['too many of them', 'x'.repeat(256)],
  ] as const)('need a key without %s', async ([_what, key], { alertIds, call, expectProblem }) => {
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') }
    const answer = await call('POST', `/alerts/${alertIds[0]}/acknowledge`, { headers })
    expectProblem(answer, 'invalid-request', 'Idempotency-Key')
  })
})

describe('problems', () => {
  const of = (name: ProblemName, ask: (by: Asking) => Promise<Answer>, field?: string) => ({ name, ask, field })
  test.for([
    of('invalid-request', ({ call }) => call('GET', '/keywords'), 'property'),
    of('invalid-request', ({ call }) => call('GET', `/keywords?${named}&days=8`), 'days'),
    of('invalid-request', ({ call }) => call('GET', `/keywords?${named}&limit=0`), 'limit'),
    of('invalid-request', ({ call }) => call('GET', `/keywords?${named}&serach=x`), 'serach'),
    of('invalid-request', ({ call }) => call('GET', '/alerts/abc'), 'id'),
    of('not-found', ({ call }) => call('GET', '/keywords?property=%00x'), 'property'),
    of('invalid-request', ({ call }) => call('POST', '/annotations', { body: { date: 'now', text: 'x', property: null } }), 'date'),
    of('invalid-request', ({ raw }) => raw('{"date":', 'application/json')),
    of('media-type', ({ raw }) => raw('<a/>', 'application/xml')),
    of('too-large', ({ raw }) => raw(JSON.stringify({ text: 'x'.repeat(1024 * 1024) }), 'application/json')),
    of('not-found', ({ call }) => call('GET', '/keywords?property=https%3A%2F%2Fnowhere.example%2F'), 'property'),
    of('not-found', ({ call }) => call('GET', '/alerts/999999')),
    of('not-found', ({ call }) => call('GET', '/nothing')),
    of('not-found', ({ call }) => call('POST', '/nothing/at/all', { body: {} })),
    of('method-not-allowed', ({ call }) => call('PUT', '/annotations', { body: {} })),
    of('conflict', ({ call }) => tooManyConditions(call)),
  ])('$name', async ({ name, ask, field }, { app, keys, expectProblem, sql, call }) => {
    onTestFinished(async () => void (await sql(`DELETE FROM alert_conditions WHERE title = 'One of many'`)))
    const raw = (text: string, type: string): Promise<Answer> =>
      app.visitor().send('POST', '/api/v1/annotations', undefined, {
        rawBody: text,
        headers: { authorization: `Bearer ${keys.write}`, 'content-type': type },
      })
    const answer = await ask({ call, raw })
    expectProblem(answer, name, field)
    expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|at .*\.ts|stack/)
    expect(answer.headers.get('allow')).toBe(name === 'method-not-allowed' ? 'GET, POST' : null)
  })

  test('a bug reveals nothing internal, and is logged', async ({ app, sql, call, expectProblem }) => {
    await sql('ALTER TABLE annotations RENAME TO annotations_away')
    try {
      const answer = await call('GET', '/annotations')
      expectProblem(answer, 'internal')
      expect(JSON.stringify(answer.body)).not.toContain('relation')
      expect(app.logLines.some((line) => line.includes('an API request failed'))).toBe(true)
    } finally {
      await sql('ALTER TABLE annotations_away RENAME TO annotations')
    }
  })

  async function tooManyConditions(call: Call): Promise<Answer> {
    for (let made = 0; made < 60; made += 1) {
      const answer = await call('POST', `/conditions?${named}`, { body: { type: 'clicks', title: 'One of many', isEnabled: false } })
      if (answer.status !== 201) return answer
    }
    throw new Error('There is no limit')
  }
})

describe('the rate limit', () => {
  test('is in every response, and enforced', async ({ people, keys, call, expectProblem }) => {
    const key = await makeKey(people.owner, 'read')
    const ask = () => call('GET', '/incidents', { key })
    const first = await ask()
    expect([first.headers.get('ratelimit-limit'), first.headers.get('ratelimit-remaining')]).toEqual(['300', '299'])
    expect(Number(first.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
    // A file costs as much as ten requests.
    const files = await Promise.all(Array.from({ length: 29 }, () => call('GET', `/exports/daily?grain=total&${named}`, { key })))
    expect(files.map((file) => Number(file.headers.get('ratelimit-remaining'))).toSorted((a, b) => a - b)[0]).toBe(9)
    const answers = await Promise.all(Array.from({ length: 10 }, ask))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expectProblem(refused[0]!, 'too-many-requests')
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused[0]!.headers.get('ratelimit-remaining')).toBe('0')
    // Other keys lose nothing.
    expect((await call('GET', '/incidents', { key: keys.stranger })).status).toBe(200)
  })

  test('holds for all keys of an account together', async ({ app, sql, keys, call, expectProblem }) => {
    const person = await member(app, { email: 'many-keys@example.test', plan: 'agency' })
    const [first, second] = [await makeKey(person, 'read'), await makeKey(person, 'read')]
    // As if the other keys had sent nearly all requests of this minute.
    await sql(`INSERT INTO request_counts (key, points, expire) SELECT 'api-account:' || id, $2, $3 FROM users WHERE email = $1`, [
      'many-keys@example.test',
      requestsOfAccount - 1,
      Date.now() + 60_000,
    ])
    expect((await call('GET', '/incidents', { key: first })).status).toBe(200)
    for (const key of [first, second]) {
      const refused = await call('GET', '/incidents', { key })
      expectProblem(refused, 'too-many-requests')
      expect(refused.body).toMatchObject({ detail: expect.stringContaining('across all of your keys') })
    }
    expect((await call('GET', '/incidents', { key: keys.stranger })).status).toBe(200)
  })

  test.for([
    ['one address', () => '192.0.2.7'],
    ['many addresses of one IPv6 network', (n: number) => `2001:db8:a:b::${n.toString(16)}`],
  ] as const)('applies to clients without a key from %s, too', async ([_whence, forwarded], { call }) => {
    const ask = (n: number) => call('GET', '/properties', { key: 'rk_wrong', headers: { 'x-forwarded-for': forwarded(n) } })
    const answers = await Promise.all(Array.from({ length: 61 }, (_, n) => ask(n)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})
