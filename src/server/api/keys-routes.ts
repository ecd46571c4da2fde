import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { apiKeyMade, apiKeys, newApiKey } from '../../contract/api-keys.ts'
import { byId } from '../../contract/api-v1/common.ts'
import type { Person } from '../accounts/service.ts'
import type { Keys } from './keys.ts'

export type KeysRoutesDeps = { keys: Keys; requirePerson(request: FastifyRequest): Promise<Person> }

/** Keys as people manage them in the app: `/api/keys`. Revoking needs no plan. */
export const keysRoutes =
  ({ keys, requirePerson }: KeysRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get('/api/keys', { schema: { response: { 200: apiKeys } } }, async (request) => keys.list(await requirePerson(request)))

    const config = { rateLimit: { max: 30, timeWindow: '1 minute' } }
    app.post('/api/keys', { config, schema: { body: newApiKey, response: { 201: apiKeyMade } } }, async (request, reply) =>
      reply.status(201).send(await keys.make(await requirePerson(request), request.body)),
    )

    app.delete('/api/keys/:id', { schema: { params: byId, response: { 204: z.null() } } }, async (request, reply) => {
      await keys.revoke(await requirePerson(request), request.params.id)
      return reply.status(204).send(null)
    })
  }
