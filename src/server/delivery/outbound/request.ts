import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { askNameServers, BlockedAddress, literalAddress, isPublicAddress, publicLookup, type Resolve } from './addresses.ts'

/** From the name lookup to the last byte of the response. */
const patienceMs = 10_000
/** For a response's body; nobody has more to say about a message. */
const mostBytes = 16 * 1024

export type PostRequest = {
  url: URL
  headers: OutgoingHttpHeaders
  body: string
  /** `any` only for an address that the operator configured. */
  reach: 'public' | 'any'
  signal: AbortSignal
  /** For tests. */
  timeoutMs?: number
  resolve?: Resolve
  nameServers?: readonly string[]
}

export type Posted =
  /** Any status, 3xx included. Only the body's first 16 KiB, or what arrived in time. */
  | { kind: 'answer'; status: number; retryAfter: string | null; body: string }
  /** The address isn't on the public internet; nothing was sent. */
  | { kind: 'blocked' }
  /** No response. `what` follows a name: `refused the connection`. */
  | { kind: 'failed'; what: string }

/**
 * One POST: follows no redirects and uses no proxy and no kept connection; the other side can't take more than ten seconds or more memory
 * than its first 16 KiB.
 */
export async function post({
  url,
  headers,
  body,
  reach,
  signal,
  timeoutMs = patienceMs,
  resolve,
  nameServers,
}: PostRequest): Promise<Posted> {
  const web = url.protocol === 'https:' ? https : url.protocol === 'http:' ? http : null
  if (web === null) return { kind: 'blocked' }
  const literal = literalAddress(url)
  if (reach === 'public' && literal !== null && !isPublicAddress(literal)) return { kind: 'blocked' }
  const timeout = AbortSignal.timeout(timeoutMs)
  const ends = AbortSignal.any([signal, timeout])

  return new Promise((done) => {
    const bytes = Buffer.from(body)
    const outgoing = web.request(url, {
      method: 'POST',
      headers: { 'user-agent': 'Ranklark', ...headers, 'content-length': bytes.length },
      // Its own agent, so that the environment's proxy settings don't apply.
      agent: new web.Agent({ keepAlive: false }),
      ...(reach === 'public' && { lookup: publicLookup(resolve ?? askNameServers(ends, nameServers)) }),
      signal: ends,
      rejectUnauthorized: true,
    })
    let isAnswered = false
    const fail = (what: string) => !isAnswered && done({ kind: 'failed', what })
    outgoing.once('response', async (incoming) => {
      isAnswered = true
      const { statusCode = 0, headers: answered } = incoming
      const text = await read(incoming)
      outgoing.destroy()
      done({ kind: 'answer', status: statusCode, retryAfter: answered['retry-after'] ?? null, body: text })
    })
    outgoing.on('error', (error) => {
      if (error instanceof BlockedAddress) return done({ kind: 'blocked' })
      return fail(timeout.aborted ? `didn't respond within ${timeoutMs / 1000} seconds` : describe(error))
    })
    outgoing.once('close', () => fail('closed the connection without responding'))
    outgoing.end(bytes)
  })
}

/** The start of a body. If it breaks off, or isn't finished in time, what arrived has to do: the status says enough. */
function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length >= mostBytes) incoming.destroy()
  })
  incoming.on('error', () => {})
  return new Promise((done) => {
    incoming.once('close', () => done(Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8')))
  })
}

const failures: Record<string, string> = {
  ABORT_ERR: "didn't respond in time",
  ENOTFOUND: "has a host name that doesn't exist",
  EAI_AGAIN: "has a host name that couldn't be looked up",
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'dropped the connection',
  EPIPE: 'dropped the connection',
  ETIMEDOUT: 'could not be reached',
  EHOSTUNREACH: 'could not be reached',
  ENETUNREACH: 'could not be reached',
  CERT_HAS_EXPIRED: 'has an expired certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'has a certificate for a different host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'has a certificate from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'has a certificate from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'has a certificate from an unknown authority',
}

function describe(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  if (code !== null && failures[code] !== undefined) return failures[code]
  if (code === 'EPROTO' || code?.startsWith('ERR_SSL_')) return "doesn't support HTTPS"
  if (code?.startsWith('HPE_')) return 'responded with something other than HTTP'
  return code === null ? 'could not be reached' : `could not be reached (${code})`
}
