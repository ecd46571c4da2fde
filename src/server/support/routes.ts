import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { support, supportMessage, supportQuery } from '../../contract/support.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'
import type { Asking, SupportService } from './service.ts'

export type SupportRoutesDeps = {
  service: SupportService
  sites: SitesService
  attempts: AccountsService['attempts']
  requirePerson(request: FastifyRequest): Promise<Person>
}

/** Help → Contact. */
export const supportRoutes =
  ({ service, sites, attempts, requirePerson }: SupportRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    async function asking(request: FastifyRequest, name: string | undefined): Promise<Asking> {
      const person = await requirePerson(request)
      const property = await sites.reportOn(person, name)
      if (!property && name !== undefined) throw new Refusal(404, `${name} is not one of your properties.`, 'property')
      return { person, property, browser: request.headers['user-agent'] }
    }

    app.get('/api/support', { schema: { querystring: supportQuery, response: { 200: support } } }, async (request) =>
      service.offer(await asking(request, request.query.property)),
    )

    app.post('/api/support', { schema: { body: supportMessage } }, async (request, reply) => {
      const { property, ...message } = request.body
      const about = await asking(request, property)
      await attempts.count('support', { account: about.person.id, address: request.ip })
      await service.send(about, message)
      return reply.status(202).send()
    })
  }
