import crypto from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { apiError } from '../../src/contract/common.ts'
import { Refusal } from '../../src/server/errors.ts'
import { answerError } from '../../src/server/http/errors.ts'
import { patience, endSlowBodies } from '../../src/server/http/patience.ts'
import { createHandOver } from '../../src/server/platform/hand-over.ts'
import { reportLetter } from '../../src/server/publishing/letter.ts'
import { importRoutes } from '../../src/server/sync/import/routes.ts'
import type { ImportService } from '../../src/server/sync/import/service.ts'
import { problemOf, rowsOf, zipOf } from '../../src/server/sync/import/test-files.ts'
import { uploadsAtOnce } from '../../src/server/sync/import/upload-places.ts'
import { startTestApp } from '../support/app.ts'
import { readCsv } from '../support/csv.ts'
import { samplesOf } from '../support/made-requests.ts'
import { registered } from '../support/people.ts'
import { rawExchange, rawRequest } from '../support/raw-request.ts'
import { withRouteTable } from '../support/route-table.ts'
import { until } from '../support/until.ts'
import type { Visitor } from '../support/visitor.ts'

// What somebody may send in the hope that it is taken for something else than it is, or takes more than it should.

const helper = 'help@agency.example'
const { started: app, routes } = await withRouteTable(() =>
  startTestApp({ today: '2026-03-18', demo: false, env: { SUPPORT_EMAIL: helper } }),
)
afterAll(() => app.close())
const port = (app.server.app.server.address() as AddressInfo).port
const { server } = app.server.app

let person: Visitor
beforeAll(async () => {
  person = await registered(app, 'typist')
  await (await app.stores()).sql(`UPDATE people SET plan = 'agency', plan_chosen_at = now()`)
})

const cookieOf = (who: Visitor) => [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** A person uploads a file to a property of that name. */
async function upload(property: string, content: string | Uint8Array, fileName = 'figures.csv') {
  const form = new FormData()
  form.append('property', property)
  form.append('file', new Blob([new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content)]), fileName)
  const answer = await fetch(new URL('/api/import', app.url), { method: 'POST', body: form, headers: { cookie: cookieOf(person) } })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

describe('names that JavaScript has a use for', () => {
  const writing = routes.filter(({ method, body }) => body !== undefined && method !== 'GET')
  const isClean = () => expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()

  test('are refused in every body', async () => {
    expect(writing.length).toBeGreaterThan(20)
    for (const { method, url, body } of writing) {
      const [sample] = samplesOf(body!, { property: 'none', client: '0', alert: '0' })
      const fields = JSON.stringify(sample?.value ?? {})
        .replace(/^\{/, '')
        .replace(/^(?=[^}])/, ',')
        .replace(/^\}$/, '}')
      for (const name of ['"__proto__":{"polluted":1}', '"\\u005f_proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}']) {
        const rawBody = `{${name}${fields}`
        expect(() => JSON.parse(rawBody)).not.toThrow()
        const { status, body: told } = await person.send(method as 'POST', url.replace(':id', '1'), undefined, { rawBody })
        const refused = { status: 400, told: { message: "Body is not valid JSON but content-type is set to 'application/json'" } }
        expect({ url, name, status, told }).toEqual({ url, name, ...refused })
        isClean()
      }
    }
  })

  test('are nothing special in an address', async () => {
    const queries = [
      '__proto__[polluted]=1',
      '__proto__.polluted=1',
      'constructor[prototype][polluted]=1',
      '__proto__=1',
      'constructor=1',
      'toString=1',
    ]
    for (const { url } of routes.filter(({ method, url: place }) => method === 'GET' && place.startsWith('/api/') && !place.includes(':')))
      for (const query of queries) {
        expect((await person.get(`${url}?${query}`)).status).toBeLessThan(500)
        isClean()
      }
  })

  test('are texts like others where people search for them', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasownproperty', 'prototype', 'valueof', '__definegetter__']
    const lines = names.map((name, at) => `2026-03-14,${name},${at + 1},100,5`)
    expect(await upload('names', ['date,query,clicks,impressions,position', ...lines].join('\n'))).toMatchObject({ status: 200 })
    const listed = z
      .array(z.looseObject({ query: z.string(), clicks: z.number() }))
      .parse((await person.get('/api/keywords?property=names')).body)
    expect(new Map(listed.map(({ query, clicks }) => [query, clicks]))).toEqual(new Map(names.map((name, at) => [name, at + 1])))
    isClean()
  })
})

