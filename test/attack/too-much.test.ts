import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { alerts } from '../../src/contract/alerts/alerts.ts'
import { apiError } from '../../src/contract/common.ts'
import { importsADay } from '../../src/contract/import.ts'
import { uploadsAtOnce } from '../../src/server/sync/import/upload-places.ts'
import type { TestApp } from '../support/app.ts'
import { registered } from '../support/people.ts'
import { rawExchange } from '../support/raw-request.ts'
import { putAlerts } from '../support/stored-alerts.ts'
import { databaseUrlOf } from '../support/stores.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'
import { type Typist, typistTest } from './typist.ts'

const test = typistTest()

type Part = { type?: string; maxItems?: number; properties?: Record<string, Part>; items?: Part; anyOf?: Part[] }

/** Whether an answer has a list of things with pages, queries and the like. */
function listsNames(answer: z.ZodType): boolean {
  const within = ({ properties = {}, items, anyOf = [] }: Part, isItem: boolean): boolean =>
    (isItem && ['query', 'page', 'entity', 'targets'].some((name) => name in properties)) ||
    (items !== undefined && within(items, true)) ||
    anyOf.some((one) => within(one, isItem)) ||
    Object.values(properties).some((one) => within(one, false))
  return within(z.toJSONSchema(answer, { unrepresentable: 'any' }) as Part, false)
}

/** Whether an answer has a list whose schema states no maximum. */
function hasEndlessList(answer: z.ZodType): boolean {
  const within = ({ type, maxItems, properties = {}, items, anyOf = [] }: Part): boolean =>
    (type === 'array' && maxItems === undefined) || [...anyOf, ...Object.values(properties), ...(items ? [items] : [])].some(within)
  return within(z.toJSONSchema(answer, { unrepresentable: 'any' }) as Part)
}

/** Why these answers stay short, or cost nobody else a turn, although their schema has a list without a maximum. */
const keptShort: Record<string, string[]> = {
  'one in each turn of the event loop (sites/service.ts)': ['/api/auth/session', '/api/user', '/api/gsc-properties'],
  'countries and devices': ['/api/analytics/segments', '/api/v1/segments', '/api/holiday-country'],
  'the same for everybody': [
    '/api/plans',
    '/api/alert-templates',
    '/api/reports/periods',
    '/api/support',
    '/api/analytics/summary',
    '/api/v1/summary',
  ],
  'a limited number is kept or listed': [
    '/api/user/sessions',
    '/api/audit-log',
    '/api/search',
    '/api/brand',
    '/api/keys',
    '/api/report-runs',
    '/api/report-shares',
    '/api/v1/incidents',
  ],
  'one rule': ['/api/v1/conditions/:id'],
}

/** Everything that adds to the typist's account waits for this row. */
const ofTypist = `SELECT FROM people JOIN users ON id = user_id WHERE username = 'typist' FOR UPDATE OF people`

