import type { FastifyPluginAsync } from 'fastify'
import { apiKeyEndpoints as endpoints } from '../../contract/api-keys.ts'
import { type AccountsService, serve } from '../accounts/service.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import type { AnnotationsService } from '../annotations/service.ts'
import type { Capability } from '../common/capability.ts'
import { jsonSection } from '../common/export-file.ts'
import type { Foundation } from '../common/foundation.ts'
import type { Db } from '../database/open.ts'
import type { Queue } from '../platform/queue.ts'
import { deriveKey } from '../platform/secrets.ts'
import type { SitesService } from '../sites/service.ts'
import type { SyncService } from '../sync/service.ts'
import { docsRoutes } from './docs-routes.ts'
import { createKeyAccess } from './key-access.ts'
import { createKeysStore } from './keys-store.ts'
import { createKeys, type Keys } from './keys.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { operations } from './operations.ts'
import { createCursors } from './paging.ts'
import { createRateLimit } from './rate-limit.ts'
import { createRepeatedRequests, type RepeatedRequests } from './repeated-requests.ts'
import { v1Routes } from './v1-routes.ts'

/** Key management in the app. */
const keysRoutes =
  ({ keys }: { keys: Keys }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person }) => keys.list(person))
    serve(app, endpoints.make, ({ person, body }) => keys.make(person, body), { limit: { max: 30 } })
    serve(app, endpoints.revoke, ({ person, params }) => keys.revoke(person, params.id))
  }

type ApiDeps = Pick<Foundation, 'pool' | 'db' | 'queue' | 'keys' | 'events' | 'baseUrl' | 'clock' | 'log'> & {
  accounts: AccountsService
  sites: SitesService
  sync: SyncService
  annotations: AnnotationsService
  analytics: AnalyticsService
  alerts: AlertsService
  /** The page around the API reference; null if it isn't built. */
  readDocsFrame: () => Promise<string | null>
}

/** Everything for programs: keys, the API, its description, and MCP. */
export function createApi(deps: ApiDeps): { capability: Capability } {
  const { db, queue, accounts, clock } = deps
  const keys = createKeys({ store: createKeysStore(db), accounts, clock })
  deps.events.on('grantsEnding', ({ userId, transaction }) => keys.revokeAll(userId, transaction))
  const keyAccess = createKeyAccess(keys, createRateLimit(deps.pool))
  const requests = createRepeatedRequests(db, clock)
  const services = { ...deps, cursors: createCursors(deriveKey(deps.keys[0], 'api-cursors')) }

  const capability: Capability = {
    routes: [
      keysRoutes({ keys }),
      v1Routes({ operations, services, keyAccess, requests }),
      docsRoutes({ operations, baseUrl: deps.baseUrl, readFrame: deps.readDocsFrame }),
      mcpRoutes({ services, keyAccess, clock, log: deps.log }),
    ],
    work: () => workOnApiSweeps(queue, requests),
    exported: [jsonSection('api-keys.json', 'Your API keys, without the secrets themselves.', (userId) => exportedKeys(db, userId))],
  }
  return { capability }
}

/** A person's API keys; the keys themselves are unknown. */
const exportedKeys = (db: Db, userId: string) =>
  db
    .selectFrom('apiKeys')
    .where('userId', '=', userId)
    .select(['name', 'scope', 'start', 'createdAt', 'lastUsedAt', 'expiresAt'])
    .orderBy('id')
    .execute()

const sweepQueue = 'sweep-api-requests'

/** Deletes expired answers every hour, in one process at a time. */
async function workOnApiSweeps(queue: Queue, requests: RepeatedRequests): Promise<void> {
  await queue.defineQueue(sweepQueue, { policy: 'exclusive', expireInSeconds: 600 })
  await queue.work<object>(sweepQueue, {}, () => requests.sweep())
  await queue.schedule(sweepQueue, '23 * * * *', 'UTC')
}
