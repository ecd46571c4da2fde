import type { FastifyPluginAsync } from 'fastify'
import { analyticsEndpoints as endpoints } from '../../contract/analytics.ts'
import { historyEndpoints } from '../../contract/history.ts'
import { searchEndpoints } from '../../contract/search.ts'
import { serve } from '../accounts/service.ts'
import type { AskedProperty } from './asked-property.ts'
import { download, sendFile } from '../common/send-file.ts'
import type { AnalyticsService } from './service.ts'

/** Routes of everything above and beside the lists, and of the command palette. */
export const overviewRoutes =
  (analytics: AnalyticsService, asked: AskedProperty): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.summary, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property && analytics.overview.summary(property, query)
    })

    serve(app, historyEndpoints.read, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      const { where } = await analytics.saved.whole(person, query)
      return property && analytics.history(property, query, { type: query.type, where })
    })

    serve(app, endpoints.segments, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.overview.segments(property, query) : []
    })

    serve(app, endpoints.searchTypes, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.searchTypes(property, query) : []
    })

    serve(app, endpoints.days, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property && analytics.overview.days(property, query)
    })

    serve(
      app,
      endpoints.dailyFile,
      async ({ person, query, reply }) =>
        sendFile(reply, await analytics.overview.dailyFile(await asked.own(person, query.property), query)),
      download,
    )

    serve(app, searchEndpoints.find, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.find(property, query) : { keywords: [], pages: [] }
    })
  }
