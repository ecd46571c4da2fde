import type { Capability } from '../common/capability.ts'
import type { Foundation } from '../common/foundation.ts'
import type { SitesService } from '../sites/service.ts'
import { jsonSection } from '../common/export-file.ts'
import { defineAnalyticsQueues, workOnAnalytics } from './jobs.ts'
import { analyticsRoutes } from './routes.ts'
import { createAnalyticsService } from './service.ts'

type AnalyticsDeps = Pick<Foundation, 'db' | 'facts' | 'queue' | 'events' | 'clock'> & {
  sites: SitesService
  prepares?: boolean | undefined
}

/** The data behind the analytics screens. */
export async function createAnalytics(deps: AnalyticsDeps) {
  const analytics = createAnalyticsService(deps)
  await defineAnalyticsQueues(deps)
  const about = 'Your segments and saved Explore views, with their filters and URL parameters.'
  const capability: Capability = {
    routes: [analyticsRoutes({ ...deps, analytics })],
    work: () => workOnAnalytics({ ...deps, analytics }),
    exported: [jsonSection('explorer.json', about, analytics.saved.exportOf)],
  }
  return { analytics, capability }
}
