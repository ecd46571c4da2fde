import type { FastifyPluginAsync } from 'fastify'
import { brandEndpoints as endpoints } from '../../../contract/brand.ts'
import { serve } from '../../accounts/service.ts'
import type { AskedProperty } from '../asked-property.ts'
import type { AnalyticsService } from '../service.ts'

/** Routes of brand terms and the brand split. */
export const brandRoutes =
  (analytics: AnalyticsService, asked: AskedProperty): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.read, async ({ person, query }) => {
      const property = await asked.any(person, query.property)
      return property && analytics.brand.of(property)
    })

    serve(app, endpoints.save, async ({ person, query, body }) =>
      analytics.brand.save(person.id, await asked.own(person, query.property), body.terms),
    )

    serve(app, endpoints.split, async ({ person, query }) => {
      const property = await asked.complete(person, query.property)
      return property && analytics.brand.split(property, query)
    })
  }
