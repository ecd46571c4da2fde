import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wideNetworkOf } from '../platform/network-of.ts'
import { Abandoned, newTenancy, type Tenancy, runAs } from '../platform/tenant.ts'
import { onResponseEnd } from '../common/on-response-end.ts'

/**
 * Each request is done for somebody: its network, until the sender is known (platform/tenant.ts). Entered again before the handler, because
 * reading a body continues from the socket's events, which don't belong to any request. Reads stop once their requester has left; whatever
 * hasn't begun by then never does.
 */
export function addTenants(app: FastifyInstance): void {
  const tenancies = new WeakMap<FastifyRequest, Tenancy>()
  app.addHook('onRequest', (request, reply, done) => {
    const left = leaving(reply)
    const tenancy = { ...newTenancy(isRead(request) ? left : undefined, `network ${wideNetworkOf(request.ip)}`), left }
    tenancies.set(request, tenancy)
    runAs(tenancy, done)
  })
  app.addHook('preHandler', (request, _reply, done) => runAs(tenancies.get(request) ?? newTenancy(), done))
}

const isRead = ({ method, routeOptions: { config } }: FastifyRequest): boolean =>
  method === 'GET' || method === 'HEAD' || config.endpoint?.changesNothing === true

function leaving({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  onResponseEnd(raw, () => {
    if (!raw.writableFinished) gone.abort(new Abandoned())
  })
  return gone.signal
}