describe('too much', () => {
  const login = (headers: string, body = '') =>
    `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`
  const isUsable = async () => expect((await app.visitor().get('/healthz')).status).toBe(200)

  test.each([
    ['a body that says it is large', login(`Content-Length: ${2 ** 31}`), /^HTTP\/1.1 413 /],
    [
      'a body that does not say it',
      login('Transfer-Encoding: chunked', `200000\r\n${'x'.repeat(0x200000)}\r\n0\r\n\r\n`),
      /^HTTP\/1.1 413 /,
    ],
    ['two lengths', login('Content-Length: 5\r\nContent-Length: 6', 'x'.repeat(6)), /^HTTP\/1.1 400 /],
    ['a length and none', login('Content-Length: 5\r\nTransfer-Encoding: chunked', '0\r\n\r\n'), /^HTTP\/1.1 400 /],
    ['a header without end', login(`X-Long: ${'x'.repeat(100_000)}`), /^HTTP\/1.1 431 /],
    ['headers without end', login(`Connection: close\r\n${'X-Many: yes\r\n'.repeat(5000)}Content-Length: 0`), /^HTTP\/1.1 431 /],
    ['cookies without end', login(`Cookie: ${'a=b; '.repeat(20_000)}`), /^HTTP\/1.1 431 /],
    ['an address without end', `GET /api/user?${'x'.repeat(100_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, /^HTTP\/1.1 431 /],
    ['a line end in a header', login('X-One: a\rSet-Cookie: b=c\r\nConnection: close\r\nContent-Length: 0'), /^HTTP\/1.1 400 /],
    ['no host', 'GET /api/user HTTP/1.1\r\n\r\n', /^HTTP\/1.1 400 /],
    ['no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', /^HTTP\/1.1 400 |^$/],
  ])('%s', async (_what, bytes, answered) => {
    expect(await rawExchange(port, bytes)).toMatch(answered)
    await isUsable()
  })

  test('JSON that is all brackets is not JSON to us, and the next request is answered', async () => {
    for (const rawBody of ['['.repeat(500_000), '{"a":'.repeat(100_000), `${'['.repeat(200_000)}${']'.repeat(200_000)}`]) {
      expect((await person.send('POST', '/api/gsc-properties/select', undefined, { rawBody })).status).toBe(400)
      await isUsable()
    }
  })

  test('files at once', async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\ndate'
    const kind = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000'
    const begun = `POST /api/import HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookieOf(person)}\r\n${kind}\r\n\r\n${part}`
    const sockets = Array.from({ length: uploadsAtOnce }, () => connect({ host: 'localhost', port }))
    for (const socket of sockets) socket.on('error', () => {}).write(begun)
    const onTheirWay = async () => (await readdir(path.join(app.dataDir, 'uploads')).catch(() => [])).length
    await until(onTheirWay, (count) => count === uploadsAtOnce)
    const another = () => upload('many', 'date,query,clicks,impressions,position\n2026-03-14,a,1,1,1')
    const refused = await another()
    expect(refused.status).toBe(429)
    expect(apiError.strict().parse(refused.body).message).toContain('being imported already')
    // Of somebody else they say nothing, and one that ends makes room.
    expect((await app.visitor().send('POST', '/api/import')).status).toBe(401)
    for (const socket of sockets) socket.destroy()
    await until(another, ({ status }) => status === 200)
  })

  test('a path or a name of a million letters', async () => {
    const long = 'x'.repeat(900_000)
    expect((await person.send('POST', '/api/annotations', { date: '2026-03-10', text: long, property: null })).status).toBe(400)
    expect((await person.send('POST', '/api/auth/login', { username: long, password: 'x-x-x-x-x' })).status).toBe(400)
    expect((await app.visitor().send('POST', '/api/auth/login', { username: 'typist', password: long })).status).toBe(400)
    expect((await person.send('POST', '/api/support', { subject: long, message: 'x', diagnostics: [] })).status).toBe(400)
  })
})

describe('too slow', () => {
  test('each part of a request has an end', () => {
    expect(server.headersTimeout).toBeLessThanOrEqual(20_000)
    expect(server.headersTimeout).toBeGreaterThan(0)
    expect(server.requestTimeout).toBe(patience.requestTimeout)
    expect(server.timeout).toBe(patience.connectionTimeout)
    expect(server.keepAliveTimeout).toBeGreaterThan(0)
    expect(server.maxConnections).toBeLessThanOrEqual(10_000)
  })

  test('headers that come letter by letter are not waited for', async () => {
    const usual = server.headersTimeout
    onTestFinished(() => void (server.headersTimeout = usual))
    server.headersTimeout = 100
    const socket = connect({ host: 'localhost', port })
    const told: Buffer[] = []
    socket.on('data', (chunk) => told.push(chunk))
    socket.on('error', () => {})
    socket.write('GET /api/user HTTP/1.1\r\n')
    const dripping = setInterval(() => socket.write('X-A: b\r\n'), 50)
    await once(socket, 'close')
    clearInterval(dripping)
    expect(Buffer.concat(told).toString()).toMatch(/^HTTP\/1.1 408 /)
  })

  test('a body that comes byte by byte is not waited for, unless it is a file', async () => {
    const slow = Fastify()
    onTestFinished(() => slow.close())
    endSlowBodies(slow, 300)
    slow.post('/short', async () => 'done')
    slow.post('/api/import', async () => 'done')
    await slow.listen({ host: '127.0.0.1', port: 0 })
    const send = (place: string) =>
      new Promise<string>((done) => {
        const socket = connect({ host: '127.0.0.1', port: (slow.server.address() as AddressInfo).port })
        const told: Buffer[] = []
        socket.on('data', (chunk) => told.push(chunk))
        socket.on('error', () => {})
        socket.write(
          `POST ${place} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n`,
        )
        const bytes = [...'"          "']
        const dripping = setInterval(() => (bytes.length > 0 ? socket.write(bytes.shift()!) : clearInterval(dripping)), 60)
        socket.once('close', () => {
          clearInterval(dripping)
          done(Buffer.concat(told).toString())
        })
      })
    const [short, file] = await Promise.all([send('/short'), send('/api/import')])
    expect(short).toMatch(/^HTTP\/1.1 408 /)
    expect(file).toMatch(/^HTTP\/1.1 200 /)
  })

  test('a file whose sender was turned away is not waited for', async () => {
    const slow = Fastify()
    onTestFinished(() => slow.close())
    slow.setErrorHandler(answerError)
    endSlowBodies(slow, 300)
    await slow.register(
      importRoutes({
        imports: {} as ImportService,
        requirePerson: async () => {
          throw new Refusal(401, 'Please log in.')
        },
        handOver: createHandOver(app.dataDir),
      }),
    )
    await slow.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect({ host: '127.0.0.1', port: (slow.server.address() as AddressInfo).port })
    const told: Buffer[] = []
    socket.on('data', (chunk) => told.push(chunk))
    socket.on('error', () => {})
    socket.write(
      'POST /api/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n',
    )
    let sent = 0
    const dripping = setInterval(() => socket.write('-', () => (sent += 1)), 30)
    onTestFinished(() => void socket.destroy())
    await once(socket, 'close')
    clearInterval(dripping)
    expect(Buffer.concat(told).toString()).toMatch(/^HTTP\/1.1 401 [^]*Please log in/)
    // Not at once: what is on its way is let come.
    expect(sent).toBeGreaterThan(1)
  })

  test('more connections than there is room for are closed, and those that are there are answered', async () => {
    const usual = server.maxConnections
    onTestFinished(() => void (server.maxConnections = usual))
    server.closeIdleConnections()
    server.maxConnections = 3
    const sockets = Array.from({ length: 40 }, () => connect({ host: '127.0.0.1', port }))
    await Promise.all(
      sockets.slice(3).map(async (socket) => {
        socket.on('error', () => {})
        if (!socket.destroyed) await Promise.race([once(socket, 'close'), new Promise((done) => setTimeout(done, 5000))])
      }),
    )
    const open = sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open')
    for (const socket of sockets) socket.destroy()
    expect(open.length).toBeLessThanOrEqual(3)
    server.maxConnections = usual
    expect((await rawRequest(port, { path: '/healthz' })).status).toBe(200)
  })
})

describe('files', () => {
  const chart = 'Date,Clicks,Impressions,CTR,Position\n2026-07-01,1,2,50%,3\n'
  /** The names in a ZIP's list, changed where it says something of them: `at` as the format numbers it. */
  const patched = (zip: Uint8Array, at: number, bytes: number[]): Uint8Array => {
    const copy = Buffer.from(zip)
    for (let from = copy.indexOf('PK\x01\x02', 0, 'latin1'); from >= 0; from = copy.indexOf('PK\x01\x02', from + 4, 'latin1'))
      copy.set(bytes, from + at)
    return copy
  }

  test('a ZIP in a ZIP is not opened', async () => {
    let nested = zipOf({ 'Chart.csv': chart })
    for (let depth = 0; depth < 10; depth += 1) nested = zipOf({ 'Chart.zip': nested })
    expect((await problemOf(nested)).message).toContain('holds no CSV file')
    expect((await problemOf(zipOf({ 'Chart.csv': nested }))).message).not.toBe('')
  })

  test('a link in a ZIP is read as the text it is', async () => {
    const link = patched(zipOf({ 'Chart.csv': '/etc/passwd' }), 38, [0, 0, 0xff, 0xa1])
    const { message } = await problemOf(link)
    expect(message).not.toContain('root')
  })

  test('a line without end is refused long before its end', async () => {
    const endless = zipOf({
      'Chart.csv': Buffer.concat([Buffer.from('Date,Clicks,Impressions,CTR,Position\n"'), Buffer.alloc(64 * 1024 ** 2, 0x41)]),
    })
    expect(endless.length).toBeLessThan(200_000)
    expect((await problemOf(endless)).message).not.toBe('')
  })

  test('two files of one name do not become one', async () => {
    const twice = Buffer.from(zipOf({ 'a/Chart.csv': chart, 'b/Chart.csv': chart.replace('1,2', '2,2') }))
    for (let at = twice.indexOf('b/Chart'); at >= 0; at = twice.indexOf('b/Chart', at + 1)) twice[at] = 0x61
    expect((await problemOf(twice)).message).toContain('several tables by date')
  })

  test.each([
    '../../../../tmp/escaped.csv',
    '../../../../../../../../tmp/escaped.csv',
    '../escaped.csv',
    '/etc/cron.d/escaped.csv',
    '/tmp/escaped.csv',
    'C:\\Windows\\escaped.csv',
    '..\\..\\escaped.csv',
    'a\r\nescaped.csv',
    'escaped.csv\0.csv',
    '....//....//escaped.csv',
  ])('a file called %j leaves nothing anywhere', async (template) => {
    // A name of this test alone: what is there under it was made by it.
    const name = template.replace('escaped', `escaped-${crypto.randomUUID()}`)
    const targets = targetsOf(name)
    onTestFinished(() => targets.forEach((target) => rmSync(target, { force: true })))
    expect((await upload('paths', zipOf({ [name]: chart.replaceAll('07-01', '03-01') }), name)).status).toBe(200)
    expect(targets.filter((target) => existsSync(target))).toEqual([])
    expect(readdirSync(path.join(app.dataDir, 'uploads'))).toEqual([])
    expect(readdirSync(app.dataDir).filter((each) => each.includes('escaped'))).toEqual([])
  })

  /** Everywhere that such a name may lead, from wherever a server would put it, as it is and with what tidying leaves of it. */
  function targetsOf(name: string): string[] {
    const uploads = path.join(app.dataDir, 'uploads')
    const places = [path.join(uploads, 'one'), uploads, app.dataDir, tmpdir(), process.cwd(), '/']
    const tidied = [name.replaceAll('../', ''), name.replaceAll('\\', '/'), name.replaceAll(/[\0\r\n]/g, ''), name.split('\0')[0] ?? '']
    const last = name.split(/[/\\\0\r\n]/).filter((part) => part.includes('escaped'))
    const written = [name, ...tidied, ...last].filter((each) => !each.includes('\0'))
    return [...new Set(places.flatMap((place) => written.flatMap((each) => [path.resolve(place, each), path.join(place, each)])))]
  }

  test('what is refused leaves nothing either', async () => {
    for (const bad of ['', 'PK\x03\x04', 'x'.repeat(100_000), 'Date,Clicks\n2026-03-01,-1'])
      expect((await upload('paths', bad)).status).toBe(400)
    expect(readdirSync(path.join(app.dataDir, 'uploads'))).toEqual([])
  })

  test('a logo is what it begins with, and nothing that can hold a script', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>'
    await person.send('PUT', '/api/report-brand', { name: 'Mine', colour: '#123456', senderName: 'Mine', replyTo: null })
    for (const content of [svg, `\x89PNG\r\n\x1a\n${svg}`, 'GIF89a', '<html>', '%PDF-1.7', `RIFF....WEBP${svg}`]) {
      const answer = await fetch(new URL('/api/report-brand/logo', app.url), {
        method: 'PUT',
        headers: { cookie: cookieOf(person), 'content-type': 'image/png' },
        body: Buffer.from(content, 'latin1'),
      })
      expect(answer.status).toBe(400)
    }
  })

  test('a table of rows that are all there is not a bomb', async () => {
    const days = Array.from({ length: 28 }, (_, day) => `2026-07-${String(day + 1).padStart(2, '0')},1,2,50%,3`)
    expect(await rowsOf(zipOf({ 'Chart.csv': `Date,Clicks,Impressions,CTR,Position\n${days.join('\n')}` }))).toHaveLength(28)
  })
})

describe('what a spreadsheet would calculate', () => {
  const formulas = [
    '=hyperlink("https://evil.example")',
    '+1+1',
    '-1+1',
    '@sum(a1)',
    "=cmd|' /c calc'!a0",
    '="a"&b1',
    '＝1+1',
    '＋1',
    '－1',
    '＠a',
    ' =1+1',
    '\u00A0+1',
    '\uFEFF=1',
    '\u200B@a',
    '\t-1',
    'x;=1+1;y',
    'x\t+1\ty',
  ]
  test('is text in the files that people take along', async () => {
    const quoted = formulas.map((text, at) => `2026-03-14,"${text.replaceAll('"', '""')}",${at + 1},100,5`)
    expect(await upload('formulas', ['date,query,clicks,impressions,position', ...quoted].join('\n'))).toMatchObject({ status: 200 })
    const answer = await person.get('/api/keywords/export.csv?property=formulas')
    expect(answer.status).toBe(200)
    const file = String(answer.body)
    const cells = readCsv(file).flat()
    const unseen = /[\s"\u200B\uFEFF]/g
    const bare = (text: string) => text.replaceAll("'", '').trim()
    for (const text of formulas) {
      // It is there, and not as it was sent.
      expect(cells.map(bare)).toContain(bare(text))
      expect(cells).not.toContain(text)
    }
    // Of spreadsheets that separate cells by semicolons or tabs, too. A figure below zero is no formula.
    const calculated = [...cells, ...file.split(/[;\t\r\n]/)].filter(
      (cell) => /^[=+\-@＝＋－＠]/.test(cell.replaceAll(unseen, '')) && !/^-[\d.]+$/.test(cell),
    )
    expect(calculated).toEqual([])
  })
})

describe('markup and line ends where people type', () => {
  const markup = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`
  const lines = 'Hello\r\nBcc: all@victims.example\r\n\r\n<p>'

  test('are text in mails, and add nothing to their headers', async () => {
    // Only to a confirmed address goes a receipt.
    await (await app.stores()).sql(`UPDATE users SET email_verified = true WHERE email = 'typist@example.test'`)
    for (const subject of [markup, lines]) {
      await app.mail.clear()
      const sent = await person.send('POST', '/api/support', { subject, message: `${markup}\n${lines}`, diagnostics: [] })
      expect(sent.status).toBe(202)
      for (const to of [helper, 'typist@example.test']) {
        const mail = await app.mail.mailTo(to)
        expect(mail.html).not.toMatch(/<script|<img|onerror=alert\(1\)>/)
        expect(mail.header('bcc')).toBeUndefined()
        expect(mail.subject).not.toMatch(/[\r\n]/)
      }
    }
    expect(await app.mail.mails('all@victims.example')).toEqual([])
  })

  test('are text in the mails of reports, in every word that comes from somebody', () => {
    for (const word of [markup, lines, '</style><style>*{display:none}', '\u202Etxt.exe']) {
      const figures = { clicks: 1, impressions: 2, ctr: 50, position: 3 }
      const { html, subject, text } = reportLetter({
        content: {
          title: word,
          kind: 'week',
          period: { start: '2026-03-09', end: '2026-03-15' },
          properties: [word, word],
          within: [word],
          totals: figures,
          previousTotals: figures,
          movers: [{ property: word, what: 'page', name: word, clicks: 1, previous: 2 }],
          alertCount: 1,
          missing: [word],
          notStored: { pages: [word], keywords: [word] },
          brand: { name: word, colour: '#123456', senderName: word, replyTo: null },
        },
        logo: null,
        username: word,
        baseUrl: 'https://rank.example',
        page: 'https://rank.example/shared/x',
        unsubscribePage: 'https://rank.example/unsubscribe?token=a.b',
      })
      expect(html).not.toMatch(/<script|<img|<style>\*|\sonerror="/)
      expect(html.match(/<style>/g)).toHaveLength(1)
      expect(subject).not.toMatch(/[\p{Cc}\u202A-\u202E]/u)
      expect(text).not.toMatch(/^Bcc:/m)
    }
  })

  test('are answered as JSON that no browser takes for a page', async () => {
    const typed: [string, object][] = [
      ['/api/annotations', { date: '2026-03-10', text: markup, property: null }],
      ['/api/keys', { name: markup, scope: 'read', days: 1 }],
    ]
    for (const [place, body] of typed) {
      const made = await person.send('POST', place, body)
      expect(made.status).toBe(201)
      const { headers } = await person.get(place)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test.each(['a"; filename="evil.html', "a'*=utf-8''b", '<script>', '../../evil', 'ä€😀', 'a;b,c'])(
    'a property called %j makes one header, and a file of one name',
    async (name) => {
      const made = await upload(name, 'date,query,clicks,impressions,position\n2026-03-14,x,1,2,3')
      expect(made.status).toBe(200)
      const answer = await person.get(`/api/keywords/export.csv?property=${encodeURIComponent(name)}`)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w%.!~-]+$/)
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(answer.headers.getSetCookie()).toEqual([])
    },
  )
})

test('a property cannot be called what ends a line', async () => {
  const made = await upload('a\r\nset-cookie: x=y', 'date,query,clicks,impressions,position\n2026-03-14,x,1,2,3')
  expect(made).toMatchObject({ status: 400, body: { field: 'property' } })
})

describe('addresses that lead inside', () => {
  const hosts = [
    'localhost',
    'localhost.',
    'LOCALHOST',
    'a.localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '2852039166',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    'metadata.google.internal',
    'metadata.google.internal.',
    'printer.local',
    'router.home.arpa',
    'intranet',
  ]
  test('are no webhook, however they are written', async () => {
    for (const host of hosts) {
      for (const url of [`https://${host}/hook`, `https://${host}:8443/hook`, `https://example.com@${host}/`, `http://${host}/`]) {
        const answer = await person.send('PUT', '/api/delivery-channels/webhook', { url })
        expect({ url, status: answer.status }).toEqual({ url, status: 400 })
      }
    }
    for (const url of [
      'file:///etc/passwd',
      'gopher://example.com/',
      'data:text/plain,x',
      'https://example.com:22/',
      'https://a:b@example.com/',
      'https://',
      '//example.com',
    ])
      expect((await person.send('PUT', '/api/delivery-channels/webhook', { url })).status).toBe(400)
    expect(await app.webhook.messages()).toEqual([])
  })

  test('are no Slack: only its own host is, and only by its own path', async () => {
    const hook = '/services/T0/B0/x'
    for (const webhookUrl of [
      ...hosts.map((host) => `https://${host}${hook}`),
      `https://hooks.slack.com.evil.example${hook}`,
      `https://hooks.slack.com@evil.example${hook}`,
      `https://evil.example/hooks.slack.com${hook}`,
      `https://hooks.slack.com/../..${hook}x?y`,
      `https://hooks.slack.com\\@evil.example${hook}`,
    ])
      expect((await person.send('PUT', '/api/delivery-channels/slack', { webhookUrl })).status).toBe(400)
  })
})

