import type { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import { type GrantAsked, machineEndpoints as endpoints } from '../../contract/machine.ts'
import { serve } from '../accounts/service.ts'
import { BackupProblem } from '../backup/problem.ts'
import { Refusal } from '../common/errors.ts'
import { handOverRoutes, ofThisMachine } from '../http/this-machine.ts'
import type { HandOver } from '../platform/command-handshake.ts'

export type MachineRoutesDeps = {
  handOver: HandOver
  backUp: () => Promise<Readable>
  grant: (asked: GrantAsked) => Promise<string>
  resetTwoFactor: (person: string) => Promise<string>
  /** Null if there is no demo. */
  resetDemo: (() => Promise<void>) | null
}

/** What commands on this machine ask of the running server. */
export const machineRoutes =
  ({ handOver, backUp, grant, resetTwoFactor, resetDemo }: MachineRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    await app.register(handOverRoutes(handOver))
    const guarded = { ofThisMachine: ofThisMachine(handOver) }

    serve(
      app,
      endpoints.backup,
      async ({ request, reply }) => {
        const archive = await backUp().catch((error: unknown) => {
          throw error instanceof BackupProblem ? new Refusal(409, error.message) : error
        })
        // The response has begun: the command sees it break off, and finds the reason here.
        archive.on('error', (error) => request.log.error({ err: error }, 'a backup was aborted'))
        return reply.type('application/zip').send(archive)
      },
      guarded,
    )
    serve(app, endpoints.grant, async ({ body }) => ({ message: await grant(body) }), guarded)
    serve(app, endpoints.resetTwoFactor, async ({ body }) => ({ message: await resetTwoFactor(body.person) }), guarded)
    if (resetDemo !== null) serve(app, endpoints.resetDemo, () => resetDemo(), guarded)
  }
