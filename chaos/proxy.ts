import { once } from 'node:events'
import { createConnection, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A connection to a server that can be cut, or made slow. */
export type Proxy = {
  readonly port: number
  /** Stops listening, and cuts existing connections. */
  refuse(): Promise<void>
  accept(): Promise<void>
  /** Adds this many milliseconds to everything, each way. */
  delay(ms: number): void
  close(): Promise<void>
}

export async function startProxy(target: NetConnectOpts): Promise<Proxy> {
  const open = new Set<Socket>()
  let delayMs = 0
  let port = 0
  const slowly = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        if (delayMs === 0) done(null, chunk)
        else setTimeout(done, delayMs, null, chunk)
      },
    })
  const server = createServer((inner) => {
    const outer = createConnection(target)
    for (const socket of [inner, outer]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        inner.destroy()
        outer.destroy()
      })
    }
    inner.pipe(slowly()).pipe(outer)
    outer.pipe(slowly()).pipe(inner)
  })
  const accept = async (): Promise<void> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address !== null ? address.port : port
  }
  const refuse = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  await accept()
  return {
    get port() {
      return port
    },
    accept,
    refuse,
    delay: (ms) => void (delayMs = ms),
    close: async () => (server.listening ? refuse() : undefined),
  }
}
