import type { Capability } from '../common/capability.ts'
import type { Foundation } from '../common/foundation.ts'
import type { SitesService } from '../sites/service.ts'
import { conditionRoutes } from './rules/condition-routes.ts'
import { defineAlertsQueue, workOnAlerts } from './jobs.ts'
import { alertsRoutes } from './routes.ts'
import { type AlertsDeps, createAlertsService } from './service.ts'

type Deps = Pick<Foundation, 'config' | 'queue'> &
  Omit<AlertsDeps, 'offer'> & {
    sites: SitesService
  }

/** Rules, what they find, and the alerts that follow. */
export async function createAlerts(deps: Deps) {
  const { config, queue, events } = deps
  const alerts = createAlertsService({ ...deps, offer: config.offer })
  await defineAlertsQueue(queue, events, alerts)
  const routing = { ...deps, alerts }
  const capability: Capability = {
    routes: [alertsRoutes(routing), conditionRoutes(routing)],
    work: () => workOnAlerts(queue, alerts),
    exported: [async (userId) => [alerts.exportOf(userId)]],
  }
  return { alerts, capability }
}
