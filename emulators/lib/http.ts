import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

const compress = promisify(gzip)
const MAX_BODY = 64 * 1024 * 1024
const WORTH_COMPRESSING = 512

/** A request with its body read. */
export interface Call {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** Reads a whole request. */
export async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY) throw new Error('request body too large')
    chunks.push(chunk)
  }
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', 'http://stand-in'),
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return jsonBody(status, JSON.stringify(body), headers)
}

/** Like `json`, for a body that already is JSON. */
export function jsonBody(status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, body, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers } }
}

export function html(status: number, body: string): Reply {
  return { status, body, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } }
}

export function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status: 302, body: '', headers: { location, 'cache-control': 'no-store', ...headers } }
}

/** The bytes of a reply and its headers, compressed if the caller accepts gzip and it is worthwhile. */
export async function encode(call: Call, reply: Reply): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const headers: Record<string, string> = { ...reply.headers, vary: 'accept-encoding' }
  const plain = typeof reply.body === 'string' ? Buffer.from(reply.body, 'utf8') : reply.body
  const accepted = String(call.headers['accept-encoding'] ?? '')
  if (plain.length < WORTH_COMPRESSING || !/\bgzip\b/.test(accepted)) return { bytes: plain, headers }
  headers['content-encoding'] = 'gzip'
  return { bytes: await compress(plain, { level: constants.Z_BEST_SPEED }), headers }
}

export async function send(response: ServerResponse, call: Call, reply: Reply): Promise<void> {
  const { bytes, headers } = await encode(call, reply)
  response.writeHead(reply.status, { ...headers, 'content-length': String(bytes.length) })
  response.end(bytes)
}

/** Makes text safe inside HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')
}
