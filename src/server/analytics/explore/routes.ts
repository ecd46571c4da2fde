import type { FastifyPluginAsync } from 'fastify'
import { exploreEndpoints as endpoints, type ExploreFileQuery } from '../../../contract/explore/explore.ts'
import { serve } from '../../accounts/service.ts'
import type { AskedProperty } from '../asked-property.ts'
import { download, sendFile } from '../download.ts'
import { savedEndpoints } from '../../../contract/explore/saved.ts'
import type { Person } from '../../accounts/service.ts'
import type { AnalyticsService } from '../service.ts'
import type { SavedExplorations } from './saved.ts'

/** Routes of the explorer: a property's stored data by any of its dimensions (OPEN-POINTS 26). */
export const exploreRoutes =
  (analytics: AnalyticsService, asked: AskedProperty, saved: SavedExplorations): FastifyPluginAsync =>
  async (app) => {
    /** Adds the filters of the requested segment. */
    const whole = async <Q extends ExploreFileQuery>(person: Person, query: Q): Promise<Q> =>
      query.segment === undefined ? query : { ...query, where: [...(await saved.filtersOf(person, query.segment)), ...query.where] }

    serve(app, endpoints.read, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property && (await analytics.explore.read(property, await whole(person, query)))
    })

    serve(
      app,
      endpoints.file,
      async ({ person, query, reply }) =>
        sendFile(reply, await analytics.explore.file(await asked.own(person, query.property), await whole(person, query))),
      download,
    )

    serve(app, savedEndpoints.list, ({ person }) => saved.list(person))
    serve(app, savedEndpoints.add, ({ person, body }) => saved.add(person, body))
    serve(app, savedEndpoints.rename, ({ person, params, body }) => saved.rename(person, params.id, body.name))
    serve(app, savedEndpoints.remove, ({ person, params }) => saved.remove(person, params.id))
  }
