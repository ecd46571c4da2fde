import { createHmac, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { peopleOfSessions, type Person } from './person.ts'

/**
 * Reads the session of a request. better-auth's own reading costs over a millisecond of processor time,
 * too much for every request; this checks the same signature and the same row. Renewing is
 * left to better-auth, once per page load (service.ts). Nothing is remembered: a session that has
 * ended is gone with the next request.
 */
export function createSessionReader(pool: pg.Pool, secret: string, cookieNames: readonly string[], now: () => Date) {
  const read = inBatches((tokens: readonly string[]) => peopleOfSessions(pool, tokens, now()))
  return async (cookieHeader: string | undefined): Promise<Person | null> => {
    const token = cookieHeader === undefined ? null : signedToken(cookieHeader, cookieNames, secret)
    return token === null ? null : ((await read(token)) ?? null)
  }
}

/**
 * Joins look-ups that come at the same time: while one query is under way those that arrive wait,
 * and are then answered by the next one together. Every answer comes from a query that began
 * after its question was asked.
 */
function inBatches<V>(query: (keys: readonly string[]) => Promise<Map<string, V>>): (key: string) => Promise<V | undefined> {
  let waiting: { keys: Set<string>; answer: Promise<Map<string, V>> } | undefined
  let underway: Promise<unknown> = Promise.resolve()
  return async (key) => {
    if (!waiting) {
      const keys = new Set<string>()
      const answer = underway.then(() => {
        waiting = undefined
        return query([...keys])
      })
      waiting = { keys, answer }
      underway = answer.catch(() => {})
    }
    waiting.keys.add(key)
    return (await waiting.answer).get(key)
  }
}

/** The session token of the cookie header, if it is there and carries our signature. */
export function signedToken(cookieHeader: string, names: readonly string[], secret: string): string | null {
  for (const pair of cookieHeader.split(';')) {
    const at = pair.indexOf('=')
    if (!names.includes(pair.slice(0, at).trim())) continue
    const value = decode(pair.slice(at + 1).trim())
    const dot = value.lastIndexOf('.')
    if (dot < 1) continue
    const token = value.slice(0, dot)
    const expected = createHmac('sha256', secret).update(token).digest()
    const given = Buffer.from(value.slice(dot + 1), 'base64')
    if (given.length === expected.length && timingSafeEqual(given, expected)) return token
  }
  return null
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
