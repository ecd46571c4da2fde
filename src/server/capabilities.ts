import type { FastifyPluginAsync } from 'fastify'
import { createAccountData } from './account-data.ts'
import { authSecrets, createAuth, sessionSecret } from './accounts/auth.ts'
import type { PasswordHashing } from './accounts/password-hashing.ts'
import { defineAccountsQueues, enqueueReset, workOnResets } from './accounts/jobs.ts'
import { accountsRoutes } from './accounts/routes.ts'
import { createAccountsService, type AccountsService, resetTwoFactor } from './accounts/service.ts'
import { conditionRoutes } from './alerts/condition-routes.ts'
import { defineAlertsQueue, workOnAlerts } from './alerts/jobs.ts'
import { alertsRoutes } from './alerts/routes.ts'
import { createAlertsService } from './alerts/service.ts'
import { workOnIncidents } from './annotations/jobs.ts'
import { annotationsRoutes } from './annotations/routes.ts'
import { createAnnotationsService } from './annotations/service.ts'
import { createApi } from './api-parts.ts'
import { createBilling } from './billing-parts.ts'
import { makeBackup } from './backup/make-backup.ts'
import type { Config } from './config.ts'
import { forgetLeases } from './database/leases.ts'
import { createDelivery } from './delivery-parts.ts'
import { deliveriesOf } from './delivery/deliveries.ts'
import { resetDemo, type DemoDeps } from './demo/demo.ts'
import { createEventBus } from './common/events.ts'
import { createGoogleOAuth } from './google/oauth.ts'
import { type CallLimits, googleLimits } from './google/quota.ts'
import { createSearchConsole } from './google/search-console.ts'
import { requirePerson } from './http/app.ts'
import { ofThisMachine } from './http/this-machine.ts'
import { machineRoutes } from './commands/routes.ts'
import { workOnMail } from './mail/deliver.ts'
import { createMailer, defineMailQueue } from './mail/mailer.ts'
import type { Clock } from './platform/clock.ts'
import type { HandOver } from './platform/hand-over.ts'
import type { Log } from './platform/log.ts'
import type { Queue } from './platform/queue.ts'
import { createVault, type SecretKeys } from './platform/secrets.ts'
import { workOnCounts } from './platform/shared-limits.ts'
import { createPublishing } from './publishing-parts.ts'
import { defineReportsQueues, workOnReports } from './reports/jobs.ts'
import { reportsRoutes } from './reports/routes.ts'
import { createReportsService } from './reports/service.ts'
import { connectRoutes } from './sites/connect-routes.ts'
import { createConnectionStore } from './sites/connection-store.ts'
import { createConnections } from './sites/connections.ts'
import { describePerson } from './sites/person-view.ts'
import { sitesRoutes } from './sites/routes.ts'
import { createRevocations, defineRevocations } from './sites/revocation-jobs.ts'
import { createSitesService } from './sites/service.ts'
import { createSitesStore } from './sites/store.ts'
import type { Stores } from './stores/stores.ts'
import { createSupport } from './support-parts.ts'
import { createSync } from './sync-parts.ts'
import { defaultRetry, type RetryPolicy } from './sync/ask-google.ts'
import { clearUploads } from './sync/import/receive.ts'
import { importRoutes } from './sync/import/routes.ts'
import { createImportService } from './sync/import/service.ts'
import { syncRoutes } from './sync/routes.ts'
import { workOnSweeps } from './sync/sweep-job.ts'

export type CapabilityDeps = ServerChoices & {
  config: Config
  stores: Stores
  queue: Queue
  /** What all other secrets derive from (platform/secrets.ts). */
  keys: SecretKeys
  /** Where this installation is reached, without a trailing slash; final once it listens. */
  baseUrl: () => string
  handOver: HandOver
  clock: Clock
  log: Log
}

/** How patient the sync is, how fast it may ask, what hashing a password costs, and how long jobs may take to end; tests choose for themselves. */
export type ServerChoices = {
  retry?: RetryPolicy | undefined
  limits?: CallLimits | undefined
  sliceMs?: number | undefined
  passwords?: PasswordHashing | undefined
  /** What jobs in hand get when the server stops. */
  graceMs?: number | undefined
  /** False where somebody else says when what is scheduled is due. */
  schedules?: boolean | undefined
}

export type Capabilities = {
  accounts: AccountsService
  /** What the sample account is made with. */
  demo: DemoDeps
  routes: readonly FastifyPluginAsync[]
  /** Runs in this process what does not come by request. */
  work(): Promise<void>
  close(): Promise<void>
}

