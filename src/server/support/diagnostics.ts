import type { Diagnostic } from '../../contract/support.ts'
import { plans } from '../../core/billing/plans.ts'
import type { Person, ReportProperty } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from '../sync/service.ts'
import { counted } from '../../core/words.ts'

export type DiagnosticsDeps = { sites: SitesService; sync: SyncService; alerts: AlertsService; version: string }

/** The useful length of a browser's user agent. */
const longestBrowser = 200

/** What support would ask first. No figures, no names of pages or queries, nothing secret. */
export async function diagnosticsOf(
  { sites, sync, alerts, version }: DiagnosticsDeps,
  about: { person: Person; property: ReportProperty | null; browser: string | undefined },
): Promise<Diagnostic[]> {
  const { person, property, browser } = about
  const [all, [status], open] = await Promise.all([
    sites.list(person.id),
    property ? sync.statuses(person.id, property.name) : [],
    alerts.count(person.id, { propertyId: property?.id ?? null, state: 'open' }),
  ])
  const monitored = all.filter((site) => site.monitored).length
  const { plan, siteLimit } = person
  return [
    ...(plan === null ? [] : [{ id: 'plan', label: 'Plan', value: plans[plan].name } as const]),
    { id: 'sites', label: 'Sites', value: `${monitored}${siteLimit === null ? '' : ` of ${siteLimit}`} monitored, ${all.length} in total` },
    ...(property ? [{ id: 'property', label: 'Property', value: property.name } as const] : []),
    ...(status
      ? [
          {
            id: 'freshness',
            label: 'Search data',
            value: [
              status.state === 'ok' ? 'connected' : `connection: ${status.state.replaceAll('_', ' ')}`,
              status.completeThrough ? `complete through ${status.completeThrough}` : 'no complete day yet',
              ...(status.daysLeft > 0 ? [`${counted(status.daysLeft, 'day')} left to import`] : []),
            ].join(', '),
          } as const,
        ]
      : []),
    { id: 'alerts', label: property ? 'Open alerts for the property' : 'Open alerts', value: String(open) },
    { id: 'version', label: 'Version', value: `Ranklark ${version}` },
    ...(browser ? [{ id: 'browser', label: 'Browser', value: browser.slice(0, longestBrowser) } as const] : []),
  ]
}
