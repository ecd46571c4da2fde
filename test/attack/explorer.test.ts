import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished } from 'vitest'
import { apiKeyMade } from '../../src/contract/api-keys.ts'
import { type Explored, explored } from '../../src/contract/explore/explore.ts'
import { windowRowsADay, windowThousandsReadADay } from '../../src/server/analytics/windows.ts'
import { readCsv } from '../support/csv.ts'
import { registered } from '../support/people.ts'
import { until } from '../support/until.ts'
import { inFull } from '../support/in-full.ts'
import { type Typist, typistTest } from './typist.ts'

// What somebody might request from the explorer and the long lists to get other people's rows, or to keep everybody waiting.

/** What spreadsheets treat as the start of a formula, in a search query. */
const formulas = ['=1+1', '+1', '-1', '@SUM(1)', '＝1', '\u200B=1', 'lamps;=1']
const page = (at: number) => `https://own.example/${at}`
const line = (day: string, at: number) => `${day},"${formulas[at]}",${page(at)},1,10,5`
const ofOwn = ['date,query,page,clicks,impressions,position', line('2026-03-01', 0), ...formulas.map((_, at) => line('2026-03-14', at))]

const test = typistTest()
  .extend('own', { scope: 'file' }, async ({ typist }) => {
    expect(await typist.upload('own', ofOwn.join('\n'))).toMatchObject({ status: 200 })
    return 'own'
  })
  /** Somebody with a property of the same name. */
  .extend('other', { scope: 'file' }, async ({ typist: { app } }) => {
    const other = await registered(app, 'other')
    const cookie = [...other.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const form = new FormData()
    form.append('property', 'own')
    form.append('file', new Blob(['date,query,clicks,impressions,position\n2026-03-14,a secret of somebody else,1,10,5']), 'figures.csv')
    expect((await fetch(new URL('/api/import', app.url), { method: 'POST', body: form, headers: { cookie } })).status).toBe(200)
    return other
  })
  /** Long search queries, together more than a connection's buffers hold. */
  .extend('long', { scope: 'file' }, async ({ typist }) => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `2026-03-14,${at} ${'aaaaabab baaab '.repeat(20)}${at},1,10,5`)
    const answer = await typist.upload('long', ['date,query,clicks,impressions,position', ...lines].join('\n'))
    expect(answer).toMatchObject({ status: 200 })
    return 'long'
  })

const ask = ({ person }: Typist, asked: Record<string, string>) =>
  person.get(`/api/explore?${new URLSearchParams({ property: 'own', ...asked })}`)
const read = async (typist: Typist, asked: Record<string, string>): Promise<Explored> => explored.parse((await ask(typist, asked)).body)

describe('a filter', () => {
  test.for([
    ["' OR 1=1 --", 'a text that ends'],
    ["\\' OR 1=1 --", 'a text that ends escaped'],
    ['\0', 'the end of a C string'],
    ...inFull([
      ['\\', 'half an escape'],
      ["x', 'String')) OR 1=1 --", 'a cast that ends'],
      ['{property:UInt64}', 'the name of a parameter'],
      ['{value0:String}', 'its own parameter'],
      ['*/ OR 1=1 /*', 'a comment'],
      ['\uD800', 'half a letter'],
    ]),
  ] as const)('is text, whatever SQL it looks like: %j', async ([value], { typist, own, other }) => {
    await Promise.all([own, other])
    const asked = ['query contains', 'query is', 'query starts', 'page contains', 'page is', 'page starts']
    for (const filter of asked) {
      const { rows } = await read(typist, { where: `${filter} ${value}`, by: filter.startsWith('page') ? 'page' : 'query' })
      expect({ filter, rows }).toEqual({ filter, rows: [] })
    }
    for (const by of ['country', 'device']) expect((await ask(typist, { where: `${by} is ${value}`, by })).status).toBe(200)
    const others = await read(typist, { where: `query not contains ${value}` })
    expect(others.rows.map(({ name }) => name).toSorted()).toEqual(formulas.toSorted())
  })

  test('that is invalid is refused, including with names that mean something in JavaScript', async ({ typist }) => {
    for (const where of [
      'constructor is x',
      '__proto__ is x',
      'query toString x',
      'query',
      'clicks from 1e3',
      'clicks to -1',
      'brand is x',
    ])
      expect(await ask(typist, { where })).toMatchObject({ status: 400, body: { field: 'where' } })
    expect((await typist.person.get('/api/explore?where=query+is+a&where=query+is+b')).status).toBe(400)
  })
})

