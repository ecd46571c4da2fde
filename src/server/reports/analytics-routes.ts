import type { FastifyPluginAsync } from 'fastify'
import { analyticsEndpoints as endpoints } from '../../contract/analytics.ts'
import { searchEndpoints } from '../../contract/search.ts'
import { serve } from '../accounts/service.ts'
import type { AskedProperty } from './asked-property.ts'
import { download, sendFile } from './download.ts'
import type { ReportsService } from './service.ts'

/** What stands above and beside the lists, and the command palette. */
export const analyticsRoutes =
  (reports: ReportsService, asked: AskedProperty): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.summary, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property && reports.overview.summary(property, query)
    })

    serve(app, endpoints.segments, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? reports.overview.segments(property, query) : []
    })

    serve(app, endpoints.days, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property && reports.overview.days(property, query)
    })

    serve(
      app,
      endpoints.dailyFile,
      async ({ person, query, reply }) => sendFile(reply, await reports.overview.dailyFile(await asked.own(person, query.property), query)),
      download,
    )

    serve(app, searchEndpoints.find, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? reports.find(property, query.q) : { keywords: [], pages: [] }
    })
  }
