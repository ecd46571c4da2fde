import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { newReportRun, reportRun, reportRuns } from '../../contract/publishing.ts'
import type { Person } from '../accounts/service.ts'
import type { Runs } from './runs.ts'

const byId = z.object({ id: z.string().max(40) })

export type RunRoutesDeps = { runs: Runs; requirePerson(request: FastifyRequest): Promise<Person> }

/** `/api/report-runs` */
export const runRoutes =
  ({ runs, requirePerson }: RunRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const path = '/api/report-runs'

    app.get(path, { schema: { response: { 200: reportRuns } } }, async (request) => runs.list(await requirePerson(request)))

    app.post(
      path,
      { config: { rateLimit: { max: 30, timeWindow: '1 minute' } }, schema: { body: newReportRun, response: { 201: reportRun } } },
      async (request, reply) => reply.status(201).send(await runs.start(await requirePerson(request), request.body)),
    )

    app.get(`${path}/:id`, { schema: { params: byId, response: { 200: reportRun } } }, async (request) =>
      runs.one(await requirePerson(request), request.params.id),
    )

    app.get(`${path}/:id/report.pdf`, { schema: { params: byId }, exposeHeadRoute: false }, async (request, reply) => {
      const { pdf, disposition } = await runs.file(await requirePerson(request), request.params.id)
      return reply.type('application/pdf').header('content-disposition', disposition).send(pdf)
    })
  }