test('days before and after all time are answered immediately', async ({ typist, own }) => {
  for (const range of ['0000-01-01_9999-12-31', '1989-12-31_2026-03-14', '2026-03-14_2100-01-01', '2026-03-14_2026-03-13'])
    expect((await ask(typist, { property: own, range })).status).toBe(400)
  for (const range of ['1990-01-01_2099-12-31', '1990-01-01_1990-01-02', '2099-01-01_2099-12-31'])
    for (const asked of [
      { by: 'date', grain: 'day' },
      { by: 'date', grain: 'month', compare: 'year' },
      { by: 'query', compare: 'year' },
    ]) {
      const answer = await ask(typist, { property: own, range, ...asked })
      expect(answer.status).toBe(200)
      expect(explored.parse(answer.body).rows.length).toBeLessThanOrEqual(formulas.length)
    }
})

test('for properties with the same name, everybody sees their own rows; segments belong to their owner', async ({ typist, own, other }) => {
  const names = async (from: { get(path: string): Promise<{ body: unknown }> }, asked = '') =>
    explored.parse((await from.get(`/api/explore?property=${own}${asked}`)).body).rows.map(({ name }) => name)
  expect(await names(other)).toEqual(['a secret of somebody else'])
  expect((await names(typist.person)).toSorted()).toEqual(formulas.toSorted())
  const made = await other.send('POST', '/api/explore/saved', { kind: 'segment', name: 'Mine', content: 'query contains secret' })
  const { id } = made.body as { id: string }
  expect(await names(other, `&segment=${id}`)).toHaveLength(1)
  for (const place of ['/api/explore', '/api/explore.csv'])
    expect(await typist.person.get(`${place}?property=${own}&segment=${id}`)).toMatchObject({ status: 404, body: { field: 'segment' } })
  expect((await typist.person.get('/api/explore?property=own&segment=999999999999999')).status).toBe(404)
})

test("no file makes a spreadsheet calculate people's search terms", async ({ typist: { person }, own }) => {
  for (const place of [
    '/api/explore.csv?by=query',
    '/api/explore.csv?by=query_page',
    '/api/explore.csv?by=query&sort=name&order=asc&compare=none',
    '/api/keywords/export.csv?days=7',
    '/api/analytics/daily.csv?grain=query',
    '/api/analytics/daily.csv?grain=query_page',
  ]) {
    const { status, body } = await person.get(`${place}&property=${own}`)
    expect({ place, status }).toEqual({ place, status: 200 })
    const cells = readCsv(body as string).flat()
    expect({ place, found: cells.filter((cell) => /\d|SUM/.test(cell) && cell.includes("'")).length >= formulas.length }).toEqual({
      place,
      found: true,
    })
    expect({ place, dangerous: cells.filter((cell) => formulas.includes(cell)) }).toEqual({ place, dangerous: [] })
  }
})

describe('a regular expression', () => {
  test.for(['(.{0,900}|.{1,901}|.{2,902}|.{3,903})q', '((a?){50}(b?){50}){50}x', '\\Q(\\E((.{9}){20}){20}q'])(
    'that repeats endlessly is refused before any row is read: %s',
    async (pattern, { typist, own }) => {
      expect(await ask(typist, { property: own, where: `query matches ${pattern}` })).toMatchObject({
        status: 400,
        body: { field: 'where', message: 'The regular expressions are too long or repeat too much. Use smaller numbers in braces.' },
      })
    },
  )

  test('that makes the engine do a lot at each position is refused, too, and ordinary ones are answered', async ({ typist, own }) => {
    const groups = `(?:${'()'.repeat(400)}a?){0,300}q`
    expect(await ask(typist, { property: own, where: `query matches ${groups}` })).toMatchObject({ status: 400, body: { field: 'where' } })
    const everyday = [
      '(?i)^(who|what|where|how)\\b',
      '^(\\S+\\s){7,}\\S+$',
      '^[\\p{L}\\p{N}\\s-]{2,60}$',
      '[^\\x00-\\x7F]{1,200}',
      '.{0,900}q',
    ]
    for (const pattern of everyday)
      expect({ pattern, status: (await ask(typist, { property: own, where: `query matches ${pattern}` })).status }).toEqual({
        pattern,
        status: 200,
      })
  })

  test("can't be spread over many filters, or over a segment", async ({ typist, own }) => {
    const slow = (...ends: readonly string[]) => ends.map((end) => `query not matches .{0,900}${end}`).join('\n')
    expect((await ask(typist, { property: own, where: slow('a', 'b', 'c') })).status).toBe(200)
    expect((await ask(typist, { property: own, where: slow('a', 'b', 'c', 'd') })).status).toBe(400)
    const content = slow('a', 'b')
    const { id } = (await typist.person.send('POST', '/api/explore/saved', { kind: 'segment', name: 'Slow', content })).body as {
      id: string
    }
    expect((await ask(typist, { property: own, segment: id, where: slow('c', 'd') })).status).toBe(400)
  })

  test('that is invalid, or too large for the engine, is refused', async ({ typist, own }) => {
    for (const pattern of ['(', '[', 'a**', '(?=a)', '\\1', '(a{1001})', '(?P<a', '*'])
      expect(await ask(typist, { property: own, where: `page matches ${pattern}` })).toMatchObject({
        status: 400,
        body: { message: 'The page filter is not a valid regular expression (RE2 syntax)', field: 'where' },
      })
  })

  test('that takes a minute is cut off, and others are answered meanwhile', { tags: ['full'] }, async ({ typist, long, other }) => {
    const begun = Date.now()
    const slow = ask(typist, { property: long, where: 'query matches (.{0,900}|.{1,901}|.{2,902})q' })
    let isOver = false
    void slow.finally(() => (isOver = true))
    const meanwhile = await other.get('/api/explore?property=own')
    expect({ status: meanwhile.status, isOver }).toEqual({ status: 200, isOver: false })
    expect(await slow).toMatchObject({
      status: 400,
      body: { message: 'This is taking too long. Choose fewer days or simpler filters.', field: 'where' },
    })
    expect(Date.now() - begun).toBeLessThan(45_000)
  })
})

