import { createAccounts } from './accounts/index.ts'
import type { PasswordHashing } from './accounts/passwords/password-hashing.ts'
import { createAlerts } from './alerts/index.ts'
import { createAnnotations } from './annotations/index.ts'
import { createApi } from './api/index.ts'
import { makeBackup } from './backup/make-backup.ts'
import { createBilling } from './billing/index.ts'
import { machineRoutes } from './commands/routes.ts'
import { createEventBus } from './common/events.ts'
import type { Foundation } from './common/foundation.ts'
import { forgetLeases } from './database/leases.ts'
import { deliveriesOf } from './delivery/deliveries.ts'
import { createDelivery } from './delivery/index.ts'
import { resetDemo } from './demo/demo.ts'
import { createSearchConsole } from './google/search-console.ts'
import { readApiDocsFrame } from './http/static-files.ts'
import { ofThisMachine } from './http/this-machine.ts'
import { workOnMail } from './mail/deliver.ts'
import { createMailer, defineMailQueue } from './mail/mailer.ts'
import type { HandOver } from './platform/command-handshake.ts'
import { createVault } from './platform/secrets.ts'
import { workOnCounts } from './platform/shared-limits.ts'
import { createPortfolio } from './portfolio/index.ts'
import { createReports } from './reports/index.ts'
import { createAnalytics } from './analytics/index.ts'
import { createSites } from './sites/index.ts'
import type { Stores } from './stores/stores.ts'
import { createSupport } from './support/index.ts'
import { createSync, type SyncChoices } from './sync/index.ts'

/** Set by tests: the retries and pace of the sync, the cost of hashing a password, whether windows are prepared, and when schedules are due. */
export type ServerChoices = SyncChoices & {
  passwords?: PasswordHashing | undefined
  /** How long running jobs may take to finish when the server stops. */
  graceMs?: number | undefined
  /** False: only the test decides when something scheduled is due. */
  schedules?: boolean | undefined
  /** False: windows are made only on request, none in advance. */
  prepares?: boolean | undefined
}

export type CapabilityDeps = ServerChoices &
  Pick<Foundation, 'config' | 'queue' | 'keys' | 'baseUrl' | 'clock' | 'log'> & { stores: Stores; handOver: HandOver }

/** Wires the product: each capability with the foundation and with the capabilities it may use. */
export async function createCapabilities({ stores, handOver, passwords, retry, limits, sliceMs, prepares, ...deps }: CapabilityDeps) {
  const { config, queue, clock, log } = deps
  const vault = createVault(...deps.keys)
  await defineMailQueue(queue)
  const mailer = createMailer({ ...deps, vault, mail: config.mail })
  const foundation: Foundation = { ...deps, ...stores, vault, mailer, events: createEventBus() }
  const searchConsole = createSearchConsole(config.google.apiUrl, clock)

  const { accounts, deletion, resetTwoFactor, ...who } = await createAccounts({ ...foundation, passwords })
  const base = { ...foundation, accounts, ofThisMachine: ofThisMachine(handOver) }
  const { sites, connections, describe, ...connecting } = await createSites({ ...base, searchConsole })
  const { grant, ...paying } = await createBilling({ ...base, sites, describe })
  const { sync, close, ...fetching } = await createSync({ ...base, sites, connections, searchConsole, retry, limits, sliceMs })
  const { annotations, ...noting } = createAnnotations({ ...base, sites })
  const { analytics, ...measuring } = await createAnalytics({ ...base, sites, prepares })
  const deliveries = (alertId: string, limit: number) => deliveriesOf(stores.db, alertId, limit)
  const { alerts, ...alerting } = await createAlerts({ ...base, sites, annotations, analytics, deliveries })
  const portfolio = createPortfolio({ ...base, sites, sync, analytics, alerts })
  const { delivery, ...notifying } = await createDelivery({ ...base, alerts, analytics })
  const reporting = await createReports({ ...base, sites, annotations, analytics, alerts, delivery })
  const support = createSupport({ ...base, sites, sync, alerts })
  const readDocsFrame = () => readApiDocsFrame(config.offer.billing)
  const api = createApi({ ...base, sites, sync, annotations, analytics, alerts, readDocsFrame })

  const made = [connecting, paying, fetching, noting, measuring, alerting, portfolio, notifying, reporting, support, api].map(
    (each) => each.capability,
  )
  const exported = made.flatMap((each) => each.exported ?? [])
  const surroundings = { describe, disconnectGoogle: sites.disconnect, selectProperty: sites.select, exported }
  const capabilities = [who.capability(surroundings), ...made]
  const demo = { ...base, sites, google: config.google, deletion }
  const commands = {
    backUp: () => makeBackup({ ...stores, config, clock, log }),
    grant,
    resetTwoFactor,
    resetDemo: config.demo ? () => resetDemo(demo) : null,
  }

  return {
    accounts,
    /** What the demo account is made with. */
    demo,
    routes: [...capabilities.flatMap(({ routes }) => routes), machineRoutes({ handOver, ...commands })],
    /** Starts the background work of this process. */
    async work() {
      // No other process can be running, so there is no need to wait out leases of an earlier server.
      if (config.databaseUrl === undefined) await forgetLeases(stores.db)
      await workOnMail({ ...foundation, mail: config.mail })
      for (const { work } of capabilities) await work?.()
      await workOnCounts(queue, stores.pool)
    },
    close,
  }
}
