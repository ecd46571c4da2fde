import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * A cookie of ours. Behind https it has the prefix with which browsers take it from this very host alone, and from no neighbour
 * that shares the domain.
 */
export const cookieNameOf = (what: string, https: boolean): string => `${cookiePrefixOf(https)}.${what}`

/** What the names of our cookies begin with. */
export const cookiePrefixOf = (https: boolean): string => (https ? '__Host-ranklark' : 'ranklark')

/** The browser a request comes from. */
export type Caller = { cookies: string | undefined; userAgent: string | undefined; address: string }

export const callerOf = (request: FastifyRequest): Caller => ({
  cookies: request.headers.cookie,
  userAgent: request.headers['user-agent'],
  address: request.ip,
})

/** A caller as better-auth reads them; `keep` leaves out the cookies it refuses. */
export function headersOf(caller: Caller, keep: (cookieName: string) => boolean = () => true): Headers {
  const cookies = (caller.cookies ?? '').split(';').filter((pair) => keep(pair.slice(0, pair.indexOf('=')).trim()))
  const headers = new Headers({ 'x-forwarded-for': caller.address })
  if (cookies.length > 0) headers.set('cookie', cookies.join(';'))
  if (caller.userAgent !== undefined) headers.set('user-agent', caller.userAgent.slice(0, 512))
  return headers
}

export const setCookies = (reply: FastifyReply, cookies: readonly string[]): void => {
  for (const cookie of cookies) void reply.header('set-cookie', cookie)
}
