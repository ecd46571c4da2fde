import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { syncEndpoints as endpoints } from '../../contract/sync.ts'
import { type AccountsService, serve } from '../accounts/service.ts'
import type { Capability } from '../common/capability.ts'
import { notYourProperty, Refusal } from '../common/errors.ts'
import { jsonRows } from '../common/export-file.ts'
import type { Foundation } from '../common/foundation.ts'
import { createLeases } from '../database/leases.ts'
import { type CallLimits, createGoogleQuota, googleLimits } from '../google/quota.ts'
import type { SearchConsole } from '../google/search-console.ts'
import type { Connections, SitesService } from '../sites/service.ts'
import { defaultRetry, type RetryPolicy } from './ask-google.ts'
import { createBackfillLoads } from './backfill-load.ts'
import { forgetWithAccount } from './forgotten.ts'
import { createHourSync } from './hours/service.ts'
import { createHourSyncStore } from './hours/store.ts'
import { importsAfter } from './import/imports-of.ts'
import { clearUploads } from './import/receive.ts'
import { importRoutes } from './import/routes.ts'
import { createImportService } from './import/service.ts'
import { defineSyncQueues, workOnHours, workOnSync } from './jobs.ts'
import { noteProblemWith } from './note-problem.ts'
import { createPageFetcher } from './page-fetcher.ts'
import { createPriorities } from './priorities.ts'
import { createSyncService, type SyncService } from './service.ts'
import { createStatusStore } from './status-store.ts'
import { createSyncStore } from './store.ts'
import { workOnSweeps } from './sweep-job.ts'

/** Sync status and syncing now. */
const syncRoutes =
  ({ sync, sites }: { sync: SyncService; sites: SitesService }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, async ({ person, query: { property } }) => {
      if (property === undefined || property === 'all') return sync.statuses(person.id)
      const statuses = await sync.statuses(person.id, property)
      if (statuses.length === 0) throw notYourProperty(property)
      return statuses
    })

    serve(
      app,
      endpoints.start,
      async ({ person, body }) => {
        const name = body?.property ?? (await sites.reportOn(person))?.name
        const status = name === undefined ? null : await sync.refresh(person.id, name)
        if (!status) throw new Refusal(404, 'Select one of your properties first.', 'property')
        return status
      },
      { limit: { max: 60 } },
    )
  }

/** Retries and rate of calls to Google; tests choose their own. */
export type SyncChoices = { retry?: RetryPolicy | undefined; limits?: CallLimits | undefined; sliceMs?: number | undefined }

type SyncDeps = SyncChoices &
  Pick<Foundation, 'config' | 'pool' | 'db' | 'facts' | 'nextLoad' | 'queue' | 'events' | 'clock' | 'log'> & {
    accounts: AccountsService
    sites: SitesService
    connections: Connections
    searchConsole: SearchConsole
    ofThisMachine(request: FastifyRequest): Promise<void>
  }

/** Brings in Google's figures, days and hours within one quota, and imported files. */
export async function createSync(deps: SyncDeps) {
  const { config, pool, db, facts, queue, events, clock, accounts, sites, ofThisMachine } = deps
  const { retry = defaultRetry, limits = googleLimits } = deps
  const queues = await defineSyncQueues(queue)
  const pages = createPageFetcher(config.google.apiUrl)
  const store = createSyncStore(db)
  const noteProblem = noteProblemWith({ ...deps, store, random: retry.random })
  const asking = { ...deps, retry, quota: createGoogleQuota({ pool, limits }), noteProblem }
  const hours = createHourSync({ ...asking, store: createHourSyncStore(db, config.offer), propertyQueue: queues.hours })
  const sync = createSyncService({
    ...asking,
    store,
    status: createStatusStore(db),
    pages,
    hours,
    priorities: createPriorities(),
    backfills: createBackfillLoads(facts),
    propertyQueue: queues.days,
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
  forgetWithAccount(events, clock)

  const capability: Capability = {
    routes: [syncRoutes({ sync, sites }), importRoutes({ imports, attempts: accounts.attempts, ofThisMachine })],
    async work() {
      const leases = createLeases(db, { table: 'sync_leases', kind: 'days' }, deps.log)
      const hoursLeases = createLeases(db, { table: 'sync_leases', kind: 'hours' }, deps.log)
      // Nobody else can be asking, so there is no need to wait out an earlier server's leases.
      if (config.databaseUrl === undefined) await Promise.all([leases.clear(), hoursLeases.clear()])
      await workOnSync({ queue, propertyQueue: queues.days, leases, sync, hours })
      await workOnHours({ queue, propertyQueue: queues.hours, leases: hoursLeases, hours })
      await workOnSweeps(queue, deps)
    },
    exported: [
      jsonRows(
        'imports.json',
        'The files you imported.',
        (userId, id) => importsAfter(db, userId, id),
        ({ id: _id, ...row }) => row,
      ),
    ],
  }
  return { sync, capability, close: () => pages.close() }
}
