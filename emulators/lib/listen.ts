import { createServer } from 'node:http'
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http'

export interface Listening {
  /** Base URL without a trailing slash. */
  readonly url: string
  readonly port: number
  /** Breaks all connections. */
  close(): Promise<void>
}

/** Serves on 127.0.0.1; port 0 picks a free one. Rejects if the port is taken. */
export async function listen(
  port: number,
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  options: ServerOptions = {},
): Promise<Listening> {
  const server = createServer(options, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}