describe('a regular expression on names of the longest kind', () => {
  /** A character from each first byte of two bytes and of three, and every second letter: the engine looks through all of them. */
  const ofFirstBytes = [...Array(27).keys()].map((at) => String.fromCodePoint(((at + 0xc4) & 0x1f) * 64 + 5))
  const ofThree = [...Array(13).keys()].map((at) => String.fromCodePoint((at < 12 ? at + 1 : 14) * 4_096 + 0x945))
  const ranges = `[acegikmoqsuwyACEGIKMOQSUWY02468!#%${ofFirstBytes.join('')}${ofThree.join('')}\ufefc]`

  test('is cut off after its seconds, however many ranges its classes have', { tags: ['full'] }, async ({ typist }) => {
    const lines = Array.from({ length: 2_000 }, (_, at) => `2026-03-14,${at}q${'\ufefc'.repeat(2_040)},1,10,5`)
    const content = gzipSync(['date,query,clicks,impressions,position', ...lines].join('\n'))
    expect(await typist.upload('late', content, 'figures.csv.gz')).toMatchObject({ status: 200 })
    const begun = Date.now()
    expect(await ask(typist, { property: 'late', where: `query matches ${ranges}{0,600}q!` })).toMatchObject({
      status: 400,
      body: { message: 'This is taking too long. Choose fewer days or simpler filters.', field: 'where' },
    })
    expect(Date.now() - begun).toBeLessThan(45_000)
  })
})

test('the list of all properties ends before it fills the memory', async ({ typist: { person }, own }) => {
  expect(own).toBe('own')
  for (const place of ['/api/keywords', '/api/pages', '/api/keywords/opportunities']) {
    expect((await person.get(`${place}?property=all&offset=1900&limit=100`)).status).toBe(200)
    for (const asked of ['offset=1901&limit=100', 'offset=1000000&limit=1000'])
      expect(await person.get(`${place}?property=all&${asked}`)).toMatchObject({
        status: 400,
        body: { message: 'The list for all properties is limited to 2,000 rows. Choose one property to see more.', field: 'offset' },
      })
    // For a single property, the store finds the rows.
    expect((await person.get(`${place}?property=own&offset=1000000&limit=1000`)).body).toEqual([])
  }
})

test("names thousands of characters long don't overfill a list, and a file has all of them", { tags: ['full'] }, async ({ typist }) => {
  const { person } = typist
  const name = (at: number) => `${String(at).padStart(4, '0')}${'語'.repeat(2_044)}`
  const count = 1_400
  const lines = Array.from(
    { length: count },
    (_, at) => `2026-03-14,"${name(at)}","https://names.example/${name(at).slice(0, 2_000)}",1,10,5`,
  )
  const content = gzipSync(['date,query,page,clicks,impressions,position', ...lines].join('\n'))
  expect(await typist.upload('names', content, 'figures.csv.gz')).toMatchObject({ status: 200 })
  // Seventeen megabytes of names.
  expect(await person.get('/api/keywords?property=all&offset=1000&limit=1000')).toMatchObject({
    status: 400,
    body: { message: 'These names are too long to load at once. Choose fewer rows, a shorter period, or a single property.' },
  })
  expect((await person.get('/api/keywords?property=names&offset=1000&limit=1000')).body).toHaveLength(count - 1_000)
  const file = await person.get('/api/keywords/export.csv?property=names')
  expect(new Set(String(file.body).match(/^\d{4}/gm)).size).toBe(count)
  const pairs = await person.get('/api/explore.csv?property=names&by=query_page')
  expect(new Set(String(pairs.body).match(/^\d{4}/gm)).size).toBe(count)
})

