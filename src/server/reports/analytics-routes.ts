import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  analyticsDays,
  analyticsQuery,
  analyticsSummary,
  dailyFileQuery,
  daysQuery,
  segments,
  segmentsQuery,
} from '../../contract/analytics.ts'
import { searchQuery, searchResults } from '../../contract/search.ts'
import type { AskedProperty } from './asked-property.ts'
import { downloadRoute, sendFile } from './download.ts'
import type { ReportsService } from './service.ts'

/** `/api/analytics`: what stands above and beside the lists; `GET /api/search`: the command palette. */
export const analyticsRoutes =
  (reports: ReportsService, asked: AskedProperty): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/analytics/summary',
      { schema: { querystring: analyticsQuery, response: { 200: analyticsSummary.nullable() } } },
      async (request) => {
        const property = await asked.complete(request, request.query.property)
        return property && reports.overview.summary(property, request.query)
      },
    )

    app.get('/api/analytics/segments', { schema: { querystring: segmentsQuery, response: { 200: segments } } }, async (request) => {
      const property = await asked.complete(request, request.query.property)
      return property ? reports.overview.segments(property, request.query) : []
    })

    app.get('/api/analytics/days', { schema: { querystring: daysQuery, response: { 200: analyticsDays.nullable() } } }, async (request) => {
      const property = await asked.complete(request, request.query.property)
      return property && reports.overview.days(property, request.query)
    })

    app.get('/api/analytics/daily.csv', { ...downloadRoute, schema: { querystring: dailyFileQuery } }, async (request, reply) => {
      const { property } = await asked.own(request, request.query.property)
      return sendFile(reply, reports.overview.dailyFile(property, request.query))
    })

    app.get('/api/search', { schema: { querystring: searchQuery, response: { 200: searchResults } } }, async (request) => {
      const property = await asked.complete(request, request.query.property)
      return property ? reports.find(property, request.query.q) : { keywords: [], pages: [] }
    })
  }
