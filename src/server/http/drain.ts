import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long running requests may take after the port is closed. */
const requestsMs = 25_000
const lookMs = 50

export type Drain = {
  /** Whether this server is shutting down and wants no more requests. */
  isDraining(): boolean
  /** Watches the app's connections; call it before it listens. */
  attach(app: FastifyInstance): void
  /**
   * Announces for `seconds` that no more requests are wanted, while still answering them; then closes the port, lets running requests
   * finish, and cuts off those that take too long.
   */
  close(app: FastifyInstance): Promise<void>
}

/** @param seconds how long a proxy may need to notice the shutdown */
export function createDrain(seconds: number, patienceMs = requestsMs): Drain {
  const connections = new Set<Socket>()
  let draining = false

  /** Browsers open connections in advance that carry no request yet: Node doesn't count these as idle. */
  function closeIdle(app: FastifyInstance): void {
    app.server.closeIdleConnections()
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }

  return {
    isDraining: () => draining,
    attach(app) {
      app.server.on('connection', (socket: Socket) => {
        connections.add(socket)
        socket.once('close', () => connections.delete(socket))
      })
      // A connection kept open could bring a request at the very moment it is closed.
      app.addHook('onSend', (_request, reply, payload, done) => {
        if (draining) void reply.header('connection', 'close')
        done(null, payload)
      })
    },
    async close(app) {
      draining = true
      if (app.server.listening) await sleep(seconds * 1000)
      const idle = setInterval(closeIdle, lookMs, app)
      const patience = setTimeout(() => app.server.closeAllConnections(), patienceMs)
      try {
        await app.close()
      } finally {
        clearInterval(idle)
        clearTimeout(patience)
      }
    },
  }
}
