import type { FastifyPluginAsync } from 'fastify'
import type { HandOver } from './platform/hand-over.ts'
import { tokenCheck } from './sync/import/routes.ts'

/** `POST /api/demo/reset`, for `npm run demo:reset` on this machine while the server runs. */
export const demoRoutes =
  ({ handOver, reset }: { handOver: HandOver; reset: () => Promise<void> }): FastifyPluginAsync =>
  async (app) => {
    app.post('/api/demo/reset', { onRequest: tokenCheck(handOver) }, async (_request, reply) => {
      await reset()
      return reply.status(204).send()
    })
  }