/** Holds a lock from another connection: how many connections wait for it, and its end. */
async function holding(app: TestApp, lock: string) {
  const { sql } = await app.stores()
  const holder = new pg.Client({ connectionString: await databaseUrlOf(app.dataDir) })
  await holder.connect()
  onTestFinished(() => holder.end())
  await holder.query('BEGIN')
  await holder.query(lock)
  return {
    async waiting() {
      const [found] = await sql<{ count: number }>(`SELECT count(*)::integer AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      return found?.count ?? 0
    },
    release: () => holder.query('COMMIT'),
  }
}

describe('too much', () => {
  const login = (headers: string, body = '') =>
    `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`
  const isUsable = async ({ app }: Typist) => expect((await app.visitor().get('/healthz')).status).toBe(200)

  test.for<[string, string, RegExp]>([
    ['a body that says it is large', login(`Content-Length: ${2 ** 31}`), /^HTTP\/1.1 413 /],
    [
      'a body that does not say so',
      login('Transfer-Encoding: chunked', `200000\r\n${'x'.repeat(0x200000)}\r\n0\r\n\r\n`),
      /^HTTP\/1.1 413 /,
    ],
    [
      'a body of one byte per chunk, each of which takes hundreds of bytes of memory',
      login('Transfer-Encoding: chunked\r\nConnection: close', `${'1\r\n \r\n'.repeat(20_000)}2\r\n{}\r\n0\r\n\r\n`),
      /^HTTP\/1.1 413 /,
    ],
    [
      "a visitor's body, where nobody reads one",
      'POST /api/annotations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2000000\r\nConnection: close\r\n\r\n{',
      /^HTTP\/1.1 401 /,
    ],
    ['two lengths', login('Content-Length: 5\r\nContent-Length: 6', 'x'.repeat(6)), /^HTTP\/1.1 400 /],
    ['a length and chunks', login('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), /^HTTP\/1.1 400 /],
    ['an endless header', login(`X-Long: ${'x'.repeat(100_000)}`), /^HTTP\/1.1 431 /],
    ['endless headers', login(`Connection: close\r\n${'X-Many: yes\r\n'.repeat(5000)}Content-Length: 0`), /^HTTP\/1.1 431 /],
    ['endless cookies', login(`Cookie: ${'a=b; '.repeat(20_000)}`), /^HTTP\/1.1 431 /],
    ['an endless URL', `GET /api/user?${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, /^HTTP\/1.1 431 /],
    ['a line break in a header', login('X-One: a\rSet-Cookie: b=c\r\nConnection: close\r\nContent-Length: 0'), /^HTTP\/1.1 400 /],
    ['no host', 'GET /api/user HTTP/1.1\r\n\r\n', /^HTTP\/1.1 400 /],
    ['not HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /^HTTP\/1.1 400 |^$/],
  ])('%s', async ([_what, bytes, answered], { typist }) => {
    expect(await rawExchange(typist.port, bytes)).toMatch(answered)
    await isUsable(typist)
  })

  test('JSON that is all brackets is not JSON to us, and the next request is answered', async ({ typist }) => {
    for (const rawBody of ['['.repeat(500_000), '{"a":'.repeat(100_000), `${'['.repeat(200_000)}${']'.repeat(200_000)}`]) {
      expect((await typist.person.send('POST', '/api/gsc-properties/monitor', undefined, { rawBody })).status).toBe(400)
      await isUsable(typist)
    }
  })

  test('files at once', async ({ typist: { app, port, cookie, upload } }) => {
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\ndate'
    const kind = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000'
    const begun = `POST /api/import HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n${kind}\r\n\r\n${part}`
    const sockets = Array.from({ length: uploadsAtOnce }, () => connect({ host: 'localhost', port }))
    for (const socket of sockets) socket.on('error', () => {}).write(begun)
    const onTheirWay = async () => (await readdir(path.join(app.dataDir, 'uploads')).catch(() => [])).length
    await until(onTheirWay, (count) => count === uploadsAtOnce)
    const another = () => upload('many', 'date,query,clicks,impressions,position\n2026-03-14,a,1,1,1')
    const refused = await another()
    expect(refused.status).toBe(429)
    expect(apiError.strict().parse(refused.body).message).toContain('already being imported')
    // Nor do they keep the owner elsewhere from importing: the session may be a copy.
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' }
    expect((await upload('many', 'date,query,clicks,impressions,position\n2026-03-14,a,1,1,1', 'figures.csv', elsewhere)).status).toBe(200)
    // They say nothing about anybody else, and one that ends makes room.
    expect((await app.visitor().send('POST', '/api/import')).status).toBe(401)
    for (const socket of sockets) socket.destroy()
    await until(another, ({ status }) => status === 200)
  })

  test('endless files', async ({ typist: { app, upload } }) => {
    const { sql } = await app.stores()
    const ofAccount = `key LIKE 'import-account%'`
    await sql(`DELETE FROM attempts WHERE ${ofAccount}`)
    // One that is refused counts as well: it was read all the same.
    expect((await upload('endless', 'no figures')).status).toBe(400)
    expect(await sql(`SELECT points FROM attempts WHERE ${ofAccount}`)).toEqual([{ points: 1 }])
    await sql(`UPDATE attempts SET points = $1 WHERE ${ofAccount}`, [importsADay])
    const refused = await upload('endless', 'date,query,clicks,impressions,position\n2026-03-14,a,1,1,1')
    expect(refused.status).toBe(429)
    expect(apiError.strict().parse(refused.body).message).toContain(`up to ${importsADay} uploads a day`)
    await sql(`DELETE FROM attempts WHERE ${ofAccount}`)
    expect((await upload('endless', 'date,query,clicks,impressions,position\n2026-03-14,a,1,1,1')).status).toBe(200)
  })

  test('rules that name megabytes of pages or queries', { tags: ['full'] }, async ({ typist: { person, upload } }) => {
    expect((await upload('named', 'date,query,clicks,impressions,position\n2026-03-14,a,1,1,1')).status).toBe(200)
    const targets = Array.from({ length: 25 }, (_, at) => `${at}${'ä'.repeat(1_990)}`)
    const rule = { type: 'position', title: 'Named', monitor: 'queries', targets }
    const add = () => person.send('POST', '/api/alert-conditions?property=named', rule)
    let answer = await add()
    for (let made = 1; answer.status === 201 && made < 45; made++) answer = await add()
    expect(answer).toMatchObject({
      status: 400,
      body: { field: 'targets', message: 'The pages and keywords of all your rules together can have up to 2,000,000 characters.' },
    })
  })

  test(
    'alerts about names of 2,000 characters: a list shows 500 of them, the report all',
    { tags: ['full'] },
    async ({ typist: { app, person, upload } }) => {
      const name = `https://long.example/${'ä'.repeat(1_900)}`
      expect((await upload('long names', 'date,query,clicks,impressions,position\n2026-03-14,a,1,1,1')).status).toBe(200)
      const [id] = await putAlerts(app, 'long names', [{ openedAt: '2026-03-16T09:00:00Z', entity: { kind: 'page', name } }])
      const listed = [
        alerts.parse((await person.get('/api/alerts?property=all')).body),
        alerts.parse((await person.send('POST', '/api/alerts/viewed', { ids: [id] })).body),
      ].flat()
      expect(listed.map(({ entity }) => entity.name)).toEqual(Array(2).fill(`${name.slice(0, 499)}…`))
      for (const { title, description } of listed) expect(Math.max(title.length, description.length)).toBeLessThan(1_000)
      expect((await person.get(`/api/alerts/${id}`)).body).toMatchObject({ entity: { name } })
    },
  )

  test('every endpoint that returns lists of names is marked as long', ({ typist: { routes } }) => {
    const ofNames = routes.filter(
      ({ method, endpoint }) => method === 'GET' && endpoint?.answer instanceof z.ZodType && listsNames(endpoint.answer),
    )
    expect(ofNames.length).toBeGreaterThan(15)
    const short = ofNames.filter(({ endpoint }) => endpoint?.isLong !== 'names').map(({ url }) => url)
    // A few of each kind.
    expect(short).toEqual(['/api/search'])
  })

  test('every endpoint that returns a list without a maximum is marked as long, unless something else keeps it short', ({
    typist: { routes },
  }) => {
    const unmarked = routes.filter(
      ({ method, endpoint }) =>
        method === 'GET' && endpoint?.isLong === undefined && endpoint?.answer instanceof z.ZodType && hasEndlessList(endpoint.answer),
    )
    expect(unmarked.map(({ url }) => url).toSorted()).toEqual(Object.values(keptShort).flat().toSorted())
  })

  test(
    'long lists at once: they are built two at a time, and nobody else waits for them',
    { tags: ['full'] },
    async ({ typist: { app, person } }) => {
      const other = await registered(app, 'reader')
      // From here on, an answer being built stays unfinished.
      const { waiting: built, release } = await holding(app, 'LOCK TABLE alerts IN ACCESS EXCLUSIVE MODE')
      const list = (who: Visitor) => who.get('/api/alerts?property=all&limit=500')
      const all = Array.from({ length: 30 }, () => list(person))
      await until(built, (count) => count >= 2)
      await new Promise((done) => setTimeout(done, 500))
      expect(await built()).toBe(2)
      all.push(list(other))
      await until(built, (count) => count === 3)
      await release()
      expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]))
    },
  )

  test("changes that wait for each other don't take everybody's connections", async ({ typist: { app, person } }) => {
    const other = await registered(app, 'writer')
    const note = (who: Visitor) => who.send('POST', '/api/annotations', { date: '2026-03-10', text: 'A note', property: null })
    const { waiting, release } = await holding(app, ofTypist)
    const all = Array.from({ length: 40 }, () => note(person))
    await until(waiting, (count) => count >= 8)
    expect((await note(other)).status).toBe(201)
    expect(await waiting()).toBe(8)
    await release()
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([201]))
  })

  test('changes to accounts that somebody holds for long wait for a few seconds, and then leave their connections to others', async ({
    typist: { app, person },
  }) => {
    const [second, other] = [await registered(app, 'typist-too'), await registered(app, 'bystander')]
    const note = (who: Visitor) => who.send('POST', '/api/annotations', { date: '2026-03-10', text: 'A note', property: null })
    const { waiting, release } = await holding(app, `SELECT FROM people, users WHERE id = user_id AND username LIKE 'typist%' FOR UPDATE`)
    onTestFinished(async () => void (await release()))
    const all = Array.from({ length: 20 }, () => [note(person), note(second)]).flat()
    all.push(person.send('DELETE', '/api/user/sessions'))
    await until(waiting, (count) => count >= 10)
    expect((await other.get('/api/user')).status).toBe(200)
    expect((await all[0])?.status).toBe(503)
    await release()
    expect((await note(other)).status).toBe(201)
    // The end of sessions gave the browser another cookie.
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => ![201, 204, 401, 503].includes(status))).toEqual([])
  })

  test('simultaneous choices of properties wait for each other without a connection', async ({ typist: { app, person } }) => {
    const { waiting, release } = await holding(app, ofTypist)
    const choices = Array.from({ length: 30 }, () => person.send('POST', '/api/gsc-properties/monitor', { sites: ['not mine'] }))
    const note = person.send('POST', '/api/annotations', { date: '2026-03-10', text: 'A note', property: null })
    await until(waiting, (count) => count >= 2)
    expect(await waiting()).toBe(2)
    await release()
    expect((await note).status).toBe(201)
    expect(new Set((await Promise.all(choices)).map(({ status }) => status))).toEqual(new Set([404]))
  })

  test(
    'a customer who switches among IPv6 networks gets ten times the requests of a single network',
    { tags: ['full'] },
    async ({ typist: { app } }) => {
      const ask = async (address: string) =>
        (await app.visitor().get('/api/auth/google/callback', { headers: { 'x-forwarded-for': address } })).status
      const answers: number[] = []
      for (let network = 0; network < 11; network++)
        answers.push(...(await Promise.all(Array.from({ length: 60 }, (_, at) => ask(`2001:db8:7:${network}::${at}`)))))
      expect([302, 429].map((status) => answers.filter((one) => one === status).length)).toEqual([600, 60])
      expect(await ask('2001:db8:8::1')).toBe(302)
    },
  )

  test('a path or a name of a million characters', async ({ typist: { app, person } }) => {
    for (const [length, status] of [
      [60_000, 400],
      [900_000, 413],
    ] as const) {
      const long = 'x'.repeat(length)
      expect((await person.send('POST', '/api/annotations', { date: '2026-03-10', text: long, property: null })).status).toBe(status)
      expect((await person.send('POST', '/api/auth/login', { username: long, password: 'x-x-x-x-x' })).status).toBe(status)
      expect((await app.visitor().send('POST', '/api/auth/login', { username: 'typist', password: long })).status).toBe(status)
      expect((await person.send('POST', '/api/support', { subject: long, message: 'x', diagnostics: [] })).status).toBe(status)
      // Its parameters would be read before they were refused: a megabyte of them takes 14 seconds.
      const view = { kind: 'view', name: 'a', content: 'a&'.repeat(length / 2) }
      expect((await person.send('POST', '/api/explore/saved', view)).status).toBe(status)
    }
  })
})
