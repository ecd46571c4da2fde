import { createHmac } from 'node:crypto'
import type pg from 'pg'
import type { Offer } from '../../core/billing/offer.ts'
import { inBatches } from '../platform/batches.ts'
import { sameText } from '../platform/secrets.ts'
import { cookiesOf } from './caller.ts'
import { peopleOfSessions, type SessionPerson } from './person.ts'

type SessionReaderDeps = { pool: pg.Pool; secret: string; cookieName: string; offer: Offer; now: () => Date }

/**
 * Reads a request's session. better-auth's own way costs over a millisecond of CPU time, too much for every request; this checks the same
 * signature and the same row. better-auth still does due renewals. Nothing is cached: an ended session is gone with the next request.
 */
export function createSessionReader({ pool, secret, cookieName, offer, now }: SessionReaderDeps) {
  const read = inBatches((tokens: readonly string[]) => peopleOfSessions(pool, { tokens, offer, now: now() }))
  return async (cookieHeader: string | undefined): Promise<SessionPerson | null> => {
    const token = cookieHeader === undefined ? null : signedToken(cookieHeader, cookieName, secret)
    return token === null ? null : ((await read(token)) ?? null)
  }
}

/** A token that the current request made: nobody has a copy of it yet. */
export type NewToken = string & { readonly madeBy: 'this request' }

/** The header of a browser that has just been given these cookies, of which a later one replaces an earlier one. */
export const headerOf = (setCookies: readonly string[]): string =>
  setCookies
    .map((cookie) => cookie.split(';', 1)[0])
    .toReversed()
    .join('; ')

/** The token of cookies to be set. */
export const signedTokenSet = (setCookies: readonly string[], name: string, secret: string): NewToken | null =>
  signedToken(headerOf(setCookies), name, secret) as NewToken | null

/** A cookie's value from the cookie header, if it is there and carries our signature. */
export function signedToken(cookieHeader: string, name: string, secret: string): string | null {
  const value = cookiesOf(cookieHeader).get(name) ?? ''
  const dot = value.lastIndexOf('.')
  if (dot < 1) return null
  const token = value.slice(0, dot)
  const expected = createHmac('sha256', secret).update(token).digest('base64')
  // As text, as better-auth compares it: of two readers, neither may accept a spelling that the other refuses.
  return sameText(value.slice(dot + 1), expected) ? token : null
}
