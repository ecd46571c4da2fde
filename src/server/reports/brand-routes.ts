import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { analyticsQuery } from '../../contract/analytics.ts'
import { brandList, brandSplit, newBrandList } from '../../contract/brand.ts'
import { propertyQuery } from '../../contract/common.ts'
import type { AskedProperty } from './asked-property.ts'
import type { ReportsService } from './service.ts'

/** `/api/brand`: which queries are of the brand, and what they bring. */
export const brandRoutes =
  (reports: ReportsService, asked: AskedProperty): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/api/brand', { schema: { querystring: propertyQuery, response: { 200: brandList.nullable() } } }, async (request) => {
      const property = await asked.any(request, request.query.property)
      return property && reports.brand.of(property)
    })

    app.put('/api/brand', { schema: { querystring: propertyQuery, body: newBrandList, response: { 200: brandList } } }, async (request) => {
      const { person, property } = await asked.own(request, request.query.property)
      return reports.brand.save(person.id, property, request.body.terms)
    })

    app.get('/api/brand/split', { schema: { querystring: analyticsQuery, response: { 200: brandSplit.nullable() } } }, async (request) => {
      const property = await asked.complete(request, request.query.property)
      return property && reports.brand.split(property, request.query)
    })
  }
