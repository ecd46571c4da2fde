import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'vitest'
import { eachDay } from '../../src/core/analytics/days.ts'
import { registered } from '../support/people.ts'
import { rawRequest } from '../support/raw-request.ts'
import { typistTest } from './typist.ts'

// One free account that asks hundreds of times at once for answers as long as it can make them: who it is, with a long list of properties, or
// the numbers of each day since 2000, which it imported.

const test = typistTest().extend('imported', { scope: 'file' }, async ({ typist: { upload } }) => {
  const days = eachDay('2000-01-01', '2026-03-15').map((date, at) => `${date},word ${at % 7},1,2,3`)
  const { status } = await upload('since-2000', ['date,query,clicks,impressions,position', ...days].join('\n'))
  expect(status).toBe(200)
  return 'since-2000'
})

/** How many complete answers to a path begin in each turn of the event loop. */
function answersPerTurn(server: Server, path: string) {
  const answers: number[] = []
  const stop = new AbortController()
  const note = (request: IncomingMessage, answer: ServerResponse): void => {
    if (request.url !== path) return
    const { writeHead } = answer
    answer.writeHead = ((status: number, ...rest: never[]) => {
      if (status === 200) answers.push((answers.pop() ?? 0) + 1)
      return writeHead.call(answer, status, ...rest)
    }) as typeof writeHead
  }
  server.prependListener('request', note)
  const counting = (async () => {
    while (!stop.signal.aborted) {
      answers.push(0)
      await nextTurn()
    }
  })()
  return async (): Promise<number[]> => {
    stop.abort()
    await counting
    server.off('request', note)
    return answers
  }
}

for (const path of ['/api/user', '/api/auth/session'])
  test(
    `hundreds of requests for ${path} at once: one list a turn, so that others get theirs meanwhile`,
    { tags: ['full'] },
    async ({ typist: { app, person } }) => {
      const { sql } = await app.stores()
      await sql(`INSERT INTO properties (user_id, name, kind)
      SELECT id, 'https://' || repeat('x', 300) || n || '.example/', 'google' FROM users, generate_series(1, 1000) AS n
      WHERE username = 'typist' ON CONFLICT DO NOTHING`)
      const other = await registered(app, `other${path.length}`)
      const end = answersPerTurn(app.server.app.server, path)
      let answered = 0
      const all = Array.from({ length: 500 }, async () => {
        const { status } = await person.get(path)
        answered += 1
        return status
      })
      for (let asked = 0; asked < 3; asked += 1) expect((await other.get('/api/keys')).status).toBe(200)
      expect(answered).toBeLessThan(all.length)
      const statuses = await Promise.all(all)
      const perTurn = await end()
      // 128 in progress and 256 waiting, and as many more as are answered before the last one arrives.
      const complete = statuses.filter((status) => status === 200)
      expect(complete.length).toBeGreaterThanOrEqual(384)
      expect(statuses.filter((status) => status === 429)).toHaveLength(all.length - complete.length)
      expect(perTurn.reduce((sum, count) => sum + count, 0)).toBe(complete.length)
      expect(Math.max(...perTurn)).toBe(1)
    },
  )

for (const path of ['analytics/history', 'metrics', 'analytics/days', 'brand/split'])
  test(
    `hundreds of requests for the numbers of 9,500 days at once, by /api/${path}: some wait, the rest are refused, and nobody else waits for them`,
    { tags: ['full'] },
    async ({ typist: { app, port, person }, imported }) => {
      const other = await registered(app, `other-${path.replace('/', '-')}`)
      const long = `/api/${path}?property=${imported}&range=2000-01-01_2026-03-15&compare=none`
      const first = await person.get(long)
      expect(first.status).toBe(200)
      expect(JSON.stringify(first.body).length).toBeGreaterThan(200_000)
      const end = answersPerTurn(app.server.app.server, long)
      let written = 0
      const all = Array.from({ length: 120 }, async () => {
        const { status } = await person.get(long)
        if (status === 200) written += 1
        return status
      })
      // Over a new connection, behind those of all the others.
      expect((await rawRequest(port, { path: '/healthz' })).status).toBe(200)
      expect((await other.get('/api/keys')).status).toBe(200)
      expect(written).toBeLessThan(32)
      const statuses = await Promise.all(all)
      const perTurn = await end()
      const complete = statuses.filter((status) => status === 200)
      expect(complete.length).toBeGreaterThanOrEqual(64)
      expect(statuses.filter((status) => status === 429)).toHaveLength(all.length - complete.length)
      expect(complete.length).toBeLessThan(all.length)
      expect(Math.max(...perTurn)).toBe(1)
    },
  )
