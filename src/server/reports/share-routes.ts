import type { FastifyPluginAsync } from 'fastify'
import { reportShareEndpoints, sharedReportEndpoints } from '../../contract/reports/reports.ts'
import { serve } from '../accounts/service.ts'
import type { Shared } from './shared.ts'
import type { Shares } from './shares.ts'

/** Links, for their owner. */
export const shareRoutes =
  ({ shares }: { shares: Shares }): FastifyPluginAsync =>
  async (app) => {
    serve(app, reportShareEndpoints.list, ({ person }) => shares.list(person))
    serve(app, reportShareEndpoints.add, ({ person, body }) => shares.add(person, body))
    serve(app, reportShareEndpoints.withdraw, ({ person, params }) => shares.remove(person, params.id))
  }

/** What links lead to, for everybody. */
export const sharedRoutes =
  ({ shared }: { shared: Shared }): FastifyPluginAsync =>
  async (app) => {
    // Whoever has the URL has the report, so it must not spread. For this plugin only.
    app.addHook('onSend', async (_request, reply) => {
      void reply.header('x-robots-tag', 'noindex').header('referrer-policy', 'no-referrer')
    })

    serve(app, sharedReportEndpoints.read, ({ params }) => shared.view(params.token))

    serve(
      app,
      sharedReportEndpoints.file,
      async ({ params, reply }) => {
        const { pdf, disposition } = await shared.file(params.token)
        return reply.type('application/pdf').header('content-disposition', disposition).send(pdf)
      },
      { limit: { max: 20 } },
    )
  }
