import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { logoLimits, reportBrand, reportBrandChange } from '../../contract/publishing.ts'
import type { Person } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { Brands } from './brands.ts'

export type BrandRoutesDeps = { brands: Brands; requirePerson(request: FastifyRequest): Promise<Person> }

const path = '/api/report-brand'
const response = { 200: reportBrand }

/** How reports look: `/api/report-brand`. */
export const brandRoutes =
  ({ brands, requirePerson }: BrandRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(path, { schema: { response } }, async (request) => brands.view(await requirePerson(request)))

    app.put(path, { schema: { body: reportBrandChange, response } }, async (request) =>
      brands.save(await requirePerson(request), request.body),
    )

    app.delete(`${path}/logo`, { schema: { response } }, async (request) => brands.removeLogo(await requirePerson(request)))
  }

/** `PUT /api/report-brand/logo` takes the bytes of a picture as they are, whatever the request calls them. */
export const logoRoute =
  ({ brands, requirePerson }: BrandRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    // Holds for this plugin alone.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: logoLimits.bytes }, (_request, body, done) => done(null, body))
    app.setErrorHandler((error) => {
      const isTooLarge = error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      throw isTooLarge ? new Refusal(413, 'The logo must be at most 2 MiB.', 'logo') : error
    })

    const config = { rateLimit: { max: 20, timeWindow: '1 minute' } }
    app.put(`${path}/logo`, { config, schema: { response } }, async (request) => {
      const person = await requirePerson(request)
      return brands.saveLogo(person, Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
    })
  }
