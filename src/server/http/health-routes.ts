import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../platform/metrics.ts'

export type HealthDeps = {
  /** Resolves when both stores answer; rejects with the reason when one does not. */
  checkStores(): Promise<void>
  metrics: Metrics
}

/** For operators: the process is up, its stores answer, Prometheus figures. */
export function addHealthRoutes(app: FastifyInstance, { checkStores, metrics }: HealthDeps): void {
  const seconds = metrics.duration('http_request_duration_seconds', 'Time to answer a request', ['method', 'route', 'status'])
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'other'
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
  })

  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    try {
      await checkStores()
      return { status: 'ok' }
    } catch (error) {
      return reply.status(503).send({ status: 'unavailable', message: error instanceof Error ? error.message : String(error) })
    }
  })
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}
