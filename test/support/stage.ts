import type { AddressInfo } from 'node:net'
import type { FastifyPluginAsync } from 'fastify'
import { docsRoutes } from '../../src/server/api/docs-routes.ts'
import { operations } from '../../src/server/api/operations.ts'
import { createApp } from '../../src/server/http/app.ts'
import { createDrain } from '../../src/server/http/drain.ts'
import { readApiDocsFrame } from '../../src/server/http/static-files.ts'
import { createLog } from '../../src/server/platform/log.ts'
import { createMetrics } from '../../src/server/platform/metrics.ts'
import { createDesk, type Desk, type Reply } from './answers/desk.ts'
import { usualAnswers } from './answers/usual.ts'

/** Where screens are shown without a product behind them: its files and headers, and an API that a test answers itself. */
export type Stage = {
  url: string
  /** Discards the previous test's answers; gives the usual ones until told otherwise. */
  reset(): Desk
  /** Sent by this test's pages, to tell late requests of the previous test apart. */
  cookies: ReadonlyMap<string, string>
  /** Requests since the last reset that the test had no answer for. */
  unanswered: readonly string[]
  close(): Promise<void>
}

/** Serves the built app with the product's own HTTP layer, so that its content security policy and caching apply. */
export async function startStage(): Promise<Stage> {
  let current = { number: 0, desk: createDesk(usualAnswers), unanswered: new Array<string>() }
  const answers: FastifyPluginAsync = async (app) => {
    // An upload isn't read, only answered.
    app.addContentTypeParser('*', (_request, body, done) => void body.resume().on('end', () => done(null)))
    app.all('/api/*', async (request, response) => {
      const { number, desk, unanswered } = current
      // Its page is closed by now, perhaps with its cookies already gone; this request was sent before.
      const asking = /(?:^|; )stage=(\d+)/.exec(request.headers.cookie ?? '')?.[1]
      if (Number(asking) !== number) return response.status(503).send({ message: 'That test is over.' })
      let reply: Reply
      try {
        reply = await desk.reply(request.method, new URL(request.url, 'http://stage'), request.body ?? null)
      } catch (error) {
        unanswered.push(error instanceof Error ? error.message : String(error))
        return response.status(501).send({ message: 'The test has no answer to this.' })
      }
      if (reply === 'cut') {
        response.hijack()
        request.raw.socket.destroy()
        return response
      }
      return response
        .status(reply.status)
        .headers(reply.headers ?? {})
        .type(reply.type)
        .serializer((body: unknown) => body as string)
        .send(reply.body)
    })
  }
  const metrics = createMetrics()
  const app = await createApp({
    needs: {},
    drain: createDrain(0),
    metrics,
    log: createLog('silent'),
    trustProxy: ['loopback'],
    baseUrl: () => 'http://localhost',
    https: false,
    stripe: undefined,
    accounts: { readSession: async () => null, sessionOf: async () => null },
    demo: false,
    billing: 'stripe',
    // None of these routes has a rate limit.
    routeLimits: class {
      incr(): void {}
      child(): never {
        throw new Error('No route of the stage is limited')
      }
    },
    // The API reference is generated from the operations, and needs nothing behind it.
    routes: [docsRoutes({ operations, baseUrl: () => 'http://localhost', readFrame: () => readApiDocsFrame('stripe') }), answers],
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    get unanswered() {
      return current.unanswered
    },
    get cookies() {
      return new Map([['stage', String(current.number)]])
    },
    reset() {
      current = { number: current.number + 1, desk: createDesk(usualAnswers), unanswered: [] }
      return current.desk
    },
    async close() {
      app.server.closeAllConnections()
      await app.close()
      metrics.close()
    },
  }
}
