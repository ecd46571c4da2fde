import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { AccountsService, Person } from './accounts/service.ts'
import type { AlertsService } from './alerts/service.ts'
import type { Config } from './config.ts'
import type { Mailer } from './mail/mailer.ts'
import type { SitesService } from './sites/service.ts'
import { supportRoutes } from './support/routes.ts'
import { createSupportService } from './support/service.ts'
import type { SyncService } from './sync/service.ts'
import { version } from './platform/version.ts'

type SupportPartsDeps = {
  config: Config
  accounts: AccountsService
  sites: SitesService
  sync: SyncService
  alerts: AlertsService
  mailer: Mailer
  requirePerson(request: FastifyRequest): Promise<Person>
}

/** How people reach somebody who helps. */
export function createSupport({ config, accounts, sites, requirePerson, ...deps }: SupportPartsDeps): FastifyPluginAsync {
  const service = createSupportService({
    ...deps,
    accounts,
    sites,
    version,
    supportEmail: config.supportEmail,
    hasMail: config.mail !== undefined,
  })
  return supportRoutes({ service, sites, attempts: accounts.attempts, requirePerson })
}
