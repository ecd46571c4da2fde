import type { AddressInfo } from 'node:net'
import { createAccountData } from './account-data.ts'
import { createAuth } from './accounts/auth.ts'
import { defineAccountsQueues, enqueueReset, workOnResets } from './accounts/jobs.ts'
import { accountsRoutes } from './accounts/routes.ts'
import { createAccountsService } from './accounts/service.ts'
import { conditionRoutes } from './alerts/condition-routes.ts'
import { defineAlertsQueue, workOnAlerts } from './alerts/jobs.ts'
import { alertsRoutes } from './alerts/routes.ts'
import { createAlertsService } from './alerts/service.ts'
import { billingJobs, defineBillingQueues, workOnBilling } from './billing/jobs.ts'
import { billingRoutes } from './billing/routes.ts'
import { createBillingService } from './billing/service.ts'
import { webhookRoute } from './billing/webhook-route.ts'
import type { Config } from './config.ts'
import { ensureDemo, resetDemo } from './demo.ts'
import { demoRoutes } from './demo-routes.ts'
import { tellStandIn } from './demo-stripe.ts'
import { deliveriesOf } from './delivery/deliveries.ts'
import { createDelivery } from './delivery-parts.ts'
import { createEventBus } from './events.ts'
import { createGoogleOAuth } from './google/oauth.ts'
import { type CallLimits, createGoogleQuota, googleLimits } from './google/quota.ts'
import { createSearchConsole } from './google/search-console.ts'
import { createApp, requirePerson } from './http/app.ts'
import { listen } from './http/listen.ts'
import { workOnMail } from './mail/deliver.ts'
import { createMailer, defineMailQueue } from './mail/mailer.ts'
import type { Clock } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { openQueue } from './platform/queue.ts'
import { createVault, deriveKey, loadSecretKey } from './platform/secrets.ts'
import { reportsRoutes } from './reports/routes.ts'
import { createReportsService } from './reports/service.ts'
import { createConnectionStore } from './sites/connection-store.ts'
import { connectRoutes } from './sites/connect-routes.ts'
import { createConnections } from './sites/connections.ts'
import { describePerson } from './sites/person-view.ts'
import { sitesRoutes } from './sites/routes.ts'
import { createSitesService } from './sites/service.ts'
import { createSitesStore } from './sites/store.ts'
import { openStores } from './stores.ts'
import { defaultRetry, type RetryPolicy } from './sync/ask-google.ts'
import { defineSyncQueues, enqueueSync, workOnSync } from './sync/jobs.ts'
import { createPageFetcher } from './sync/page-fetcher.ts'
import { syncRoutes } from './sync/routes.ts'
import { createSyncService } from './sync/service.ts'
import { createSyncStore } from './sync/store.ts'
import { createTurns } from './sync/turns.ts'
import { createHandOver } from './platform/hand-over.ts'
import { clearUploads } from './sync/import/receive.ts'
import { importRoutes } from './sync/import/routes.ts'
import { createImportService } from './sync/import/service.ts'
import { workOnSweeps } from './sync/sweep-job.ts'

/** What tests choose for themselves: time, how patient the sync is and how fast it may ask. */
export type ServerOptions = {
  config: Config
  clock: Clock
  log: Log
  progress?: (text: string) => void
  onLost: (error: Error) => void
  retry?: RetryPolicy
  limits?: CallLimits
}

