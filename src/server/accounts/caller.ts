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

/**
 * The cookies of a `Cookie` header, decoded: of several with one name the first. This is the only reading of that header there
 * is: two that differ would check one session and act on another.
 */
export function cookiesOf(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at > 0 && isName.test(name) && !cookies.has(name)) cookies.set(name, decode(pair.slice(at + 1).trim()))
  }
  return cookies
}

/** RFC 6265: a token. */
const isName = /^[\w!#$%&'*+.^`|~-]+$/

/** None of ours has anything in it that cannot be decoded. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

/** A caller as better-auth reads them: the cookies as we read them, written anew. `keep` leaves out the ones it refuses. */
export function headersOf(caller: Caller, keep: (cookieName: string) => boolean = () => true): Headers {
  const cookies = [...cookiesOf(caller.cookies)].filter(([name]) => keep(name))
  const headers = new Headers({ 'x-forwarded-for': caller.address })
  if (cookies.length > 0) headers.set('cookie', cookies.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('; '))
  if (caller.userAgent !== undefined) headers.set('user-agent', caller.userAgent.slice(0, 512))
  return headers
}

export const setCookies = (reply: FastifyReply, cookies: readonly string[]): void => {
  for (const cookie of cookies) void reply.header('set-cookie', cookie)
}
