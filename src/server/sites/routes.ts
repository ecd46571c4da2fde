import type { FastifyPluginAsync } from 'fastify'
import { portfolioEndpoints } from '../../contract/portfolio.ts'
import { siteEndpoints as endpoints } from '../../contract/sites.ts'
import { type AccountsService, serve } from '../accounts/service.ts'
import { describePerson } from './person-view.ts'
import type { SitesService } from './service.ts'

export type SitesRoutesDeps = { accounts: AccountsService; sites: SitesService; demo: boolean }

/** A person's properties: list, select, monitor, tag. */
export const sitesRoutes =
  ({ accounts, sites, demo }: SitesRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    const answer = async (userId: string) => {
      const person = await accounts.person(userId)
      if (!person) throw new Error('A signed-in person has no row')
      return { user: await describePerson(sites, person, demo) }
    }

    // Each call may ask Google, which allows two hundred per person per minute.
    const asksGoogle = { limit: { max: 60, of: 'account' } } as const
    serve(app, endpoints.list, ({ person }) => sites.listFresh(person.id), asksGoogle)

    serve(
      app,
      endpoints.select,
      async ({ person, body }) => {
        await sites.select(person, body.selectedProperty)
        return answer(person.id)
      },
      asksGoogle,
    )

    serve(
      app,
      endpoints.monitor,
      async ({ person, body }) => {
        await sites.monitorOnly(person, body.sites)
        return answer(person.id)
      },
      asksGoogle,
    )

    serve(app, portfolioEndpoints.tag, async ({ person, body }) => {
      await sites.setTags(person.id, body.property, body.tags)
      return body
    })
  }
