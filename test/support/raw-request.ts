import { once } from 'node:events'
import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; text: string }
export type RawRequest = { method?: string; path: string; headers?: OutgoingHttpHeaders; body?: string | Uint8Array }

/** One request exactly as written, without `fetch`'s normalization and rules, over its own connection. */
export function rawRequest(port: number, { method = 'GET', path, headers, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((done, failed) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = request({ host: 'localhost', port, method, path, headers: { ...length, ...headers }, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', failed)
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString('latin1') }),
      )
    })
    outgoing.on('error', failed)
    outgoing.end(body)
  })
}

/** Sends bytes and returns everything received until the other side closes the connection. */
export async function rawExchange(port: number, bytes: string): Promise<string> {
  const socket = connect({ host: 'localhost', port })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  // Closed while we are still sending counts as closed, too.
  socket.on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}
