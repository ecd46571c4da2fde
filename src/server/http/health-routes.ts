import type { FastifyInstance } from 'fastify'
import type { Log } from '../platform/log.ts'
import type { Drain } from './drain.ts'
import type { Metrics } from '../platform/metrics.ts'

/** What a server depends on, by name; each rejects, or never settles, if it is down. */
export type Needs = Readonly<Record<string, () => Promise<unknown>>>

export type HealthDeps = {
  needs: Needs
  drain: Pick<Drain, 'isDraining'>
  metrics: Metrics
  log: Log
}

/** Never wait behind other requests: a proxy considers a server that doesn't answer here failed. */
export const healthPaths: readonly string[] = ['/healthz', '/readyz', '/metrics']

/** For operators: liveness, readiness, Prometheus metrics. */
export function addHealthRoutes(app: FastifyInstance, { needs, drain, metrics, log }: HealthDeps): void {
  const seconds = metrics.duration('http_request_duration_seconds', 'Time to answer a request', ['method', 'route', 'status'])
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'other'
    seconds.observe({ method: request.method, route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
  })

  const looks = Object.entries(needs).map(([name, ask]) => createLook(name, ask, log))
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (drain.isDraining()) return reply.status(503).send({ status: 'draining', message: 'This server is shutting down.' })
    const away = (await Promise.all(looks.map((look) => look()))).filter((name) => name !== null)
    if (away.length === 0) return { status: 'ok' }
    return reply.status(503).send({ status: 'unavailable', message: `${away.join(' and ')} can't be reached right now.` })
  })
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()))
}

/** Longest wait for a readiness answer. */
const patienceMs = 2_500

/** Returns null, or the name of what is down; the reason goes to the log, since it may contain addresses. */
function createLook(name: string, ask: () => Promise<unknown>, log: Log): () => Promise<string | null> {
  // A check that hangs isn't repeated meanwhile, or each would keep a connection.
  let asked: Promise<string | undefined> | undefined
  let known = ''
  return async () => {
    asked ??= ask()
      .then(() => undefined, reasonOf)
      .finally(() => (asked = undefined))
    const { promise: late, resolve } = Promise.withResolvers<string>()
    const patience = setTimeout(resolve, patienceMs, `no answer in ${patienceMs} ms`)
    const reason = (await Promise.race([asked, late])) ?? ''
    clearTimeout(patience)
    if (reason !== '' && reason !== known) log.warn({ store: name, reason }, 'not ready')
    known = reason
    return reason === '' ? null : name
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : '') || String(error)
