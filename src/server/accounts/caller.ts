import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * One of our cookies. With https it has the prefix that browsers only accept from this exact host, not from a neighbor on the same domain.
 */
export const cookieNameOf = (what: string, https: boolean): string => `${cookiePrefixOf(https)}.${what}`

/** The prefix of our cookies' names. */
export const cookiePrefixOf = (https: boolean): string => (https ? '__Host-ranklark' : 'ranklark')

/** The browser behind a request. */
export type Caller = { cookies: string | undefined; userAgent: string | undefined; address: string }

export const callerOf = (request: FastifyRequest): Caller => ({
  cookies: request.headers.cookie,
  userAgent: request.headers['user-agent'],
  address: request.ip,
})

/**
 * Decodes a `Cookie` header; of several cookies with one name, the first counts. This is the only parser of that header: two that differ
 * would check one session and act on another.
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

/** A token per RFC 6265. */
const isName = /^[\w!#$%&'*+.^`|~-]+$/

/** None of ours contains anything undecodable. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

/** A caller as better-auth reads them: the cookies as we parsed them, reserialized. `keep` filters out those it refuses. */
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
