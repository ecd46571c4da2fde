import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { supportEndpoints as endpoints } from '../../contract/support.ts'
import { type AccountsService, type Person, serve } from '../accounts/service.ts'
import { notYourProperty } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'
import type { Asking, SupportService } from './service.ts'

export type SupportRoutesDeps = { service: SupportService; sites: SitesService; attempts: AccountsService['attempts'] }

/** Help → Contact. */
export const supportRoutes =
  ({ service, sites, attempts }: SupportRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    async function asking(person: Person, { headers }: FastifyRequest, name: string | undefined): Promise<Asking> {
      const property = await sites.reportOn(person, name)
      if (!property && name !== undefined) throw notYourProperty(name)
      return { person, property, browser: headers['user-agent'] }
    }

    serve(app, endpoints.read, async ({ person, query, request }) => service.offer(await asking(person, request, query.property)))

    serve(app, endpoints.write, async ({ person, body: { property, ...message }, request }) => {
      const about = await asking(person, request, property)
      await attempts.count('support', { account: person.id, address: request.ip })
      await service.send(about, message)
    })
  }
