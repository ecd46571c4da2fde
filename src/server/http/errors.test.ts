import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import type { TestApp } from '../../../test/support/app.ts'
import { appTest } from '../../../test/support/app-test.ts'
import { newPerson } from '../../../test/support/people.ts'
import { rawRequest } from '../../../test/support/raw-request.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { problem } from '../../contract/api-v1/problems.ts'
import { apiError } from '../../contract/common.ts'

const test = appTest({ today: '2026-03-18', demo: false }).extend('person', { scope: 'file' }, ({ app }) => newPerson(app))

/** Sends raw bytes, and reads until the server hangs up. */
async function raw(app: TestApp, sent: string): Promise<string> {
  const socket = connect(Number(new URL(app.url).port), 'localhost')
  socket.write(sent)
  return text(socket)
}

const post = (person: Visitor, rawBody: string, headers: Record<string, string> = {}) =>
  person.send('POST', '/api/gsc-properties/select', undefined, { rawBody, headers })

describe('invalid input gets a message, and the field if there is one', () => {
  test('broken JSON', async ({ person }) => {
    const answer = await post(person, '{"selectedProperty": "x')
    expect(answer.status).toBe(400)
    expect(apiError.strict().parse(answer.body).message).toMatch(/JSON/)
  })

  test('no body', async ({ person }) => {
    const answer = await post(person, '')
    expect(answer.status).toBe(400)
    expect(apiError.strict().parse(answer.body).message).not.toBe('')
  })

  test.for<[string, string | undefined]>([
    ['{}', 'selectedProperty'],
    ['{"selectedProperty": 7}', 'selectedProperty'],
    ['{"selectedProperty": ""}', 'selectedProperty'],
    [JSON.stringify({ selectedProperty: 'x'.repeat(3000) }), 'selectedProperty'],
    ['[]', undefined],
    ['null', undefined],
    ['"text"', undefined],
  ])('%.40s', async ([body, field], { person }) => {
    const answer = await post(person, body)
    expect(answer.status).toBe(400)
    expect(apiError.strict().parse(answer.body).field).toBe(field)
  })

  test('another content type', async ({ person }) => {
    const answer = await post(person, 'selectedProperty=x', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(answer.status).toBe(415)
    apiError.strict().parse(answer.body)
  })

  test('a body that is much too large', async ({ person }) => {
    const answer = await post(person, JSON.stringify({ selectedProperty: 'x'.repeat(2_000_000) }))
    expect(answer.status).toBe(413)
    apiError.strict().parse(answer.body)
  })

  test("a parameter that is empty, repeated or can't be stored", async ({ person }) => {
    for (const query of ['property=', 'property=a&property=b']) {
      const answer = await person.get(`/api/metrics?${query}`)
      expect(answer.status).toBe(400)
      expect(apiError.strict().parse(answer.body).field).toBe('property')
    }
    expect([400, 404]).toContain((await person.get('/api/metrics?property=null%00byte')).status)
    expect([400, 404]).toContain((await post(person, JSON.stringify({ selectedProperty: 'null\0byte' }))).status)
  })
})

describe("what doesn't exist", () => {
  test.for([
    ['GET', '/api/nothing'],
    ['GET', '/api/nothing?x=1'],
    ['POST', '/api/user'],
    ['DELETE', '/api/metrics'],
  ] as const)('%s %s returns 404 as JSON', async ([method, path], { person }) => {
    const answer = method === 'GET' ? await person.get(path) : await person.send(method, path)
    expect(answer.status).toBe(404)
    expect(apiError.strict().parse(answer.body).message).toContain(method)
  })

  test("someone else's property returns 404 with the field", async ({ person }) => {
    expect(await person.get('/api/metrics?property=sc-domain:foreign.example')).toMatchObject({
      status: 404,
      body: { field: 'property', message: 'foreign.example is not one of your properties.' },
    })
  })
})

test('a bug of ours returns 500 without internals, and is logged', async ({ app, person }) => {
  const { sql } = await app.stores()
  await sql('ALTER TABLE properties RENAME TO properties_away')
  const answer = await person.get('/api/metrics')
  await sql('ALTER TABLE properties_away RENAME TO properties')
  expect(answer.status).toBe(500)
  expect(answer.body).toEqual({ message: 'Something went wrong on our side. It has been logged; please try again.' })
  expect(app.logLines.join('')).toContain('a request failed')
})

test('API responses are never cached', async ({ person }) => {
  for (const path of ['/api/user', '/api/nothing', '/api/metrics'])
    expect((await person.get(path)).headers.get('cache-control')).toBe('no-store')
})

test.for(['/api/user', '/%61pi/user', '/ap%69/user?x.css', '/%61%70%69/user', 'http://elsewhere.example/api/user'])(
  'responses about a person are never cached, however the URL is written: %s',
  async (path, { app, person }) => {
    const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { status, headers, text: answer } = await rawRequest(Number(new URL(app.url).port), { path, headers: { cookie } })
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(JSON.parse(answer)).toEqual((await person.get('/api/user')).body)
  },
)

describe('requests that the framework refuses get our kinds of error responses', () => {
  test('a malformed URL', async ({ app, person }) => {
    const ofApi = await person.get('/api/v1/%zz')
    expect(ofApi.status).toBe(400)
    expect(ofApi.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(problem.strict().parse(ofApi.body)).toMatchObject({ status: 400, type: expect.stringContaining(`${app.url}/api/docs#`) })
    const named = await rawRequest(Number(new URL(app.url).port), { path: '/api/v1/%zz', headers: { host: 'evil.example' } })
    expect(problem.strict().parse(JSON.parse(named.text)).type).toBe(problem.strict().parse(ofApi.body).type)
    const ofApp = await person.get('/api/alerts/%zz')
    expect(ofApp.status).toBe(400)
    expect(apiError.strict().parse(ofApp.body).message).toContain('not valid')
    const ofNobody = await person.get('/%zz')
    expect([ofNobody.status, ofNobody.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8'])
  })

  test.for<[string, string, number]>([
    ['not HTTP at all', 'GARBAGE\r\n\r\n', 400],
    ['endless headers', `GET /api/user HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`, 431],
    ['two lengths', 'POST /api/user HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx', 400],
  ])('%s', async ([_name, sent, status], { app }) => {
    const answer = await raw(app, sent)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(apiError.strict().parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).message).not.toBe('')
  })
})

describe('for operators', () => {
  test('/healthz, /readyz and /metrics respond', async ({ person }) => {
    expect(await person.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await person.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    const metrics = await person.get('/metrics')
    expect(metrics.status).toBe(200)
    expect(metrics.body).toContain('http_request_duration_seconds')
  })
})
