import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { gscProperties, monitorSites, selectAnswer, selectProperty } from '../../contract/sites.ts'
import type { AccountsService, Person } from '../accounts/service.ts'
import { describePerson } from './person-view.ts'
import type { SitesService } from './service.ts'

export type SitesRoutesDeps = {
  accounts: AccountsService
  sites: SitesService
  requirePerson(request: FastifyRequest): Promise<Person>
  demo: boolean
}

/** The person's properties: list, select, monitor (SPEC §7, OPEN-POINTS "Save-property call"). */
export const sitesRoutes =
  ({ accounts, sites, requirePerson, demo }: SitesRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const answer = async (userId: string) => {
      const person = await accounts.person(userId)
      if (!person) throw new Error('A signed-in person has no row')
      return { user: await describePerson(sites, person, demo) }
    }

    // Each call may ask Google, which allows two hundred a minute and person.
    const config = { rateLimit: { max: 60, timeWindow: '1 minute' } }
    app.get('/api/gsc-properties', { config, schema: { response: { 200: gscProperties } } }, async (request) =>
      sites.listFresh((await requirePerson(request)).id),
    )

    app.post(
      '/api/gsc-properties/select',
      { config, schema: { body: selectProperty, response: { 200: selectAnswer } } },
      async (request) => {
        const { id } = await requirePerson(request)
        await sites.select(id, request.body.selectedProperty)
        return answer(id)
      },
    )

    app.post(
      '/api/gsc-properties/monitor',
      { config, schema: { body: monitorSites, response: { 200: selectAnswer } } },
      async (request) => {
        const { id } = await requirePerson(request)
        await sites.monitorOnly(id, request.body.sites)
        return answer(id)
      },
    )
  }
