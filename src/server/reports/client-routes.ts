import type { FastifyPluginAsync } from 'fastify'
import { reportClientEndpoints as endpoints } from '../../contract/reports/reports.ts'
import { serve } from '../accounts/service.ts'
import type { Clients } from './clients.ts'

/** Clients with their own reports. */
export const clientRoutes =
  ({ clients }: { clients: Clients }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person }) => clients.list(person))
    serve(app, endpoints.add, ({ person, body }) => clients.add(person, body))
    serve(app, endpoints.change, ({ person, params, body }) => clients.change(person, params.id, body), {
      needsProof: (person, body, { id }) => clients.showsOthersMore(person, body, id),
    })
    serve(app, endpoints.remove, ({ person, params }) => clients.remove(person, params.id))
  }
