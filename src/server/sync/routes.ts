import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { propertyQuery } from '../../contract/common.ts'
import { syncRequest, syncStatus, syncStatuses } from '../../contract/sync.ts'
import type { Person } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from './service.ts'

export type SyncRoutesDeps = { sync: SyncService; sites: SitesService; requirePerson(request: FastifyRequest): Promise<Person> }

/** Where the sync stands, and syncing now: `GET` and `POST /api/sync`. */
export const syncRoutes =
  ({ sync, sites, requirePerson }: SyncRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/api/sync', { schema: { querystring: propertyQuery, response: { 200: syncStatuses } } }, async (request) => {
      const person = await requirePerson(request)
      const { property } = request.query
      if (property === undefined || property === 'all') return sync.statuses(person.id)
      const statuses = await sync.statuses(person.id, property)
      if (statuses.length === 0) throw new Refusal(404, `${property} is not one of your properties.`, 'property')
      return statuses
    })

    const config = { rateLimit: { max: 60, timeWindow: '1 minute' } }
    app.post('/api/sync', { config, schema: { body: syncRequest.nullish(), response: { 202: syncStatus } } }, async (request, reply) => {
      const person = await requirePerson(request)
      const name = request.body?.property ?? (await sites.reportOn(person))?.name
      const status = name === undefined ? null : await sync.refresh(person.id, name)
      if (!status) throw new Refusal(404, 'Select one of your properties first.', 'property')
      return reply.status(202).send(status)
    })
  }
