import type { FastifyPluginAsync } from 'fastify'
import { syncEndpoints as endpoints } from '../../contract/sync.ts'
import { serve } from '../accounts/service.ts'
import { notYourProperty, Refusal } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from './service.ts'

export type SyncRoutesDeps = { sync: SyncService; sites: SitesService }

/** Sync status and syncing now. */
export const syncRoutes =
  ({ sync, sites }: SyncRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, async ({ person, query: { property } }) => {
      if (property === undefined || property === 'all') return sync.statuses(person.id)
      const statuses = await sync.statuses(person.id, property)
      if (statuses.length === 0) throw notYourProperty(property)
      return statuses
    })

    serve(
      app,
      endpoints.start,
      async ({ person, body }) => {
        const name = body?.property ?? (await sites.reportOn(person))?.name
        const status = name === undefined ? null : await sync.refresh(person.id, name)
        if (!status) throw new Refusal(404, 'Select one of your properties first.', 'property')
        return status
      },
      { limit: { max: 60 } },
    )
  }
