import type { FastifyPluginAsync } from 'fastify'
import { reportRunEndpoints as endpoints } from '../../contract/reports/reports.ts'
import { serve } from '../accounts/service.ts'
import type { Runs } from './runs.ts'

/** PDFs on demand. */
export const runRoutes =
  ({ runs }: { runs: Runs }): FastifyPluginAsync =>
  async (app) => {
    serve(app, endpoints.list, ({ person }) => runs.list(person))
    serve(app, endpoints.start, ({ person, body }) => runs.start(person, body), {
      limit: { max: 30 },
      needsProof: runs.sendsToOthers,
    })
    serve(app, endpoints.read, ({ person, params }) => runs.one(person, params.id))
    serve(app, endpoints.file, async ({ person, params, reply }) => {
      const { pdf, disposition } = await runs.file(person, params.id)
      return reply.type('application/pdf').header('content-disposition', disposition).send(pdf)
    })
  }
