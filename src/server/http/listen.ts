import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { mostConnections } from './timeouts.ts'

/** Why listening on a port fails, and what to do about it; null if the system's own message is enough. */
function portProblem(code: unknown, { port, host }: Config['http']): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use by another program. Choose another one with PORT, or 0 for any free one.`
    case 'EACCES':
      return `This user is not allowed to use port ${port}. Choose one above 1023 with PORT.`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${host}. Set HOST to one that it has, such as 127.0.0.1.`
    default:
      return null
  }
}

/** @throws Error with one line saying what to do if the port is taken or forbidden */
export async function listen(app: FastifyInstance, http: Config['http']): Promise<void> {
  app.server.maxConnections = mostConnections
  try {
    await app.listen({ ...http, listenTextResolver: (address) => `listening on ${address}` })
  } catch (error) {
    const problem = portProblem(error instanceof Error && 'code' in error ? error.code : undefined, http)
    throw problem === null ? error : new Error(problem, { cause: error })
  }
}