/** Opens the stores, wires the capabilities, starts http and worker. Undoes what it opened when a step fails. */
export async function startServer({
  config,
  clock,
  log,
  progress = () => {},
  onLost,
  retry = defaultRetry,
  limits = googleLimits,
}: ServerOptions) {
  await using opened = new AsyncDisposableStack()

  const secret = await loadSecretKey({ secretKey: config.secretKey, dataDir: config.dataDir })
  progress('Opening PostgreSQL and ClickHouse')
  const { pool, db, clickhouse, facts, nextLoad, postgresUrl, close } = await openStores(config, log, onLost)
  opened.defer(close)
  const worker = config.role !== 'web'
  const queue = await openQueue({ url: postgresUrl, log, worker, alone: config.databaseUrl === undefined })
  opened.defer(() => queue.close())

  const metrics = createMetrics()
  opened.defer(() => metrics.close())
  const events = createEventBus()
  const vault = createVault(secret)
  const searchConsole = createSearchConsole(config.google.apiUrl, clock)

  // The address is known before listening unless the port is picked by the system.
  const baseUrl = config.baseUrl ?? 'http://localhost'
  const authSecret = deriveKey(secret, 'sessions').toString('base64url')
  const auth = createAuth({ db, secret: authSecret, baseUrl })
  let address = baseUrl
  await defineMailQueue(queue)
  const mailer = createMailer({ queue, vault, mail: config.mail, baseUrl: () => address, clock, log })
  await defineAccountsQueues(queue)
  const accounts = createAccountsService({
    auth,
    db,
    pool,
    secret: authSecret,
    clock,
    mailer,
    events,
    baseUrl: () => address,
    enqueueReset: enqueueReset(queue, vault),
  })

  const oauth = createGoogleOAuth({
    clientId: config.google.client?.id ?? '',
    clientSecret: config.google.client?.secret ?? '',
    authUrl: config.google.oauthUrl,
    tokenUrl: config.google.tokenUrl,
    redirectUri: () => `${address}/api/auth/google/callback`,
  })
  const sitesStore = createSitesStore(db)
  const connectionStore = createConnectionStore(db, vault)
  const connections = createConnections({ store: connectionStore, oauth, searchConsole, clock })
  const sites = createSitesService({ store: sitesStore, connectionStore, connections, oauth, events, clock, log })

  await defineBillingQueues(queue)
  const billing = createBillingService({
    db,
    stripe: config.stripe,
    events,
    jobs: billingJobs(queue),
    accounts,
    mailer,
    pausedSites: async (userId) => (await sites.list(userId)).filter((property) => property.paused).map((property) => property.name),
    baseUrl: () => address,
    clock,
    log,
  })
  events.on('planChanged', ({ userId }) => sites.fitToPlan(userId))
  events.on('accountDeleting', (deletion) => billing.accountDeleting(deletion))

  const pages = createPageFetcher(config.google.apiUrl)
  opened.defer(() => pages.close())
  await defineSyncQueues(queue)
  const sync = createSyncService({
    store: createSyncStore(db),
    facts,
    clock,
    events,
    log,
    connections,
    searchConsole,
    pages,
    quota: createGoogleQuota(limits),
    retry,
    turns: createTurns(),
    enqueue: enqueueSync(queue),
  })
  events.on('propertyMonitored', ({ propertyId }) => enqueueSync(queue)(propertyId))
  events.on('googleConnected', ({ userId }) => sync.resume(userId))

  const imports = createImportService({
    pool,
    db,
    facts,
    dataDir: config.dataDir,
    clock,
    onImported: (days) => events.emit('daysCompleted', days),
  })
  const handOver = createHandOver(config.dataDir)
  opened.defer(() => handOver.close())
  await clearUploads(config.dataDir, clock.now())

  const reports = createReportsService({ facts })
  const alerts = createAlertsService({ db, facts, events, clock, log, deliveries: (alertId) => deliveriesOf(db, alertId) })
  await defineAlertsQueue(queue, events)
  const person = requirePerson(accounts)
  const { delivery, ...telling } = await createDelivery({
    config,
    db,
    queue,
    vault,
    secret,
    events,
    accounts,
    alerts,
    reports,
    mailer,
    baseUrl: () => address,
    clock,
    log,
    requirePerson: person,
  })
  const accountData = await createAccountData({
    accounts,
    alerts,
    billing,
    connectionStore,
    delivery,
    oauth,
    db,
    facts,
    queue,
    events,
    mailer,
    clock,
    log,
    requirePerson: person,
  })
  const demo = { accounts, sites, clock, google: config.google, log, deletion: accountData.deletion }
  const app = await createApp({
    log,
    metrics,
    https: baseUrl.startsWith('https://'),
    stripe: config.stripe,
    checkStores: async () => {
      await Promise.all([pool.query('SELECT 1'), clickhouse.command({ query: 'SELECT 1' })])
    },
    routes: [
      accountsRoutes({
        accounts,
        mailer,
        requirePerson: person,
        describe: (who) => describePerson(sites, who, config.demo),
        disconnectGoogle: (userId) => sites.disconnect(userId),
        selectProperty: (userId, name) => sites.select(userId, name),
        demo: config.demo,
      }),
      connectRoutes({
        accounts,
        sites,
        oauth: config.google.client ? oauth : null,
        vault,
        clock,
        log,
        secureCookies: baseUrl.startsWith('https://'),
      }),
      billingRoutes({ accounts, billing, requirePerson: person, describe: (who) => describePerson(sites, who, config.demo) }),
      webhookRoute({ billing }),
      sitesRoutes({ accounts, sites, requirePerson: person, demo: config.demo }),
      syncRoutes({ sync, sites, requirePerson: person }),
      importRoutes({ imports, requirePerson: person, handOver }),
      reportsRoutes({ reports, sites, requirePerson: person }),
      alertsRoutes({ alerts, sites, requirePerson: person }),
      conditionRoutes({ alerts, sites, requirePerson: person }),
      ...telling.routes,
      ...accountData.routes,
      ...(config.demo ? [demoRoutes({ handOver, reset: () => resetDemo(demo) })] : []),
    ],
  })
  opened.defer(() => app.close())

  if (worker) {
    await workOnMail({ queue, vault, mail: config.mail, clock, log })
    await workOnResets(queue, vault, accounts)
    await accountData.work()
    await workOnBilling(queue, billing)
    await workOnSync(queue, sync)
    await workOnAlerts(queue, alerts)
    await telling.work()
    await workOnSweeps(queue, { db, facts, nextLoad, clock, log })
  }
  if (config.demo && config.google.client) await ensureDemo(demo)
  if (config.role !== 'worker') {
    await listen(app, config.http)
    const listening = app.server.address() as AddressInfo
    address = config.baseUrl ?? `http://localhost:${listening.port}`
    await handOver.announce(listening)
    if (config.demo) await tellStandIn(config.stripe, address, log)
  }

  const running = opened.move()
  return { url: address, app, close: () => running.disposeAsync() }
}
export type RunningServer = Awaited<ReturnType<typeof startServer>>
