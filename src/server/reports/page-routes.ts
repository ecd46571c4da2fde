import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { keywordsOfPage, pageKeywords } from '../../contract/keywords.ts'
import { decay, decayFileQuery, decayQuery, pages, pagesFileQuery, pagesQuery } from '../../contract/pages.ts'
import type { AskedProperty } from './asked-property.ts'
import { downloadRoute, sendFile } from './download.ts'
import type { ReportsService } from './service.ts'

/** `/api/pages` (SPEC §7), each list with its file. */
export const pageRoutes =
  (reports: ReportsService, asked: AskedProperty): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/api/pages', { schema: { querystring: pagesQuery, response: { 200: pages } } }, async (request) => {
      const property = await asked.complete(request, request.query.property)
      return property ? reports.pages.list(property, request.query) : []
    })

    app.get('/api/pages/export.csv', { ...downloadRoute, schema: { querystring: pagesFileQuery } }, async (request, reply) => {
      const { property } = await asked.own(request, request.query.property)
      return sendFile(reply, await reports.pages.file(property, request.query))
    })

    app.get('/api/pages/keywords', { schema: { querystring: keywordsOfPage, response: { 200: pageKeywords } } }, async (request) => {
      const property = await asked.complete(request, request.query.property)
      return property ? reports.pages.keywordsOf(property, request.query) : []
    })

    app.get('/api/pages/decay', { schema: { querystring: decayQuery, response: { 200: decay.nullable() } } }, async (request) => {
      const property = await asked.complete(request, request.query.property)
      return property && reports.pages.decay(property, request.query)
    })

    app.get('/api/pages/decay/export.csv', { ...downloadRoute, schema: { querystring: decayFileQuery } }, async (request, reply) => {
      const { property } = await asked.own(request, request.query.property)
      return sendFile(reply, await reports.pages.decayFile(property, request.query))
    })
  }
