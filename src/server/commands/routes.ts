import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { BackupProblem } from '../backup/problem.ts'
import { type GrantAsked, grantAsked } from '../billing/grant.ts'
import { Refusal } from '../common/errors.ts'
import { handOverRoutes, ofThisMachine } from '../http/this-machine.ts'
import type { HandOver } from '../platform/hand-over.ts'

export type MachineRoutesDeps = {
  handOver: HandOver
  backUp: () => Promise<Readable>
  grant: (asked: GrantAsked) => Promise<string>
  resetTwoFactor: (person: string) => Promise<string>
  /** Null where there is no demo. */
  resetDemo: (() => Promise<void>) | null
}

/** Whose second factor is reset. */
export const personAsked = z.object({ person: z.string().trim().min(1).max(320) })

const said = z.object({ message: z.string() })

/** What commands of this machine have the server do while it runs; no proxy forwards what is below `/api/internal`. */
export const machineRoutes =
  ({ handOver, backUp, grant, resetTwoFactor, resetDemo }: MachineRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(handOverRoutes(handOver))
    const onRequest = ofThisMachine(handOver)

    /** `npm run backup`: the archive, as it is being made. */
    app.post('/api/internal/backup', { onRequest }, async (request, reply) => {
      const archive = await backUp().catch((error: unknown) => {
        throw error instanceof BackupProblem ? new Refusal(409, error.message) : error
      })
      // The answer has begun: whoever waits for it sees that it breaks off, and finds here why.
      archive.on('error', (error) => request.log.error({ err: error }, 'a backup was broken off'))
      return reply.type('application/zip').send(archive)
    })

    /** `npm run grant` */
    app.post('/api/internal/grant', { onRequest, schema: { body: grantAsked, response: { 200: said } } }, async ({ body }) => ({
      message: await grant(body),
    }))

    /** `npm run two-factor:reset` */
    app.post('/api/internal/two-factor-reset', { onRequest, schema: { body: personAsked, response: { 200: said } } }, async ({ body }) => ({
      message: await resetTwoFactor(body.person),
    }))

    if (resetDemo === null) return
    /** `npm run demo:reset` */
    app.post('/api/internal/demo-reset', { onRequest }, async (_request, reply) => {
      await resetDemo()
      return reply.status(204).send()
    })
  }
