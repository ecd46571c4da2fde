import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  competingFileQuery,
  competingKeywords,
  competingQuery,
  keywordPages,
  keywords,
  keywordsFileQuery,
  keywordsQuery,
  opportunities,
  opportunitiesFileQuery,
  opportunitiesQuery,
  pagesOfQuery,
} from '../../contract/keywords.ts'
import type { AskedProperty } from './asked-property.ts'
import { downloadRoute, sendFile } from './download.ts'
import type { ReportsService } from './service.ts'

/** `/api/keywords` (SPEC §7), each list with its file. */
export const keywordRoutes =
  (reports: ReportsService, asked: AskedProperty): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/api/keywords', { schema: { querystring: keywordsQuery, response: { 200: keywords } } }, async (request) => {
      const property = await asked.complete(request, request.query.property)
      return property ? reports.keywords.list(property, request.query) : []
    })

    app.get('/api/keywords/export.csv', { ...downloadRoute, schema: { querystring: keywordsFileQuery } }, async (request, reply) => {
      const { property } = await asked.own(request, request.query.property)
      return sendFile(reply, await reports.keywords.file(property, request.query))
    })

    app.get(
      '/api/keywords/opportunities',
      { schema: { querystring: opportunitiesQuery, response: { 200: opportunities } } },
      async (request) => {
        const property = await asked.complete(request, request.query.property)
        return property ? reports.keywords.opportunities(property, request.query) : []
      },
    )

    app.get(
      '/api/keywords/opportunities/export.csv',
      { ...downloadRoute, schema: { querystring: opportunitiesFileQuery } },
      async (request, reply) => {
        const { property } = await asked.own(request, request.query.property)
        return sendFile(reply, await reports.keywords.opportunitiesFile(property, request.query))
      },
    )

    app.get('/api/keywords/pages', { schema: { querystring: pagesOfQuery, response: { 200: keywordPages } } }, async (request) => {
      const property = await asked.complete(request, request.query.property)
      return property ? reports.rivals.pagesOf(property, request.query) : []
    })

    app.get(
      '/api/keywords/competing',
      { schema: { querystring: competingQuery, response: { 200: competingKeywords } } },
      async (request) => {
        const property = await asked.complete(request, request.query.property)
        return property ? reports.rivals.list(property, request.query) : []
      },
    )

    app.get(
      '/api/keywords/competing/export.csv',
      { ...downloadRoute, schema: { querystring: competingFileQuery } },
      async (request, reply) => {
        const { property } = await asked.own(request, request.query.property)
        return sendFile(reply, await reports.rivals.file(property, request.query))
      },
    )
  }
