import type { Capability } from '../common/capability.ts'
import type { Foundation } from '../common/foundation.ts'
import type { SitesService } from '../sites/service.ts'
import { defineAnalyticsQueues, workOnAnalytics } from './jobs.ts'
import { analyticsRoutes } from './routes.ts'
import { createAnalyticsService } from './service.ts'

type AnalyticsDeps = Pick<Foundation, 'db' | 'facts' | 'queue' | 'events' | 'clock'> & {
  sites: SitesService
}

/** The figures behind the screens. */
export async function createAnalytics(deps: AnalyticsDeps) {
  const analytics = createAnalyticsService(deps)
  await defineAnalyticsQueues(deps.queue, deps.events)
  const capability: Capability = {
    routes: [analyticsRoutes({ ...deps, analytics })],
    work: () => workOnAnalytics({ ...deps, analytics }),
  }
  return { analytics, capability }
}
