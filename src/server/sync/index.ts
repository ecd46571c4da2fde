import type { FastifyRequest } from 'fastify'
import type { AccountsService } from '../accounts/service.ts'
import type { Capability } from '../common/capability.ts'
import { jsonSection } from '../common/export-file.ts'
import type { Foundation } from '../common/foundation.ts'
import { type CallLimits, createGoogleQuota, googleLimits } from '../google/quota.ts'
import type { SearchConsole } from '../google/search-console.ts'
import type { Connections, SitesService } from '../sites/service.ts'
import { defaultRetry, type RetryPolicy } from './ask-google.ts'
import { createBackfillLoads } from './backfill-load.ts'
import { defineFactDrops, dropWithAccount, workOnFactDrops } from './drop-jobs.ts'
import { defineHoursQueue, workOnHours } from './hours/jobs.ts'
import { createHourSync } from './hours/service.ts'
import { createHourSyncStore } from './hours/store.ts'
import { importsOf } from './import/imports-of.ts'
import { clearUploads } from './import/receive.ts'
import { importRoutes } from './import/routes.ts'
import { createImportService } from './import/service.ts'
import { defineSyncQueues, workOnSync } from './jobs.ts'
import { createLeases } from './leases.ts'
import { noteProblemWith } from './note-problem.ts'
import { createPageFetcher } from './page-fetcher.ts'
import { syncRoutes } from './routes.ts'
import { createSyncService } from './service.ts'
import { createStatusStore } from './status-store.ts'
import { createSyncStore } from './store.ts'
import { workOnSweeps } from './sweep-job.ts'
import { createTurns } from './turns.ts'

/** How patient the sync is and how fast it may ask Google; tests choose for themselves. */
export type SyncChoices = { retry?: RetryPolicy | undefined; limits?: CallLimits | undefined; sliceMs?: number | undefined }

type SyncDeps = SyncChoices &
  Pick<Foundation, 'config' | 'pool' | 'db' | 'facts' | 'nextLoad' | 'queue' | 'events' | 'clock' | 'log'> & {
    accounts: AccountsService
    sites: SitesService
    connections: Connections
    searchConsole: SearchConsole
    ofThisMachine(request: FastifyRequest): Promise<void>
  }

/** Brings Google's figures here, days and hours within one quota, and files people import. */
export async function createSync(deps: SyncDeps) {
  const { config, pool, db, facts, queue, events, clock, accounts, sites, ofThisMachine } = deps
  const { retry = defaultRetry, limits = googleLimits } = deps
  const line = await defineSyncQueues(queue)
  const hoursLine = await defineHoursQueue(queue)
  await defineFactDrops(queue)
  const pages = createPageFetcher(config.google.apiUrl)
  const store = createSyncStore(db)
  const noteProblem = noteProblemWith({ ...deps, store, random: retry.random })
  const asking = { ...deps, retry, quota: createGoogleQuota({ pool, limits }), noteProblem }
  const hours = createHourSync({ ...asking, store: createHourSyncStore(db, config.offer), line: hoursLine })
  const sync = createSyncService({
    ...asking,
    store,
    status: createStatusStore(db),
    pages,
    hours,
    turns: createTurns(),
    backfills: createBackfillLoads(facts),
    line,
  })
  const imports = createImportService({
    ...deps,
    dataDir: config.dataDir,
    offer: config.offer,
    demo: config.demo,
    onImported: (days) => events.emit('daysCompleted', days),
  })
  await clearUploads(config.dataDir, clock.now())

  events.on('propertyMonitored', async ({ propertyId }) => {
    await sync.start(propertyId)
    await hours.begin(propertyId)
  })
  events.on('googleConnected', async ({ userId }) => {
    await sync.resume(userId)
    await hours.start(userId)
  })
  events.on('planChanged', ({ userId }) => hours.start(userId))
  dropWithAccount(events, queue)

  const capability: Capability = {
    routes: [syncRoutes({ sync, sites }), importRoutes({ imports, attempts: accounts.attempts, ofThisMachine })],
    async work() {
      const [leases, hoursLeases] = [createLeases(db, 'days', deps.log), createLeases(db, 'hours', deps.log)]
      // Nobody else can be asking: what an earlier server held need not be waited out.
      if (config.databaseUrl === undefined) await Promise.all([leases.clear(), hoursLeases.clear()])
      await workOnSync({ queue, line, leases, sync, hours })
      await workOnHours({ queue, line: hoursLine, leases: hoursLeases, hours })
      await workOnFactDrops(queue, facts)
      await workOnSweeps(queue, deps)
    },
    exported: [jsonSection('imports.json', 'The files you imported.', (userId) => importsOf(db, userId))],
  }
  return { sync, capability, close: () => pages.close() }
}
