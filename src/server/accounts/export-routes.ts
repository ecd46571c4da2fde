import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Refusal } from '../errors.ts'
import { attachment } from '../platform/file-names.ts'
import type { Exporter } from './export.ts'
import type { Person } from './service.ts'

export type ExportRoutesDeps = { exportOf: Exporter; requirePerson(request: FastifyRequest): Promise<Person> }

/** Each one reads all that is stored of somebody. */
const anHour = 5

/** `GET /api/user/export`: a ZIP that is sent as it is being made. */
export const exportRoutes =
  ({ exportOf, requirePerson }: ExportRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const rateLimit = {
      max: anHour,
      timeWindow: '1 hour',
      keyGenerator: async (request: FastifyRequest) => (await requirePerson(request)).id,
      errorResponseBuilder: () => new Refusal(429, `Your data was exported ${anHour} times within the hour. Please try again later.`),
    }
    // HEAD would make the whole archive to send none of it.
    app.get('/api/user/export', { config: { rateLimit }, exposeHeadRoute: false }, async (request, reply) => {
      const { fileName, archive } = await exportOf(await requirePerson(request))
      return reply.type('application/zip').header('content-disposition', attachment(fileName)).send(archive)
    })
  }
