import { connect, type Socket } from 'node:net'
import { once } from 'node:events'

type HttpAnswer = { status: number; body: Buffer }

/** A keep-alive connection for one request at a time. */
export type HttpConnection = {
  get(path: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer>
  close(): void
}

const endOfHead = Buffer.from('\r\n\r\n')
const patienceMs = 30_000

/**
 * A connection that costs a fraction of Node's own client, because a load generator shares the CPU with what it measures. It understands
 * responses with a Content-Length, which is what the API sends.
 */
export async function connectTo(url: string): Promise<HttpConnection> {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return {
    async get(path, headers) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}\r\n`)
      return answerOn(socket)
    },
    close: () => void socket.destroy(),
  }
}

function answerOn(socket: Socket): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    let whole = Infinity
    let bodyAt = 0
    const timer = setTimeout(() => fail(new Error(`no answer within ${patienceMs} ms`)), patienceMs)
    const ended = () => fail(new Error('the connection was closed'))
    socket.on('data', take)
    socket.on('close', ended)
    if (socket.destroyed) ended()

    function stop(): void {
      clearTimeout(timer)
      socket.off('data', take)
      socket.off('close', ended)
    }
    function fail(error: Error): void {
      stop()
      socket.destroy()
      reject(error)
    }
    function take(chunk: Buffer): void {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (whole === Infinity) {
        const at = received.indexOf(endOfHead)
        if (at < 0) return
        bodyAt = at + endOfHead.length
        const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, at))?.[1]
        if (length === undefined) return fail(new Error('an answer without its length'))
        whole = bodyAt + Number(length)
      }
      if (received.length < whole) return
      stop()
      resolve({ status: Number(received.toString('latin1', 9, 12)), body: received.subarray(bodyAt, whole) })
    }
  })
}
