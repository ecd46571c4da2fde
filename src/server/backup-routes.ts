import type { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import { BackupProblem } from './backup/problem.ts'
import { Refusal } from './errors.ts'
import type { HandOver } from './platform/hand-over.ts'
import { tokenCheck } from './sync/import/routes.ts'

/** `POST /api/backup`, for `npm run backup` on this machine while the server runs: the archive, as it is being made. */
export const backupRoutes =
  ({ handOver, make }: { handOver: HandOver; make: () => Promise<Readable> }): FastifyPluginAsync =>
  async (app) => {
    app.post('/api/backup', { onRequest: tokenCheck(handOver) }, async (request, reply) => {
      const archive = await make().catch((error: unknown) => {
        throw error instanceof BackupProblem ? new Refusal(409, error.message) : error
      })
      // The answer has begun: whoever waits for it sees that it breaks off, and finds here why.
      archive.on('error', (error) => request.log.error({ err: error }, 'a backup was broken off'))
      return reply.type('application/zip').send(archive)
    })
  }