describe('whether there is an account', () => {
  /** How often a password is hashed meanwhile: what logging in takes is that, by far. */
  async function hashesDuring(act: () => Promise<unknown>): Promise<number> {
    const { scrypt } = crypto
    let count = 0
    const counting = ((...all: Parameters<typeof scrypt>) => {
      count += 1
      return scrypt(...all)
    }) as typeof scrypt
    crypto.scrypt = counting
    syncBuiltinESMExports()
    try {
      await act()
      return count
    } finally {
      crypto.scrypt = scrypt
      syncBuiltinESMExports()
    }
  }
  const post = (place: string, body: object) => app.visitor().send('POST', place, body)

  test('cannot be told from how much work a login is', async () => {
    const { sql } = await app.stores()
    await registered(app, 'claims')
    await sql(
      `INSERT INTO users (id, name, username, email, email_verified, created_at, updated_at) VALUES ('no-password', 'g', 'googler', 'g@example.test', true, now(), now())`,
    )
    const answers: unknown[] = []
    for (const username of ['typist', 'nobody-of-this-name', 'googler', 'claims@example.test', 'g@example.test', 'nobody@example.test']) {
      const hashes = await hashesDuring(async () => {
        const { status, body } = await post('/api/auth/login', { username, password: 'not-the-password' })
        answers.push({ status, body })
      })
      expect({ username, hashes }).toEqual({ username, hashes: 1 })
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    // The count is one: a right login is counted by it, too.
    expect(await hashesDuring(() => post('/api/auth/login', { username: 'typist', password: 'a-good-password' }))).toBe(1)
  })

  test('cannot be told from registering with the address of somebody', async () => {
    const made: unknown[] = []
    for (const [username, email] of [
      ['newcomer1', 'typist@example.test'],
      ['newcomer2', 'nobody-yet@example.test'],
    ]) {
      const hashes = await hashesDuring(async () => {
        const { status, body } = await post('/api/auth/register', { username, email, password: 'a-good-password' })
        made.push({ status, keys: Object.keys(z.object({ user: z.looseObject({}) }).parse(body).user).toSorted() })
      })
      expect(hashes).toBe(1)
    }
    expect(made[0]).toEqual(made[1])
  })

  test('cannot be told from asking for a new password', async () => {
    const answers: unknown[] = []
    for (const email of ['typist@example.test', 'nobody-at-all@example.test']) {
      const hashes = await hashesDuring(async () => {
        const { status, body, headers } = await post('/api/auth/forgot-password', { email })
        answers.push({ status, body, length: headers.get('content-length'), cookies: headers.getSetCookie() })
      })
      expect(hashes).toBe(0)
    }
    expect(answers[0]).toEqual(answers[1])
  })
})
