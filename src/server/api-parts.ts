import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { AccountsService, Person } from './accounts/service.ts'
import type { AlertsService } from './alerts/service.ts'
import type { AnnotationsService } from './annotations/service.ts'
import { docsRoutes } from './api/docs-routes.ts'
import { createDoor } from './api/door.ts'
import { workOnApiSweeps } from './api/jobs.ts'
import { keysRoutes } from './api/keys-routes.ts'
import { createKeysStore } from './api/keys-store.ts'
import { createKeys } from './api/keys.ts'
import { mcpRoutes } from './api/mcp/routes.ts'
import { operations } from './api/operations.ts'
import { createCursors } from './api/paging.ts'
import { createRateLimit } from './api/rate-limit.ts'
import { createRepeatedRequests } from './api/repeated-requests.ts'
import { v1Routes } from './api/v1-routes.ts'
import type { Config } from './config.ts'
import type { Db } from './database/open.ts'
import type { EventBus } from './common/events.ts'
import { readApiDocsFrame } from './http/static-files.ts'
import type { Clock } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import type { Queue } from './platform/queue.ts'
import { deriveKey, type SecretKeys } from './platform/secrets.ts'
import type { ReportsService } from './reports/service.ts'
import type { SitesService } from './sites/service.ts'
import type { SyncService } from './sync/service.ts'

export type ApiDeps = {
  config: Config
  db: Db
  pool: pg.Pool
  queue: Queue
  /** What all other secrets derive from (platform/secrets.ts). */
  keys: SecretKeys
  events: EventBus
  accounts: AccountsService
  sites: SitesService
  sync: SyncService
  annotations: AnnotationsService
  reports: ReportsService
  alerts: AlertsService
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
  clock: Clock
  log: Log
  requirePerson(request: FastifyRequest): Promise<Person>
}

export type ApiParts = {
  routes: readonly FastifyPluginAsync[]
  /** Clears in this process what is kept for a time only. */
  work(): Promise<void>
}

/** What programs use: keys, the API, its description, and MCP. */
export async function createApi({ config, ...deps }: ApiDeps): Promise<ApiParts> {
  const { db, queue, accounts, clock, requirePerson } = deps
  const keys = createKeys({ store: createKeysStore(db), accounts, clock })
  deps.events.on('grantsEnding', ({ userId, transaction }) => keys.revokeAll(userId, transaction))
  const door = createDoor(keys, createRateLimit(deps.pool))
  const requests = createRepeatedRequests(db, clock)
  const services = { ...deps, cursors: createCursors(deriveKey(deps.keys[0], 'api-cursors')) }

  return {
    routes: [
      keysRoutes({ keys, requirePerson }),
      v1Routes({ operations, services, door, requests }),
      docsRoutes({ operations, baseUrl: deps.baseUrl, readFrame: () => readApiDocsFrame(config.offer.billing) }),
      mcpRoutes({ services, door, clock, log: deps.log }),
    ],
    work: () => workOnApiSweeps(queue, requests),
  }
}
