import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Origin, withOrigin } from '../audit/origin.ts'

/** Lets all of a request's work know where it comes from (audit/origin.ts). */
export function addOrigin(app: FastifyInstance): void {
  const origins = new WeakMap<FastifyRequest, Origin>()
  app.addHook('onRequest', (request, _reply, done) => {
    const origin: Origin = { address: request.ip, agent: request.headers['user-agent'], key: null }
    origins.set(request, origin)
    withOrigin(origin, done)
  })
  // Again, as a body arrives in connection events, which know nothing about the request.
  app.addHook('preValidation', (request, _reply, done) => {
    const origin = origins.get(request)
    if (origin) withOrigin(origin, done)
    else done()
  })
}
