import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { propertyQuery } from '../../contract/common.ts'
import { metrics } from '../../contract/metrics.ts'
import { todayAnswer } from '../../contract/today.ts'
import { analyticsRoutes } from './analytics-routes.ts'
import { type AskedPropertyDeps, askedProperty } from './asked-property.ts'
import { brandRoutes } from './brand-routes.ts'
import { keywordRoutes } from './keyword-routes.ts'
import { pageRoutes } from './page-routes.ts'
import type { ReportsService } from './service.ts'

export type ReportsRoutesDeps = AskedPropertyDeps & { reports: ReportsService }

/** Answers from the facts (SPEC §7). Null, or a list without rows, where there is no data to show yet. */
export const reportsRoutes =
  ({ reports, ...deps }: ReportsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const asked = askedProperty(deps)
    app.get('/api/metrics', { schema: { querystring: propertyQuery, response: { 200: metrics.nullable() } } }, async (request) => {
      const property = await asked.any(request, request.query.property)
      return property && reports.metrics(property)
    })
    app.get('/api/today', { schema: { querystring: propertyQuery, response: { 200: todayAnswer } } }, async (request) => {
      const { person, property } = await asked.anyOf(request, request.query.property)
      return reports.today(person, property)
    })
    await app.register(analyticsRoutes(reports, asked))
    await app.register(keywordRoutes(reports, asked))
    await app.register(pageRoutes(reports, asked))
    await app.register(brandRoutes(reports, asked))
  }
