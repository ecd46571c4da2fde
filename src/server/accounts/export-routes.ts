import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Refusal } from '../common/errors.ts'
import { attachment } from '../platform/file-names.ts'
import type { Exporter } from './export.ts'
import type { AccountsService, Person } from './service.ts'

export type ExportRoutesDeps = {
  exportOf: Exporter
  accounts: Pick<AccountsService, 'note'>
  requirePerson(request: FastifyRequest): Promise<Person>
}

/** Each one reads all that is stored of somebody. */
const anHour = 5

/** `GET /api/user/export`: a ZIP that is sent as it is being made. */
export const exportRoutes =
  ({ exportOf, accounts, requirePerson }: ExportRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const rateLimit = {
      max: anHour,
      timeWindow: '1 hour',
      keyGenerator: async (request: FastifyRequest) => (await requirePerson(request)).id,
      errorResponseBuilder: () => new Refusal(429, `You've exported your data ${anHour} times in the last hour. Please try again later.`),
    }
    // HEAD would make the whole archive to send none of it.
    app.get('/api/user/export', { config: { rateLimit }, exposeHeadRoute: false }, async (request, reply) => {
      const person = await requirePerson(request)
      await accounts.note(person.id, { kind: 'data-exported', details: {} })
      const { fileName, archive } = await exportOf(person)
      return reply.type('application/zip').header('content-disposition', attachment(fileName)).send(archive)
    })
  }
