import type { FastifyPluginAsync } from 'fastify'
import { metricsEndpoints } from '../../contract/metrics.ts'
import { todayEndpoints } from '../../contract/today.ts'
import { serve } from '../accounts/service.ts'
import type { SitesService } from '../sites/service.ts'
import { analyticsRoutes } from './analytics-routes.ts'
import { askedProperty } from './asked-property.ts'
import { brandRoutes } from './brand-routes.ts'
import { keywordRoutes } from './keyword-routes.ts'
import { pageRoutes } from './page-routes.ts'
import type { ReportsService } from './service.ts'

export type ReportsRoutesDeps = { reports: ReportsService; sites: SitesService }

/** Answers from the facts (SPEC §7). Null, or a list without rows, where there is no data to show yet. */
export const reportsRoutes =
  ({ reports, sites }: ReportsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    const asked = askedProperty(sites)
    serve(app, metricsEndpoints.read, async ({ person, query }) => {
      const property = await asked.any(person, query.property)
      return property && reports.metrics(property)
    })
    serve(app, todayEndpoints.read, async ({ person, query }) => reports.today(person, await asked.any(person, query.property)))
    await app.register(analyticsRoutes(reports, asked))
    await app.register(keywordRoutes(reports, asked))
    await app.register(pageRoutes(reports, asked))
    await app.register(brandRoutes(reports, asked))
  }
