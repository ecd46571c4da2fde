import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'vitest'
import { registered } from '../support/people.ts'
import { typistTest } from './typist.ts'

// One free account with a long list of properties that asks who it is hundreds of times at once: each answer contains the whole list.

const test = typistTest()

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

/** Both answer with the list of sites; the second one runs in the full run only. */
const routes = [
  ['/api/user', {}],
  ['/api/auth/session', { tags: ['full'] }],
] as const
for (const [path, options] of routes)
  test(
    `hundreds of requests for ${path} at once: one list a turn, so that others get theirs meanwhile`,
    options,
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
