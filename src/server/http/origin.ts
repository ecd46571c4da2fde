import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Origin, withOrigin } from '../audit/origin.ts'

/** Has everything that is done for a request know where it comes from (audit/origin.ts). */
export function addOrigin(app: FastifyInstance): void {
  const origins = new WeakMap<FastifyRequest, Origin>()
  app.addHook('onRequest', (request, _reply, done) => {
    const origin: Origin = { address: request.ip, agent: request.headers['user-agent'], key: null }
    origins.set(request, origin)
    withOrigin(origin, done)
  })
  // Again, for a body arrives in events of the connection, which knows nothing of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const origin = origins.get(request)
    if (origin) withOrigin(origin, done)
    else done()
  })
}
