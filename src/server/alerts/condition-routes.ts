import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { alertCondition, alertConditions, backtestAnswer, conditionChange, newCondition } from '../../contract/alert-conditions.ts'
import { alertTemplates } from '../../contract/alert-templates.ts'
import { propertyQuery } from '../../contract/common.ts'
import { templates } from '../../core/alerting/templates.ts'
import type { Person } from '../accounts/service.ts'
import type { SitesService } from '../sites/service.ts'
import { byId } from './route-input.ts'
import { propertyFor } from './property-for.ts'
import type { AlertsService } from './service.ts'

export type ConditionRoutesDeps = { alerts: AlertsService; sites: SitesService; requirePerson(request: FastifyRequest): Promise<Person> }

/** Rules: `/api/alert-conditions` (SPEC §7, OPEN-POINTS 5, 6, 22), and the templates for them. */
export const conditionRoutes =
  ({ alerts, sites, requirePerson }: ConditionRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const path = '/api/alert-conditions'
    const { conditions } = alerts

    app.get(path, { schema: { querystring: propertyQuery, response: { 200: alertConditions } } }, async (request) => {
      const person = await requirePerson(request)
      const property = await sites.reportOn(person, request.query.property)
      if (property === null && request.query.property === undefined) return []
      return conditions.list(await propertyFor(sites, person, request.query.property))
    })

    app.post(
      path,
      { schema: { querystring: propertyQuery, body: newCondition, response: { 201: alertCondition } } },
      async (request, reply) => {
        const person = await requirePerson(request)
        const property = await propertyFor(sites, person, request.query.property)
        return reply.status(201).send(await conditions.create(property, request.body))
      },
    )

    // Reads months of daily figures.
    const config = { rateLimit: { max: 120, timeWindow: '1 minute' } }
    app.post(
      `${path}/backtest`,
      { config, schema: { querystring: propertyQuery, body: newCondition, response: { 200: backtestAnswer } } },
      async (request) => {
        const person = await requirePerson(request)
        return alerts.backtest(person.id, await propertyFor(sites, person, request.query.property), request.body)
      },
    )

    app.patch(`${path}/:id`, { schema: { params: byId, body: conditionChange, response: { 200: alertCondition } } }, async (request) =>
      conditions.change((await requirePerson(request)).id, request.params.id, request.body),
    )

    app.delete(`${path}/:id`, { schema: { params: byId, response: { 204: z.null() } } }, async (request, reply) => {
      await conditions.remove((await requirePerson(request)).id, request.params.id)
      return reply.status(204).send(null)
    })

    app.post(`${path}/:id/duplicate`, { schema: { params: byId, response: { 201: alertCondition } } }, async (request, reply) => {
      const copy = await conditions.duplicate((await requirePerson(request)).id, request.params.id)
      return reply.status(201).send(copy)
    })

    app.get('/api/alert-templates', { schema: { response: { 200: alertTemplates } } }, async (request) => {
      await requirePerson(request)
      return templates.map(({ condition: { targets, comparison, minimumImpressions, sensitivity, ...condition }, ...template }) => ({
        ...template,
        condition: {
          ...condition,
          targets: [...targets],
          ...(comparison !== null && { comparison }),
          ...(minimumImpressions !== null && { minimumImpressions }),
          ...(sensitivity !== null && { sensitivity }),
        },
      }))
    })
  }
