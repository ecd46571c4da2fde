import { describe, expect } from 'vitest'
import { z } from 'zod'
import { apiKeyMade } from '../../src/contract/api-keys.ts'
import { runJob } from '../support/jobs.ts'
import { samplesOf } from '../support/made-requests.ts'
import { typistTest } from './typist.ts'

// Inputs that might be mistaken for something else, or use more resources than they should.

const test = typistTest()

describe('names that mean something in JavaScript', () => {
  const isClean = () => expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()

  test('are refused in every body', { tags: ['full'] }, async ({ typist: { routes, person } }) => {
    // The command line's endpoints reject everybody before they read anything.
    const writing = routes.filter(({ method, url, body }) => body !== undefined && method !== 'GET' && !url.startsWith('/api/internal/'))
    expect(writing.length).toBeGreaterThan(20)
    const made = await person.send('POST', '/api/keys', { name: 'program', scope: 'write', days: 1 })
    const { key } = apiKeyMade.parse(made.body)
    for (const { method, url, body } of writing) {
      const [sample] = samplesOf(body!, { property: 'none', client: '0', alert: '0' })
      const fields = JSON.stringify(sample?.value ?? {})
        .replace(/^\{/, '')
        .replace(/^(?=[^}])/, ',')
        .replace(/^\}$/, '}')
      for (const name of ['"__proto__":{"polluted":1}', '"\\u005f_proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}']) {
        const rawBody = `{${name}${fields}`
        expect(() => JSON.parse(rawBody)).not.toThrow()
        const byKey = url.startsWith('/api/v1/') && { headers: { authorization: `Bearer ${key}` } }
        const { status, body: answer } = await person.send(method as 'POST', url.replace(':id', '1'), undefined, { rawBody, ...byKey })
        expect({ url, name, status, answer: JSON.stringify(answer) }).toEqual({
          url,
          name,
          status: 400,
          answer: expect.stringContaining("Body is not valid JSON but content-type is set to 'application/json'"),
        })
        isClean()
      }
    }
  })

  test('are nothing special in a URL', { tags: ['full'] }, async ({ typist: { routes, person } }) => {
    const queries = [
      '__proto__[polluted]=1',
      '__proto__.polluted=1',
      'constructor[prototype][polluted]=1',
      '__proto__=1',
      'constructor=1',
      'toString=1',
    ]
    for (const { url } of routes.filter(({ method, url: place }) => method === 'GET' && place.startsWith('/api/') && !place.includes(':')))
      await Promise.all(
        queries.map(async (query) => {
          const { status } = await person.get(`${url}?${query}`)
          expect({ url, isAnswered: status < 500 }).toEqual({ url, isAnswered: true })
          isClean()
        }),
      )
  })

  test('are ordinary text in searches', { tags: ['full'] }, async ({ typist: { person, upload } }) => {
    const names = ['__proto__', 'constructor', 'toString', 'hasownproperty', 'prototype', 'valueof', '__definegetter__']
    const lines = names.map((name, at) => `2026-03-14,${name},${at + 1},100,5`)
    expect(await upload('names', ['date,query,clicks,impressions,position', ...lines].join('\n'))).toMatchObject({ status: 200 })
    const listed = z
      .array(z.looseObject({ query: z.string(), clicks: z.number() }))
      .parse((await person.get('/api/keywords?property=names')).body)
    expect(new Map(listed.map(({ query, clicks }) => [query, clicks]))).toEqual(new Map(names.map((name, at) => [name, at + 1])))
    isClean()
  })

  test(
    "aren't countries, and neither is a calendar: only three-letter codes are countries whose holidays count",
    { tags: ['full'] },
    async ({ typist: { app, upload } }) => {
      const file = (country: string) => `date,country,clicks,impressions,position\n2026-03-14,"${country}",5,100,5`
      for (const country of ['constructor', '__proto__', 'toString', 'BEGIN:VCALENDAR', '01-01 moon', 'E+1', "usa' OR 1=1 --"])
        expect({ country, ...(await upload('countries', file(country))) }).toMatchObject({
          country,
          status: 400,
          body: { message: expect.stringContaining('is not a country') },
        })
      expect((await upload('countries', file(`BEGIN:VCALENDAR\nSUMMARY:${'x'.repeat(200_000)}\nEND:VCALENDAR`))).status).toBe(400)
      // Obsolete codes are accepted, and have no holidays.
      expect(await upload('countries', file('xyz'))).toMatchObject({ status: 200 })
      await runJob(app, 'alerts-due')
      isClean()
    },
  )
})
