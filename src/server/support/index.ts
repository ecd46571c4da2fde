import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { supportEndpoints as endpoints } from '../../contract/support.ts'
import { type AccountsService, type Person, serve } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { Capability } from '../common/capability.ts'
import { notYourProperty } from '../common/errors.ts'
import type { Foundation } from '../common/foundation.ts'
import { version } from '../platform/version.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from '../sync/service.ts'
import { type Asking, createSupportService, type SupportService } from './service.ts'

type RoutesDeps = { service: SupportService; sites: SitesService; attempts: AccountsService['attempts'] }

/** Help → Contact. */
const supportRoutes =
  ({ service, sites, attempts }: RoutesDeps): FastifyPluginAsync =>
  async (app) => {
    async function asking(person: Person, { headers }: FastifyRequest, name: string | undefined): Promise<Asking> {
      const property = await sites.reportOn(person, name)
      if (!property && name !== undefined) throw notYourProperty(name)
      return { person, property, browser: headers['user-agent'] }
    }

    serve(app, endpoints.read, async ({ person, query, request }) => service.offer(await asking(person, request, query.property)))

    serve(app, endpoints.write, async ({ person, body: { property, ...message }, request }) => {
      const about = await asking(person, request, property)
      await attempts.count('support', { account: person.id, address: request.ip })
      await service.send(about, message)
    })
  }

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
