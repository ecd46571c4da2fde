import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { newPerson } from '../../../test/support/people.ts'
import type { Visitor } from '../../../test/support/visitor.ts'
import { apiError } from '../../contract/common.ts'

let app: TestApp
let person: Visitor
beforeAll(async () => {
  app = await startTestApp({ today: '2026-03-18', demo: false })
  person = await newPerson(app)
})
afterAll(() => app.close())

const post = (rawBody: string, headers: Record<string, string> = {}) =>
  person.send('POST', '/api/gsc-properties/select', undefined, { rawBody, headers })

describe('bad input is answered with a message, and the field where there is one', () => {
  test('broken JSON', async () => {
    const answer = await post('{"selectedProperty": "x')
    expect(answer.status).toBe(400)
    expect(apiError.strict().parse(answer.body).message).toMatch(/JSON/)
  })

  test('no body', async () => {
    const answer = await post('')
    expect(answer.status).toBe(400)
    expect(apiError.strict().parse(answer.body).message).not.toBe('')
  })

  test.each([
    ['{}', 'selectedProperty'],
    ['{"selectedProperty": 7}', 'selectedProperty'],
    ['{"selectedProperty": ""}', 'selectedProperty'],
    [JSON.stringify({ selectedProperty: 'x'.repeat(3000) }), 'selectedProperty'],
    ['[]', undefined],
    ['null', undefined],
    ['"text"', undefined],
  ])('%.40s', async (body, field) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(apiError.strict().parse(answer.body).field).toBe(field)
  })

  test('another content type', async () => {
    const answer = await post('selectedProperty=x', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(answer.status).toBe(415)
    apiError.strict().parse(answer.body)
  })

  test('a body that is far too large', async () => {
    const answer = await post(JSON.stringify({ selectedProperty: 'x'.repeat(2_000_000) }))
    expect(answer.status).toBe(413)
    apiError.strict().parse(answer.body)
  })

  test('a parameter that is empty, doubled, or holds what cannot be stored', async () => {
    for (const query of ['property=', 'property=a&property=b']) {
      const answer = await person.get(`/api/metrics?${query}`)
      expect(answer.status).toBe(400)
      expect(apiError.strict().parse(answer.body).field).toBe('property')
    }
    expect([400, 404]).toContain((await person.get('/api/metrics?property=null%00byte')).status)
    expect([400, 404]).toContain((await post(JSON.stringify({ selectedProperty: 'null\0byte' }))).status)
  })
})

describe('what is not there', () => {
  test.each([
    ['GET', '/api/nothing'],
    ['GET', '/api/nothing?x=1'],
    ['POST', '/api/user'],
    ['DELETE', '/api/metrics'],
  ] as const)('%s %s answers 404 in JSON', async (method, path) => {
    const answer = method === 'GET' ? await person.get(path) : await person.send(method, path)
    expect(answer.status).toBe(404)
    expect(apiError.strict().parse(answer.body).message).toContain(method)
  })

  test("a property that is not one's own answers 404 and names the field", async () => {
    expect(await person.get('/api/metrics?property=sc-domain:foreign.example')).toMatchObject({ status: 404, body: { field: 'property' } })
  })
})

test('a defect of ours answers 500 without a word of the inside, and is logged', async () => {
  const { sql } = await app.stores()
  await sql('ALTER TABLE properties RENAME TO properties_away')
  const answer = await person.get('/api/metrics')
  await sql('ALTER TABLE properties_away RENAME TO properties')
  expect(answer.status).toBe(500)
  expect(answer.body).toEqual({ message: 'Something went wrong on our side. It has been logged; please try again.' })
  expect(app.logLines.join('')).toContain('a request failed')
})

test('answers of the API are never kept by a cache', async () => {
  for (const path of ['/api/user', '/api/nothing', '/api/metrics'])
    expect((await person.get(path)).headers.get('cache-control')).toBe('no-store')
})

describe('for operators', () => {
  test('/healthz, /readyz and /metrics answer', async () => {
    expect(await person.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await person.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    const metrics = await person.get('/metrics')
    expect(metrics.status).toBe(200)
    expect(metrics.body).toContain('http_request_duration_seconds')
  })
})
