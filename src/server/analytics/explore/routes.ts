import type { FastifyPluginAsync } from 'fastify'
import { exploreEndpoints as endpoints } from '../../../contract/explore.ts'
import { serve } from '../../accounts/service.ts'
import type { AskedProperty } from '../asked-property.ts'
import { download, sendFile } from '../download.ts'
import type { AnalyticsService } from '../service.ts'

/** The stored figures of a property by any of their dimensions (OPEN-POINTS 26). */
export const exploreRoutes =
  (analytics: AnalyticsService, asked: AskedProperty): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.read, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property && analytics.explore.read(property, query)
    })

    serve(
      app,
      endpoints.file,
      async ({ person, query, reply }) => sendFile(reply, await analytics.explore.file(await asked.own(person, query.property), query)),
      download,
    )
  }
