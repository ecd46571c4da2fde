import type { FastifyPluginAsync } from 'fastify'
import { alertConditionEndpoints as endpoints } from '../../../contract/alerts/conditions.ts'
import { holidayCountryEndpoints } from '../../../contract/alerts/holiday-country.ts'
import { alertTemplateEndpoints } from '../../../contract/alerts/templates.ts'
import { templates } from '../../../core/alerting/templates.ts'
import { serve } from '../../accounts/service.ts'
import type { SitesService } from '../../sites/service.ts'
import { propertyFor } from '../property-for.ts'
import type { AlertsService } from '../service.ts'

/** Rules, and the templates for them. */
export const conditionRoutes =
  ({ alerts, sites }: { alerts: AlertsService; sites: SitesService }): FastifyPluginAsync =>
  async (app) => {
    const { conditions } = alerts

    serve(app, endpoints.list, async ({ person, query }) => {
      if (query.property === 'all') return conditions.all(person.id, await sites.listed(person.id))
      const property = await sites.reportOn(person, query.property)
      if (property === null && query.property === undefined) return []
      return conditions.list(await propertyFor(sites, person, query.property))
    })

    serve(app, endpoints.create, async ({ person, query, body }) =>
      conditions.create(await propertyFor(sites, person, query.property), body),
    )

    // Reads months of daily figures.
    serve(
      app,
      endpoints.backtest,
      async ({ person, query, body }) => alerts.backtest(person.id, await propertyFor(sites, person, query.property), body),
      { limit: { max: 120 } },
    )

    serve(
      app,
      endpoints.proposal,
      async ({ person, params }) => {
        const { property } = await conditions.one(person.id, params.id)
        return { proposal: await alerts.proposal(person.id, await propertyFor(sites, person, property), params.id) }
      },
      { limit: { max: 120 } },
    )

    serve(app, endpoints.change, ({ person, params, body }) => conditions.change(person.id, params.id, body))

    serve(app, endpoints.remove, ({ person, params }) => conditions.remove(person.id, params.id))

    serve(app, endpoints.duplicate, ({ person, params }) => conditions.duplicate(person.id, params.id))

    serve(app, holidayCountryEndpoints.read, async ({ person, query }) => {
      const property = await sites.reportOn(person, query.property)
      if (property === null && query.property === undefined) return null
      return alerts.holidayCountry.read(await propertyFor(sites, person, query.property))
    })

    serve(app, holidayCountryEndpoints.save, async ({ person, query, body }) =>
      alerts.holidayCountry.save(person.id, await propertyFor(sites, person, query.property), body.country),
    )

    serve(app, alertTemplateEndpoints.list, () =>
      templates.map(({ condition: { targets, comparison, minimumImpressions, sensitivity, ...condition }, ...template }) => ({
        ...template,
        condition: {
          ...condition,
          targets: [...targets],
          ...(comparison !== null && { comparison }),
          ...(minimumImpressions !== null && { minimumImpressions }),
          ...(sensitivity !== null && { sensitivity }),
        },
      })),
    )
  }
