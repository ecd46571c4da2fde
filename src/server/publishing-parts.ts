import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { AccountsService, Person } from './accounts/service.ts'
import type { AlertsService } from './alerts/service.ts'
import type { AnnotationsService } from './annotations/service.ts'
import type { Config } from './config.ts'
import type { Db } from './database/open.ts'
import type { DeliveryService } from './delivery/service.ts'
import type { EventBus } from './common/events.ts'
import type { Clock } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import type { Queue } from './platform/queue.ts'
import { signingKeys } from './database/former-keys.ts'
import type { Mailer } from './mail/mailer.ts'
import { deriveKey, type SecretKeys, type Vault } from './platform/secrets.ts'
import { createSignedTokens } from './platform/signed-token.ts'
import { brandRoutes, logoRoute } from './publishing/brand-routes.ts'
import { createBrands, operatorsOf } from './publishing/brands.ts'
import { clientRoutes } from './publishing/client-routes.ts'
import { createClients } from './publishing/clients.ts'
import { createEngine } from './publishing/engine.ts'
import { createPageOf } from './publishing/pages-of-reports.ts'
import { createPeriodicReports } from './publishing/periodic-reports.ts'
import { periodicRoutes } from './publishing/periodic-routes.ts'
import { createRecipients, recipientClaim } from './publishing/recipients.ts'
import { runRoutes } from './publishing/run-routes.ts'
import { createRuns } from './publishing/runs.ts'
import { scheduleRoutes } from './publishing/schedule-routes.ts'
import { createSchedules } from './publishing/schedules.ts'
import { sharedRoutes, shareRoutes } from './publishing/share-routes.ts'
import { createShared } from './publishing/shared.ts'
import { createShares } from './publishing/shares.ts'
import { createUnsubscribeTokens, recipientPath, unsubscribePath, unsubscribeRoutes } from './publishing/unsubscribe-routes.ts'
import type { ReportsService } from './reports/service.ts'
import type { SitesService } from './sites/service.ts'

export type PublishingDeps = {
  config: Config
  db: Db
  queue: Queue
  vault: Vault
  /** What all other secrets derive from (platform/secrets.ts). */
  keys: SecretKeys
  events: EventBus
  accounts: AccountsService
  sites: SitesService
  annotations: AnnotationsService
  reports: ReportsService
  alerts: AlertsService
  delivery: DeliveryService
  mailer: Mailer
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
  clock: Clock
  log: Log
  requirePerson(request: FastifyRequest): Promise<Person>
}

export type PublishingParts = {
  routes: readonly FastifyPluginAsync[]
  /** Makes and sends in this process what is due. */
  work(): Promise<void>
}

/** Reports as people get them: composed, branded, scheduled, mailed and shared. */
export async function createPublishing(deps: PublishingDeps): Promise<PublishingParts> {
  const { db, vault, keys, baseUrl, requirePerson } = deps
  const hasMail = deps.config.mail !== undefined
  const periodic = createPeriodicReports(deps)
  const brands = createBrands({ ...deps, operators: operatorsOf(deps.config, baseUrl) })
  const tokens = createUnsubscribeTokens(...(await signingKeys(db, vault, keys, 'report-unsubscribe')))
  const unsubscribe = (user: string, address: string) => `${baseUrl()}${unsubscribePath}?token=${tokens.make({ user, address })}`
  const recipients = createRecipients({
    ...deps,
    tokens: createSignedTokens([deriveKey(keys[0], 'report-recipient')], recipientClaim),
    confirmPage: (token) => `${baseUrl()}${recipientPath}?token=${token}`,
    unsubscribe,
  })
  const schedules = createSchedules({ ...deps, recipients, hasMail })
  const shares = createShares({ ...deps, periodic })
  deps.events.on('grantsEnding', async ({ userId, all, transaction }) => {
    await transaction.deleteFrom('reportShares').where('userId', '=', userId).execute()
    if (!all) return void (await transaction.updateTable('reportSchedules').set({ enabled: false }).where('userId', '=', userId).execute())
    await transaction.deleteFrom('reportSchedules').where('userId', '=', userId).execute()
    // They agreed to get reports of somebody else; who wants none still wants none.
    await transaction.updateTable('reportRecipients').set({ confirmedAt: null, askedAt: null }).where('userId', '=', userId).execute()
  })
  const engine = await createEngine({
    ...deps,
    periodic,
    brands,
    recipients,
    unsubscribe,
    pageOf: createPageOf(shares, baseUrl),
  })

  return {
    routes: [
      periodicRoutes({ ...deps, periodic }),
      brandRoutes({ brands, requirePerson }),
      logoRoute({ brands, requirePerson }),
      clientRoutes({ clients: createClients(deps), requirePerson }),
      scheduleRoutes({ schedules, requirePerson }),
      runRoutes({ runs: createRuns({ ...deps, recipients, enqueue: engine.enqueue, hasMail }), requirePerson }),
      shareRoutes({ shares, requirePerson }),
      sharedRoutes({ shared: createShared({ ...deps, periodic, brands }) }),
      unsubscribeRoutes({ schedules, recipients, tokens }),
    ],
    work: () => engine.work(),
  }
}