/** Wires what the product does: each capability with the stores and with those it may ask. */
export async function createCapabilities(deps: CapabilityDeps): Promise<Capabilities> {
  const { config, stores, queue, keys, baseUrl, handOver, clock, log, retry = defaultRetry, limits = googleLimits } = deps
  const { pool, db, facts, nextLoad } = stores
  const https = baseUrl().startsWith('https://')

  const events = createEventBus()
  const vault = createVault(...keys)
  const searchConsole = createSearchConsole(config.google.apiUrl, clock)
  const authSecret = sessionSecret(keys[0])
  const auth = createAuth({ db, secrets: authSecrets(keys), baseUrl: baseUrl(), passwords: deps.passwords })
  await defineMailQueue(queue)
  const mailer = createMailer({ queue, vault, mail: config.mail, baseUrl, clock, log })
  await defineAccountsQueues(queue)
  const accounts = createAccountsService({
    auth,
    db,
    pool,
    offer: config.offer,
    secret: authSecret,
    clock,
    mailer,
    events,
    baseUrl,
    demo: config.demo,
    enqueueReset: enqueueReset(queue, vault),
  })

  const oauth = createGoogleOAuth({
    clientId: config.google.client?.id ?? '',
    clientSecret: config.google.client?.secret ?? '',
    authUrl: config.google.oauthUrl,
    tokenUrl: config.google.tokenUrl,
    redirectUri: () => `${baseUrl()}/api/auth/google/callback`,
  })
  const sitesStore = createSitesStore(db)
  const connectionStore = createConnectionStore(db, vault)
  const connections = createConnections({ store: connectionStore, oauth, searchConsole, clock })
  await defineRevocations(queue)
  const revocations = createRevocations({ queue, db, connectionStore, oauth, log })
  const sites = createSitesService({
    db,
    store: sitesStore,
    connectionStore,
    connections,
    revocations,
    offer: config.offer,
    events,
    clock,
    log,
  })

  events.on('grantsEnding', async ({ userId, all, transaction }) => {
    if (all) await sites.release(userId, transaction)
  })

  const person = requirePerson(accounts)
  const { billing, grant, ...selling } = await createBilling({
    config,
    db,
    queue,
    events,
    accounts,
    sites,
    mailer,
    baseUrl,
    clock,
    log,
    requirePerson: person,
  })

  const { sync, ...syncing } = await createSync({
    config,
    pool,
    db,
    facts,
    queue,
    events,
    connections,
    searchConsole,
    retry,
    limits,
    sliceMs: deps.sliceMs,
    clock,
    log,
  })

  const imports = createImportService({
    pool,
    db,
    facts,
    dataDir: config.dataDir,
    offer: config.offer,
    demo: config.demo,
    clock,
    onImported: (days) => events.emit('daysCompleted', days),
  })
  await clearUploads(config.dataDir, clock.now())

  const annotations = createAnnotationsService({ db, sites, statusUrl: config.google.statusUrl, clock, log })
  const reports = createReportsService({ facts, db, clock })
  await defineReportsQueues(queue, events)
  const alerts = createAlertsService({
    db,
    facts,
    reports,
    events,
    offer: config.offer,
    clock,
    log,
    deliveries: (alertId, limit) => deliveriesOf(db, alertId, limit),
  })
  await defineAlertsQueue(queue, events, alerts)
  // What the compositions of several capabilities build upon; each takes from it what it names.
  const house = {
    config,
    db,
    pool,
    queue,
    vault,
    keys,
    events,
    accounts,
    billing,
    sites,
    sync,
    annotations,
    reports,
    alerts,
    mailer,
    facts,
    clock,
    log,
    baseUrl,
    requirePerson: person,
  }
  const { delivery, ...telling } = await createDelivery(house)
  const publishing = await createPublishing({ ...house, delivery })
  const api = await createApi(house)
  const accountData = await createAccountData({ ...house, delivery, revocations })
  const demo = { db, accounts, sites, clock, google: config.google, log, deletion: accountData.deletion }

  return {
    accounts,
    demo,
    routes: [
      accountsRoutes({
        accounts,
        mailer,
        requirePerson: person,
        describe: (who) => describePerson(sites, who, config.demo),
        disconnectGoogle: (userId) => sites.disconnect(userId),
        selectProperty: (userId, name) => sites.select(userId, name),
        demo: config.demo,
        billing: config.offer.billing,
      }),
      connectRoutes({
        accounts,
        sites,
        oauth: config.google.client ? oauth : null,
        vault,
        clock,
        log,
        secureCookies: https,
      }),
      ...selling.routes,
      sitesRoutes({ accounts, sites, requirePerson: person, demo: config.demo }),
      syncRoutes({ sync, sites, requirePerson: person }),
      importRoutes({ imports, attempts: accounts.attempts, requirePerson: person, ofThisMachine: ofThisMachine(handOver) }),
      annotationsRoutes({ annotations, requirePerson: person }),
      reportsRoutes({ reports, sites, requirePerson: person }),
      alertsRoutes({ alerts, sites, requirePerson: person }),
      conditionRoutes({ alerts, sites, requirePerson: person }),
      ...telling.routes,
      ...publishing.routes,
      ...api.routes,
      createSupport(house),
      ...accountData.routes,
      machineRoutes({
        handOver,
        backUp: () => makeBackup({ ...stores, config, clock, log }),
        grant,
        resetTwoFactor: (name) => resetTwoFactor({ db, mailer, clock }, name),
        resetDemo: config.demo ? () => resetDemo(demo) : null,
      }),
    ],
    async work() {
      // Nobody else can have anything in hand: what an earlier server held need not be waited out.
      if (config.databaseUrl === undefined) await forgetLeases(db)
      await workOnMail({ queue, vault, mail: config.mail, clock, log })
      await workOnResets(queue, vault, accounts)
      await accountData.work()
      await selling.work()
      await syncing.work()
      await workOnIncidents(queue, annotations)
      await workOnAlerts(queue, alerts)
      await workOnReports({ queue, reports, facts, db, clock })
      await telling.work()
      await publishing.work()
      await api.work()
      await workOnSweeps(queue, { db, facts, nextLoad, clock, log })
      await workOnCounts(queue, pool)
    },
    close: () => syncing.close(),
  }
}
