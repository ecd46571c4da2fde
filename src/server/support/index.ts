import type { AccountsService } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { Capability } from '../common/capability.ts'
import type { Foundation } from '../common/foundation.ts'
import { version } from '../platform/version.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from '../sync/service.ts'
import { supportRoutes } from './routes.ts'
import { createSupportService } from './service.ts'

type SupportDeps = Pick<Foundation, 'config' | 'mailer'> & {
  accounts: AccountsService
  sites: SitesService
  sync: SyncService
  alerts: AlertsService
}

/** How users reach support. */
export function createSupport(deps: SupportDeps): { capability: Capability } {
  const { config, accounts, sites } = deps
  const service = createSupportService({ ...deps, version, supportEmail: config.supportEmail, hasMail: config.mail !== undefined })
  return { capability: { routes: [supportRoutes({ service, sites, attempts: accounts.attempts })] } }
}
