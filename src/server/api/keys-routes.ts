import type { FastifyPluginAsync } from 'fastify'
import { apiKeyEndpoints as endpoints } from '../../contract/api-keys.ts'
import { serve } from '../accounts/service.ts'
import type { Keys } from './keys.ts'

/** Keys as people manage them in the app. */
export const keysRoutes =
  ({ keys }: { keys: Keys }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person }) => keys.list(person))
    serve(app, endpoints.make, ({ person, body }) => keys.make(person, body), { limit: { max: 30 } })
    serve(app, endpoints.revoke, ({ person, params }) => keys.revoke(person, params.id))
  }
