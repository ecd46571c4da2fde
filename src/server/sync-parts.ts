import type pg from 'pg'
import type { Config } from './config.ts'
import type { Db } from './database/open.ts'
import type { EventBus } from './common/events.ts'
import type { FactsStore } from './facts/store.ts'
import { type CallLimits, createGoogleQuota } from './google/quota.ts'
import type { SearchConsole } from './google/search-console.ts'
import type { Clock } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import type { Queue } from './platform/queue.ts'
import type { Connections } from './sites/service.ts'
import type { RetryPolicy } from './sync/ask-google.ts'
import { createBackfillLoads } from './sync/backfill-load.ts'
import { defineHoursQueue, workOnHours } from './sync/hours/jobs.ts'
import { createHourSync } from './sync/hours/service.ts'
import { createHourSyncStore } from './sync/hours/store.ts'
import { defineSyncQueues, workOnSync } from './sync/jobs.ts'
import { createLeases } from './sync/leases.ts'
import { noteProblemWith } from './sync/note-problem.ts'
import { createPageFetcher } from './sync/page-fetcher.ts'
import { createSyncService, type SyncService } from './sync/service.ts'
import { createStatusStore } from './sync/status-store.ts'
import { createSyncStore } from './sync/store.ts'
import { createTurns } from './sync/turns.ts'

type SyncPartsDeps = {
  config: Config
  pool: pg.Pool
  db: Db
  facts: FactsStore
  queue: Queue
  events: EventBus
  connections: Connections
  searchConsole: SearchConsole
  retry: RetryPolicy
  limits: CallLimits
  sliceMs?: number | undefined
  clock: Clock
  log: Log
}

export type SyncParts = {
  sync: SyncService
  /** Asks Google in this process for what is due. */
  work(): Promise<void>
  close(): Promise<void>
}

/** What brings Google's figures here: days and hours, within one quota. */
export async function createSync({ config, pool, db, queue, limits, ...deps }: SyncPartsDeps): Promise<SyncParts> {
  const { events, retry } = deps
  const line = await defineSyncQueues(queue)
  const hoursLine = await defineHoursQueue(queue)
  const pages = createPageFetcher(config.google.apiUrl)
  const store = createSyncStore(db)
  const noteProblem = noteProblemWith({ ...deps, store, random: retry.random })
  const asking = { ...deps, quota: createGoogleQuota({ pool, limits }), noteProblem }
  const hours = createHourSync({ ...asking, store: createHourSyncStore(db, config.offer), line: hoursLine })
  const sync = createSyncService({
    ...asking,
    store,
    status: createStatusStore(db),
    pages,
    hours,
    turns: createTurns(),
    backfills: createBackfillLoads(deps.facts),
    line,
  })

  events.on('propertyMonitored', async ({ propertyId }) => {
    await sync.start(propertyId)
    await hours.begin(propertyId)
  })
  events.on('googleConnected', async ({ userId }) => {
    await sync.resume(userId)
    await hours.start(userId)
  })
  events.on('planChanged', ({ userId }) => hours.start(userId))

  return {
    sync,
    async work() {
      const [leases, hoursLeases] = [createLeases(db, 'days', deps.log), createLeases(db, 'hours', deps.log)]
      // Nobody else can be asking: what an earlier server held need not be waited out.
      if (config.databaseUrl === undefined) await Promise.all([leases.clear(), hoursLeases.clear()])
      await workOnSync({ queue, line, leases, sync, hours })
      await workOnHours({ queue, line: hoursLine, leases: hoursLeases, hours })
    },
    close: () => pages.close(),
  }
}
