import type { Capability } from '../common/capability.ts'
import type { Foundation } from '../common/foundation.ts'
import type { SitesService } from '../sites/service.ts'
import { jsonSection } from '../common/export-file.ts'
import { createSaved } from './explore/saved.ts'
import { defineAnalyticsQueues, workOnAnalytics } from './jobs.ts'
import { analyticsRoutes } from './routes.ts'
import { createAnalyticsService } from './service.ts'

type AnalyticsDeps = Pick<Foundation, 'db' | 'facts' | 'queue' | 'events' | 'clock'> & {
  sites: SitesService
}

/** The data behind the analytics screens. */
export async function createAnalytics(deps: AnalyticsDeps) {
  const analytics = createAnalyticsService(deps)
  await defineAnalyticsQueues(deps.queue, deps.events)
  const saved = createSaved(deps)
  const about = 'Your segments and saved views of the explorer: their filters, and the query of their address.'
  const capability: Capability = {
    routes: [analyticsRoutes({ ...deps, analytics, saved })],
    work: () => workOnAnalytics({ ...deps, analytics }),
    exported: [jsonSection('explorer.json', about, saved.exportOf)],
  }
  return { analytics, capability }
}
