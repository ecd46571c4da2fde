import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { reportClient, reportClientChange, reportClients } from '../../contract/publishing.ts'
import type { Person } from '../accounts/service.ts'
import type { Clients } from './clients.ts'

const byId = z.object({ id: z.string().max(40) })

export type ClientRoutesDeps = { clients: Clients; requirePerson(request: FastifyRequest): Promise<Person> }

/** `/api/report-clients` */
export const clientRoutes =
  ({ clients, requirePerson }: ClientRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const path = '/api/report-clients'

    app.get(path, { schema: { response: { 200: reportClients } } }, async (request) => clients.list(await requirePerson(request)))

    app.post(path, { schema: { body: reportClientChange, response: { 201: reportClient } } }, async (request, reply) =>
      reply.status(201).send(await clients.add(await requirePerson(request), request.body)),
    )

    app.put(`${path}/:id`, { schema: { params: byId, body: reportClientChange, response: { 200: reportClient } } }, async (request) =>
      clients.change(await requirePerson(request), request.params.id, request.body),
    )

    app.delete(`${path}/:id`, { schema: { params: byId, response: { 204: z.null() } } }, async (request, reply) => {
      await clients.remove(await requirePerson(request), request.params.id)
      return reply.status(204).send(null)
    })
  }
