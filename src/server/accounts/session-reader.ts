import { createHmac, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Offer } from '../../core/billing/offer.ts'
import { inBatches } from '../platform/batches.ts'
import { peopleOfSessions, type SessionPerson } from './person.ts'

type SessionReaderDeps = { pool: pg.Pool; secret: string; cookieName: string; offer: Offer; now: () => Date }

/**
 * Reads the session of a request. better-auth's own reading costs over a millisecond of processor time,
 * too much for every request; this checks the same signature and the same row. Renewing is
 * left to better-auth, when it is due. Nothing is remembered: a session that has ended is gone with the next request.
 */
export function createSessionReader({ pool, secret, cookieName, offer, now }: SessionReaderDeps) {
  const read = inBatches((tokens: readonly string[]) => peopleOfSessions(pool, { tokens, offer, now: now() }))
  return async (cookieHeader: string | undefined): Promise<SessionPerson | null> => {
    const token = cookieHeader === undefined ? null : signedToken(cookieHeader, cookieName, secret)
    return token === null ? null : ((await read(token)) ?? null)
  }
}

/** What a cookie of the cookie header says, if it is there and carries our signature. */
export function signedToken(cookieHeader: string, name: string, secret: string): string | null {
  for (const pair of cookieHeader.split(';')) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() !== name) continue
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