test("opening one period after another doesn't fill the disk with their sums", async ({ typist: { app, person }, own, other }) => {
  const { sql } = await app.stores()
  const of = (range: string, from = person) => from.get(`/api/keywords?property=${own}&range=${range}`)
  expect((await of('2026-03-10_2026-03-14')).status).toBe(200)
  // Every row of the cached period counts: these queries, and their pages.
  const used = async () => sql<{ whose: string; used: number }>(`SELECT whose, used FROM day_counts WHERE what = 'window-row'`)
  const [mine] = await used()
  expect(mine!.used).toBeGreaterThanOrEqual(formulas.length * 2)
  await sql(`UPDATE day_counts SET used = $1 WHERE what = 'window-row'`, [windowRowsADay])
  for (const range of ['2026-03-11_2026-03-14', '2026-03-12_2026-03-14'])
    expect(await of(range)).toMatchObject({
      status: 429,
      body: {
        message: "You've viewed too many different periods today. Reopen one of them, or use Explore, which accepts any period.",
      },
    })
  // The existing period can be read, the explorer needs no such sums, and nobody else is affected.
  expect((await of('2026-03-10_2026-03-14')).status).toBe(200)
  expect((await person.get(`/api/explore?property=${own}&range=2026-03-11_2026-03-14`)).status).toBe(200)
  expect((await of('2026-03-11_2026-03-14', other)).status).toBe(200)
  await sql(`DELETE FROM day_counts WHERE what = 'window-row'`)
  expect((await of('2026-03-11_2026-03-14')).status).toBe(200)
})

test(
  "opening one period after another that reads many rows but produces few doesn't hold anybody up for long",
  { tags: ['full'] },
  async ({ typist, other }) => {
    const { sql } = await typist.app.stores()
    const [days, perDay] = [8, 1_000]
    const lines = Array.from(
      { length: days * perDay },
      (_, at) => `2026-03-0${1 + (at % days)},q${Math.floor(at / days)},https://same.example/,0,1,0`,
    )
    const content = ['data_date,query,url,clicks,impressions,sum_position', ...lines].join('\n')
    expect(await typist.upload('many', content)).toMatchObject({ status: 200 })
    const of = (range: string) => typist.person.get(`/api/keywords?property=many&range=${range}`)
    const ofMine = `what = 'window-thousand-read' AND whose = (SELECT user_id FROM properties WHERE name = 'many')`
    const used = async () => (await sql<{ used: number }>(`SELECT used FROM day_counts WHERE ${ofMine}`))[0]?.used ?? 0
    const before = await used()
    expect((await of('2026-03-05_2026-03-08')).status).toBe(200)
    // The queries and pairs of four days and of the four before them, and their page.
    expect((await used()) - before).toBe((2 * days * perDay) / 1_000 + 1)
    await sql(`UPDATE day_counts SET used = $1 WHERE ${ofMine}`, [windowThousandsReadADay])
    expect(await of('2026-03-06_2026-03-08')).toMatchObject({ status: 429 })
    expect((await of('2026-03-05_2026-03-08')).status).toBe(200)
    expect((await other.get(`/api/keywords?property=own&range=2026-03-10_2026-03-13`)).status).toBe(200)
    await sql(`DELETE FROM day_counts WHERE ${ofMine}`)
  },
)

test('unread files are limited to two at a time, and keep nobody else waiting', { tags: ['full'] }, async ({ typist, long, other }) => {
  const { port, cookie, person } = typist
  const { key } = apiKeyMade.parse((await person.send('POST', '/api/keys', { name: 'program', scope: 'read', days: 1 })).body)
  const onScreen = [`/api/explore.csv?property=${long}`, `Cookie: ${cookie}`] as const
  const byProgram = [`/api/v1/exports/daily?grain=query&property=${long}`, `Authorization: Bearer ${key}`] as const
  /** Requests a file and reads only its beginning. */
  const begin = ([place, header]: readonly [string, string]) => {
    const socket = connect({ host: 'localhost', port })
    let begun = false
    socket.on('error', () => {})
    socket.once('data', () => {
      begun = true
      socket.pause()
    })
    socket.write(`GET ${place} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n`)
    onTestFinished(() => void socket.destroy())
    return { socket, hasBegun: () => begun }
  }
  const [first, second, third] = [begin(onScreen), begin(byProgram), begin(onScreen)]
  const started = async () => [first, second, third].filter(({ hasBegun }) => hasBegun())
  await until(started, ({ length }) => length === 2)
  expect((await other.get('/api/explore.csv?property=own')).status).toBe(200)
  expect(await started()).toHaveLength(2)
  // An aborted one frees its place.
  const [given] = await started()
  given!.socket.destroy()
  await until(started, ({ length }) => length === 3)
})
