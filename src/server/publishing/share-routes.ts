import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { newReportShare, reportShareMade, reportShares, sharedReport } from '../../contract/publishing.ts'
import type { Person } from '../accounts/service.ts'
import type { Shared } from './shared.ts'
import type { Shares } from './shares.ts'

const byId = z.object({ id: z.string().max(40) })
const byToken = z.object({ token: z.string().max(200) })

export type ShareRoutesDeps = { shares: Shares; requirePerson(request: FastifyRequest): Promise<Person> }

/** Links of their owner: `/api/report-shares`. */
export const shareRoutes =
  ({ shares, requirePerson }: ShareRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const path = '/api/report-shares'

    app.get(path, { schema: { response: { 200: reportShares } } }, async (request) => shares.list(await requirePerson(request)))

    app.post(path, { schema: { body: newReportShare, response: { 201: reportShareMade } } }, async (request, reply) =>
      reply.status(201).send(await shares.add(await requirePerson(request), request.body)),
    )

    app.delete(`${path}/:id`, { schema: { params: byId, response: { 204: z.null() } } }, async (request, reply) => {
      await shares.remove(await requirePerson(request), request.params.id)
      return reply.status(204).send(null)
    })
  }

/** What links lead to, for everybody: `/api/shared/:token`. */
export const sharedRoutes =
  ({ shared }: { shared: Shared }): FastifyPluginAsyncZod =>
  async (app) => {
    // Whoever has the address has the report: it is to stay with them. Holds for this plugin alone.
    app.addHook('onSend', async (_request, reply) => {
      void reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer')
    })
    const limited = (max: number) => ({ rateLimit: { max, timeWindow: '1 minute' } })
    const path = '/api/shared/:token'

    app.get(path, { config: limited(60), schema: { params: byToken, response: { 200: sharedReport } } }, async (request) =>
      shared.view(request.params.token),
    )

    app.get(`${path}/report.pdf`, { config: limited(20), schema: { params: byToken }, exposeHeadRoute: false }, async (request, reply) => {
      const { pdf, disposition } = await shared.file(request.params.token)
      return reply.type('application/pdf').header('content-disposition', disposition).send(pdf)
    })
  }
