import { createHmac, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import type { Offer } from '../../core/billing/offer.ts'
import { inBatches } from '../platform/batches.ts'
import { cookiesOf } from './caller.ts'
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

/** The same of cookies that are to be set, of which a later one replaces an earlier one. */
export const signedTokenSet = (setCookies: readonly string[], name: string, secret: string): string | null =>
  signedToken(
    setCookies
      .map((cookie) => cookie.split(';', 1)[0])
      .toReversed()
      .join('; '),
    name,
    secret,
  )

/** What a cookie of the cookie header says, if it is there and carries our signature. */
export function signedToken(cookieHeader: string, name: string, secret: string): string | null {
  const value = cookiesOf(cookieHeader).get(name) ?? ''
  const dot = value.lastIndexOf('.')
  if (dot < 1) return null
  const token = value.slice(0, dot)
  const expected = createHmac('sha256', secret).update(token).digest()
  const given = Buffer.from(value.slice(dot + 1), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}
