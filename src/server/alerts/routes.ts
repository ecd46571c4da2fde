import type { FastifyPluginAsync } from 'fastify'
import { alertEndpoints as endpoints } from '../../contract/alerts/alerts.ts'
import { byId } from '../../contract/common.ts'
import { type Person, serve } from '../accounts/service.ts'
import { download, sendFile } from '../common/send-file.ts'
import { Refusal } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'
import { propertyFor } from './property-for.ts'
import type { AlertsService } from './service.ts'

/** Alerts (SPEC §7, OPEN-POINTS 5, 22). */
export const alertsRoutes =
  ({ alerts, sites }: { alerts: AlertsService; sites: SitesService }): FastifyPluginAsync =>
  async (app) => {
    /** The requested properties: one, or all of them, which have neither id nor name. @throws Refusal 404, 409 */
    async function scopeOf(person: Person, name: string | undefined): Promise<{ propertyId: number | null; name: string | null }> {
      if (name === 'all') return { propertyId: null, name: null }
      const property = await propertyFor(sites, person, name)
      return { propertyId: property.id, name: property.name }
    }

    serve(app, endpoints.list, async ({ person, query: { property, ...filter } }) => {
      if (property === undefined && person.selected === null) return []
      const { propertyId } = await scopeOf(person, property)
      return alerts.shown(person.id, { ...filter, propertyId })
    })

    serve(app, endpoints.count, async ({ person, query: { property, ...filter } }) => {
      if (property === undefined && person.selected === null) return { count: 0 }
      const { propertyId } = await scopeOf(person, property)
      return { count: await alerts.count(person.id, { ...filter, propertyId }) }
    })

    // Reads all of them.
    serve(
      app,
      endpoints.file,
      async ({ person, query: { property, ...filter }, reply }) => {
        const { propertyId, name } = await scopeOf(person, property)
        return sendFile(reply, alerts.csv(person.id, name, { ...filter, propertyId }))
      },
      download,
    )

    // Reads months of figures for every rule.
    serve(
      app,
      endpoints.evaluate,
      async ({ person, query: { property: name } }) =>
        alerts.evaluate(person.id, name === 'all' ? 'all' : await propertyFor(sites, person, name)),
      { limit: { max: 60 } },
    )

    serve(app, endpoints.acknowledge, ({ person, body }) => alerts.acknowledgeAll(person.id, numbers(body.ids)))

    serve(app, endpoints.view, ({ person, body }) => alerts.view(person.id, numbers(body.ids)))

    serve(app, endpoints.viewAll, async ({ person, query }) => {
      const { propertyId } = await scopeOf(person, query.property)
      return { count: await alerts.viewAll(person.id, propertyId) }
    })

    serve(app, endpoints.report, ({ person, params }) => alerts.report(person.id, params.id))

    serve(app, endpoints.snooze, ({ person, params, body }) => alerts.snooze(person.id, params.id, new Date(body.until)))

    serve(app, endpoints.unsnooze, ({ person, params }) => alerts.unsnooze(person.id, params.id))

    serve(app, endpoints.rate, ({ person, params, body }) => alerts.rate({ userId: person.id, id: Number(params.id) }, body.verdict, 'app'))
  }

function numbers(ids: readonly string[]): readonly string[] {
  if (!ids.every((id) => byId.safeParse({ id }).success)) throw new Refusal(404, "This alert doesn't exist or isn't yours.")
  return ids
}
