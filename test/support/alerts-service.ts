import { type AlertsDeps, type AlertsService, createAlertsService } from '../../src/server/alerts/service.ts'
import { createAnnotationsService } from '../../src/server/annotations/service.ts'
import { createEventBus } from '../../src/server/common/events.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { createAnalyticsService } from '../../src/server/analytics/service.ts'

/** The alerts service on real stores, for an installation that sells plans; tells nobody unless `events` does. */
export function alertsServiceOn({
  db,
  facts,
  clock,
  events = createEventBus(),
  analytics = createAnalyticsService({ db, facts, events, clock }),
}: Pick<AlertsDeps, 'db' | 'facts' | 'clock'> & Partial<Pick<AlertsDeps, 'events' | 'analytics'>>): AlertsService {
  const log = createLog('silent')
  return createAlertsService({
    db,
    facts,
    clock,
    events,
    analytics,
    offer: { billing: 'stripe', sitesPerPerson: null },
    annotations: createAnnotationsService({ db, sites: { reportOn: async () => null }, statusUrl: null, clock, log }),
    log,
    deliveries: async () => [],
  })
}
