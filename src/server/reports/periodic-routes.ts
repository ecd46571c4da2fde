import { askedSegment, type Saved } from './subjects.ts'
import type { FastifyPluginAsync } from 'fastify'
import { periodicReportEndpoints as endpoints } from '../../contract/reports/periodic.ts'
import { type Person, type ReportProperty, serve } from '../accounts/service.ts'
import { notYourProperty } from '../common/errors.ts'
import type { SitesService } from '../sites/service.ts'
import type { PeriodicReports } from './periodic-reports.ts'

/** Reports on weeks and months, on screen. */
export const periodicRoutes =
  ({ periodic, sites, saved }: { periodic: PeriodicReports; sites: SitesService; saved: Saved }): FastifyPluginAsync =>
  async (app) => {
    async function asked(person: Person, name: string | undefined): Promise<ReportProperty | null> {
      const property = await sites.reportOn(person, name)
      if (!property && name !== undefined) throw notYourProperty(name)
      return property
    }

    serve(app, endpoints.periods, async ({ person, query }) => {
      const property = await asked(person, query.property)
      return property ? periodic.periods(property, query.kind) : []
    })

    serve(app, endpoints.read, async ({ person, query: { property: name, segment: id, ...what } }) => {
      const property = await asked(person, name)
      const segment = await askedSegment(saved, person.id, id)
      return property && periodic.report(person, property, { ...what, segment })
    })
  }
