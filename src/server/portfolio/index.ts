import { portfolioEndpoints, type Site } from '../../contract/portfolio.ts'
import { serve } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { Capability } from '../common/capability.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from '../sync/service.ts'

type PortfolioDeps = {
  sites: Pick<SitesService, 'listed'>
  sync: Pick<SyncService, 'allStatuses'>
  analytics: Pick<AnalyticsService, 'allMetrics'>
  alerts: Pick<AlertsService, 'openByProperty'>
}

/** Ten open screens that poll every five seconds; a response with hundreds of properties is long. */
const limited = { limit: { max: 120, of: 'account' } } as const

/** All properties of an account in one list. */
export const createPortfolio = (deps: PortfolioDeps): { capability: Capability } => ({
  capability: {
    routes: [async (app) => serve(app, portfolioEndpoints.list, ({ person }) => allSites(deps, person.id), limited)],
  },
})

async function allSites({ sites, sync, analytics, alerts }: PortfolioDeps, userId: string): Promise<Site[]> {
  const listed = sites.listed(userId)
  const [properties, metrics, statuses, open] = await Promise.all([
    listed,
    listed.then(analytics.allMetrics),
    sync.allStatuses(userId),
    alerts.openByProperty(userId),
  ])
  const statusOf = new Map(statuses.map((status) => [status.property, status]))
  // One added during the lookup appears in the next.
  return properties.flatMap(({ id, name, kind, monitored, permissionLevel, pausedAt, tags }) => {
    const status = statusOf.get(name)
    if (status === undefined) return []
    const property = { id: String(id), name, kind, monitored, permissionLevel, paused: pausedAt !== null }
    return [{ ...property, tags, metrics: metrics.get(id) ?? null, alerts: open.get(id) ?? null, sync: status }]
  })
}
