import type { FastifyPluginAsync } from 'fastify'
import { keywordEndpoints as endpoints } from '../../contract/keywords.ts'
import { serve } from '../accounts/service.ts'
import type { AskedProperty } from './asked-property.ts'
import { download, sendFile } from './download.ts'
import type { AnalyticsService } from './service.ts'

/** Keywords (SPEC §7), each list with its file. */
export const keywordRoutes =
  (analytics: AnalyticsService, asked: AskedProperty): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.keywords.list(property, query) : []
    })

    serve(
      app,
      endpoints.file,
      async ({ person, query, reply }) => sendFile(reply, await analytics.keywords.file(await asked.own(person, query.property), query)),
      download,
    )

    serve(app, endpoints.opportunities, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.keywords.opportunities(property, query) : []
    })

    serve(
      app,
      endpoints.opportunitiesFile,
      async ({ person, query, reply }) =>
        sendFile(reply, await analytics.keywords.opportunitiesFile(await asked.own(person, query.property), query)),
      download,
    )

    serve(app, endpoints.pagesOf, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.rivals.pagesOf(property, query) : []
    })

    serve(app, endpoints.competing, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property ? analytics.rivals.list(property, query) : []
    })

    serve(
      app,
      endpoints.competingFile,
      async ({ person, query, reply }) => sendFile(reply, await analytics.rivals.file(await asked.own(person, query.property), query)),
      download,
    )
  }
