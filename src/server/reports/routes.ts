import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { propertyQuery } from '../../contract/common.ts'
import { metrics } from '../../contract/metrics.ts'
import type { Person } from '../accounts/service.ts'
import { Refusal } from '../errors.ts'
import type { SitesService } from '../sites/service.ts'
import type { ReportsService } from './service.ts'

export type ReportsRoutesDeps = { reports: ReportsService; sites: SitesService; requirePerson(request: FastifyRequest): Promise<Person> }

/** Answers from the facts (SPEC §7): `GET /api/metrics`. Null where there is no data to show yet. */
export const reportsRoutes =
  ({ reports, sites, requirePerson }: ReportsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/api/metrics', { schema: { querystring: propertyQuery, response: { 200: metrics.nullable() } } }, async (request) => {
      const person = await requirePerson(request)
      const { property: name } = request.query
      const property = await sites.reportOn(person, name)
      if (!property && name !== undefined) throw new Refusal(404, `${name} is not one of your properties.`, 'property')
      return property && reports.metrics(property)
    })
  }
