import type { FastifyPluginAsync } from 'fastify'
import { exploreEndpoints as endpoints } from '../../../contract/explore/explore.ts'
import { serve } from '../../accounts/service.ts'
import type { AskedProperty } from '../asked-property.ts'
import { download, sendFile } from '../../common/send-file.ts'
import { savedEndpoints } from '../../../contract/explore/saved.ts'
import type { AnalyticsService } from '../service.ts'

/** Routes of the explorer: a property's stored data by any of its dimensions (OPEN-POINTS 26). */
export const exploreRoutes =
  (analytics: AnalyticsService, asked: AskedProperty): FastifyPluginAsync =>
  async (app) => {
    const { saved } = analytics
    serve(app, endpoints.read, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property && (await analytics.explore.read(property, await saved.whole(person, query)))
    })

    serve(
      app,
      endpoints.file,
      async ({ person, query, reply }) =>
        sendFile(reply, await analytics.explore.file(await asked.own(person, query.property), await saved.whole(person, query))),
      download,
    )

    serve(app, savedEndpoints.list, ({ person }) => saved.list(person))
    serve(app, savedEndpoints.add, ({ person, body }) => saved.add(person, body))
    serve(app, savedEndpoints.rename, ({ person, params, body }) => saved.rename(person, params.id, body.name))
    serve(app, savedEndpoints.remove, ({ person, params }) => saved.remove(person, params.id))
  }
