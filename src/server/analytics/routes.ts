import type { FastifyPluginAsync } from 'fastify'
import { metricsEndpoints } from '../../contract/metrics.ts'
import { defaultHistory } from '../../contract/range.ts'
import { todayEndpoints } from '../../contract/today.ts'
import { serve } from '../accounts/service.ts'
import type { SitesService } from '../sites/service.ts'
import { overviewRoutes } from './overview-routes.ts'
import { askedProperty, isComplete } from './asked-property.ts'
import { brandRoutes } from './brand/routes.ts'
import { exploreRoutes } from './explore/routes.ts'
import { keywordRoutes } from './keyword-routes.ts'
import { pageRoutes } from './page-routes.ts'
import type { AnalyticsService } from './service.ts'

export type AnalyticsRoutesDeps = { analytics: AnalyticsService; sites: SitesService }

/** Answers from stored data (SPEC §7). Null, or an empty list, while there is no data. */
export const analyticsRoutes =
  ({ analytics, sites }: AnalyticsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    const asked = askedProperty(sites)
    serve(app, metricsEndpoints.read, async ({ person, query }) => {
      const property = await asked.any(person, query.property)
      if (property === null) return null
      const { where } = await analytics.saved.whole(person, query)
      const { type, range, compare, grain } = query
      if (range === undefined && compare === undefined && grain === undefined) return analytics.metrics(property, { type, where })
      const chosen = {
        range: range ?? defaultHistory.range,
        compare: compare ?? defaultHistory.compare,
        grain: grain ?? defaultHistory.grain,
      }
      return isComplete(property) ? analytics.chosenMetrics(property, chosen, { type, where }) : null
    })
    serve(app, todayEndpoints.read, async ({ person, query }) => analytics.today(person, await asked.any(person, query.property)))
    await app.register(overviewRoutes(analytics, asked))
    await app.register(keywordRoutes(analytics, asked))
    await app.register(pageRoutes(analytics, asked))
    await app.register(brandRoutes(analytics, asked))
    await app.register(exploreRoutes(analytics, asked))
  }
