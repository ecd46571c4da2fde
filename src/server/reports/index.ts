import type { Capability } from '../common/capability.ts'
import type { Foundation } from '../common/foundation.ts'
import type { SitesService } from '../sites/service.ts'
import { defineReportsQueues, workOnReports } from './jobs.ts'
import { reportsRoutes } from './routes.ts'
import { createReportsService } from './service.ts'

type ReportsDeps = Pick<Foundation, 'db' | 'facts' | 'queue' | 'events' | 'clock'> & {
  sites: SitesService
}

/** The figures behind the screens. */
export async function createReports(deps: ReportsDeps) {
  const reports = createReportsService(deps)
  await defineReportsQueues(deps.queue, deps.events)
  const capability: Capability = {
    routes: [reportsRoutes({ ...deps, reports })],
    work: () => workOnReports({ ...deps, reports }),
  }
  return { reports, capability }
}
