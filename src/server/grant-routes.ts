import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type GrantAsked, grantAsked } from './billing/grant.ts'
import type { HandOver } from './platform/hand-over.ts'
import { tokenCheck } from './sync/import/routes.ts'

/** `POST /api/grant`, for `npm run grant` on this machine while the server runs. */
export const grantRoutes =
  ({ handOver, grant }: { handOver: HandOver; grant: (asked: GrantAsked) => Promise<string> }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/api/grant',
      { onRequest: tokenCheck(handOver), schema: { body: grantAsked, response: { 200: z.object({ message: z.string() }) } } },
      async (request) => ({ message: await grant(request.body) }),
    )
  }
