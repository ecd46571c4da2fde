import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  alert,
  alertIds,
  alertReport,
  alerts as alertList,
  alertsCount,
  alertsFilter,
  alertsQuery,
  evaluateAnswer,
  snooze,
} from '../../contract/alerts.ts'
import { propertyQuery } from '../../contract/common.ts'
import type { Person } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import { attachment } from '../platform/file-names.ts'
import type { SitesService } from '../sites/service.ts'
import { propertyFor } from './property-for.ts'
import { byId } from './route-input.ts'
import type { AlertsService } from './service.ts'

export type AlertsRoutesDeps = { alerts: AlertsService; sites: SitesService; requirePerson(request: FastifyRequest): Promise<Person> }

/** Alerts: `/api/alerts` (SPEC §7, OPEN-POINTS 5, 22). */
export const alertsRoutes =
  ({ alerts, sites, requirePerson }: AlertsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    /** The properties that are asked about: one, or all of them, which have neither id nor name. @throws Refusal 404, 409 */
    async function scopeOf(person: Person, name: string | undefined): Promise<{ propertyId: number | null; name: string | null }> {
      if (name === 'all') return { propertyId: null, name: null }
      const property = await propertyFor(sites, person, name)
      return { propertyId: property.id, name: property.name }
    }

    app.get('/api/alerts', { schema: { querystring: alertsQuery, response: { 200: alertList } } }, async (request) => {
      const person = await requirePerson(request)
      const { property, ...filter } = request.query
      if (property === undefined && person.selected === null) return []
      const { propertyId } = await scopeOf(person, property)
      return alerts.list(person.id, { ...filter, propertyId })
    })

    app.get('/api/alerts/count', { schema: { querystring: alertsFilter, response: { 200: alertsCount } } }, async (request) => {
      const person = await requirePerson(request)
      const { property, ...filter } = request.query
      if (property === undefined && person.selected === null) return { count: 0 }
      const { propertyId } = await scopeOf(person, property)
      return { count: await alerts.count(person.id, { ...filter, propertyId }) }
    })

    // Reads all there are; HEAD would read them to send none.
    const download = { config: { rateLimit: { max: 30, timeWindow: '1 minute' } }, exposeHeadRoute: false }
    app.get('/api/alerts/export.csv', { ...download, schema: { querystring: alertsFilter } }, async (request, reply) => {
      const person = await requirePerson(request)
      const { property, ...filter } = request.query
      const { propertyId, name } = await scopeOf(person, property)
      const { fileName, pieces } = await alerts.csv(person.id, name, { ...filter, propertyId })
      return reply.type('text/csv; charset=utf-8').header('content-disposition', attachment(fileName)).send(Readable.from(pieces))
    })

    // Reads months of figures of every rule.
    const config = { rateLimit: { max: 60, timeWindow: '1 minute' } }
    app.post(
      '/api/alerts/evaluate',
      { config, schema: { querystring: propertyQuery, response: { 200: evaluateAnswer } } },
      async (request) => {
        const person = await requirePerson(request)
        const { property: name } = request.query
        const about = name === 'all' ? 'all' : await propertyFor(sites, person, name)
        return alerts.evaluate(person.id, about)
      },
    )

    app.post('/api/alerts/acknowledge', { schema: { body: alertIds, response: { 200: alertList } } }, async (request) =>
      alerts.acknowledge((await requirePerson(request)).id, numbers(request.body.ids)),
    )

    app.post('/api/alerts/viewed', { schema: { body: alertIds, response: { 200: alertList } } }, async (request) =>
      alerts.view((await requirePerson(request)).id, numbers(request.body.ids)),
    )

    app.post('/api/alerts/view-all', { schema: { querystring: propertyQuery, response: { 200: alertsCount } } }, async (request) => {
      const person = await requirePerson(request)
      const { propertyId } = await scopeOf(person, request.query.property)
      return { count: await alerts.viewAll(person.id, propertyId) }
    })

    app.get('/api/alerts/:id', { schema: { params: byId, response: { 200: alertReport } } }, async (request) =>
      alerts.report((await requirePerson(request)).id, request.params.id),
    )

    app.post('/api/alerts/:id/snooze', { schema: { params: byId, body: snooze, response: { 200: alert } } }, async (request) =>
      alerts.snooze((await requirePerson(request)).id, request.params.id, new Date(request.body.until)),
    )

    app.post('/api/alerts/:id/unsnooze', { schema: { params: byId, response: { 200: alert } } }, async (request) =>
      alerts.unsnooze((await requirePerson(request)).id, request.params.id),
    )
  }

function numbers(ids: readonly string[]): readonly string[] {
  if (!ids.every((id) => byId.safeParse({ id }).success)) throw new Refusal(404, "This alert doesn't exist or isn't yours.")
  return ids
}
