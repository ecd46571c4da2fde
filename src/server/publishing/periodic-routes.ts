import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { periodicReportAnswer, periodicReportQuery, reportPeriods, reportPeriodsQuery } from '../../contract/periodic-reports.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import { Refusal } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'
import type { PeriodicReports } from './periodic-reports.ts'

export type PeriodicRoutesDeps = { periodic: PeriodicReports; sites: SitesService; requirePerson(request: FastifyRequest): Promise<Person> }

/** Reports on weeks and months, on screen. Null, or no periods, where there is no data to show yet. */
export const periodicRoutes =
  ({ periodic, sites, requirePerson }: PeriodicRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    async function asked(request: FastifyRequest, name: string | undefined): Promise<{ person: Person; property: ReportProperty | null }> {
      const person = await requirePerson(request)
      const property = await sites.reportOn(person, name)
      if (!property && name !== undefined) throw new Refusal(404, `${name} is not one of your properties.`, 'property')
      return { person, property }
    }

    app.get('/api/reports/periods', { schema: { querystring: reportPeriodsQuery, response: { 200: reportPeriods } } }, async (request) => {
      const { property } = await asked(request, request.query.property)
      return property ? periodic.periods(property, request.query.kind) : []
    })

    app.get(
      '/api/reports/periodic',
      { schema: { querystring: periodicReportQuery, response: { 200: periodicReportAnswer } } },
      async (request) => {
        const { property: name, ...what } = request.query
        const { person, property } = await asked(request, name)
        return property && periodic.report(person, property, what)
      },
    )
  }
