import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newTenancy, type Tenancy, within } from '../platform/tenant.ts'

/**
 * Each request is done for somebody, who is named when it is known who sent it (platform/tenant.ts). Entered again
 * before the handler: a body that has been read comes from the socket, which knows of no request.
 */
export function addTenants(app: FastifyInstance): void {
  const tenancies = new WeakMap<FastifyRequest, Tenancy>()
  app.addHook('onRequest', (request, _reply, done) => {
    const tenancy = newTenancy()
    tenancies.set(request, tenancy)
    within(tenancy, done)
  })
  app.addHook('preHandler', (request, _reply, done) => within(tenancies.get(request) ?? newTenancy(), done))
}
