import type { FastifyPluginAsync } from 'fastify'
import { logoLimits, reportBrandEndpoints as endpoints } from '../../contract/reports/reports.ts'
import { serve } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { ReportBrands } from './brands.ts'

/** The look of reports. */
export const reportBrandRoutes =
  ({ brands }: { brands: ReportBrands }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.read, ({ person }) => brands.view(person))
    serve(app, endpoints.save, ({ person, body }) => brands.save(person, body), { needsProof: brands.showsOthersMore })
    serve(app, endpoints.removeLogo, ({ person }) => brands.removeLogo(person))
  }

/** A brand's logo. */
export const logoRoute =
  ({ brands }: { brands: ReportBrands }): FastifyPluginAsync =>
  async (app) => {
    // For this plugin only.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: logoLimits.bytes }, (_request, body, done) => done(null, body))
    app.setErrorHandler((error) => {
      const isTooLarge = error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
      throw isTooLarge ? new Refusal(413, 'The logo must be 2 MB or smaller.', 'logo') : error
    })

    serve(
      app,
      endpoints.saveLogo,
      ({ person, request: { body } }) => brands.saveLogo(person, Buffer.isBuffer(body) ? body : Buffer.alloc(0)),
      { limit: { max: 20 }, needsProof: brands.showsOthers },
    )
  }
