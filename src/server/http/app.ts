import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { apiRoot } from '../../contract/endpoint.ts'
import type { AccountsService } from '../accounts/service.ts'
import type { Config } from '../config.ts'
import { createMinuteCounts } from '../common/minute-counts.ts'
import type { Drain } from './drain.ts'
import { answerError } from './errors.ts'
import { answerClientError, frameworkErrors } from './framework-errors.ts'
import { type HealthDeps, addHealthRoutes } from './health-routes.ts'
import { limitInProgress } from './in-progress.ts'
import { addOrigin } from './origin.ts'
import { endLargeBodies, endSlowBodies, patience } from './timeouts.ts'
import { type SecurityDeps, addSecurity } from './security.ts'
import type { SitePagesDeps } from './site-pages.ts'
import { endSlowReaders } from './slow-readers.ts'
import { addStaticFiles } from './static-files.ts'
import { addTenants } from './tenants.ts'

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent', 'child'] as const
type Line = (this: { log: FastifyBaseLogger }, ...args: unknown[]) => unknown

/** Every method of a logger, each forwarded to the one behind `log`. */
const handedOn = Object.fromEntries(
  methods.map((method): [string, Line] => [
    method,
    function (...args) {
      return Reflect.apply(this.log[method], this.log, args)
    },
  ]),
)

/** A request's log, created with its first line. Hardly any request writes one, and creating a log scans its fields for secrets. */
function requestLog(make: () => FastifyBaseLogger): FastifyBaseLogger {
  let made: FastifyBaseLogger | undefined
  return Object.create(handedOn, {
    log: { get: () => (made ??= make()) },
    level: { get: () => (made ??= make()).level },
  }) as FastifyBaseLogger
}

type BareAppDeps = HealthDeps & {
  drain: Drain
  trustProxy: Config['http']['trustProxy']
  /** This installation's URL, without a trailing slash. */
  baseUrl: () => string
}

export type AppDeps = BareAppDeps &
  SecurityDeps &
  SitePagesDeps & {
    accounts: Pick<AccountsService, 'sessionOf'>
    routes: readonly FastifyPluginAsync[]
  }

/** The application without a port: tests inject requests; server.ts makes it listen. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = bareApp(deps)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  addOrigin(app)
  addTenants(app)
  await addSecurity(app, deps)
  limitInProgress(app)
  app.decorate('sessionOf', deps.accounts.sessionOf)
  app.decorate('ordinaryRequests', createMinuteCounts())
  addHealthRoutes(app, deps)
  app.addHook('onSend', async (request, reply) => {
    // URLs can be written in many ways: what counts is the matching route, if any.
    const path = request.routeOptions.url ?? request.url
    if (path.startsWith(apiRoot)) void reply.header('cache-control', 'no-store')
  })
  for (const routes of deps.routes) await app.register(routes)
  await addStaticFiles(app, deps)
  return app
}

/** Status for operators from a process that serves no people. */
export function createHealthApp(deps: BareAppDeps): FastifyInstance {
  const app = bareApp(deps)
  addHealthRoutes(app, deps)
  return app
}

function bareApp({ log, drain, trustProxy, baseUrl }: BareAppDeps): FastifyInstance {
  const logger: FastifyBaseLogger = log
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (parent, bindings, options) => requestLog(() => parent.child(bindings, options)),
    bodyLimit: 1024 * 1024,
    trustProxy,
    // Requests during draining are answered like all others (drain.ts).
    return503OnClosing: false,
    frameworkErrors: frameworkErrors(baseUrl),
    clientErrorHandler: answerClientError,
    ...patience,
  })
  drain.attach(app)
  refuseTunnels(app)
  endSlowBodies(app)
  endLargeBodies(app)
  endSlowReaders(app)
  // Other sites' forms can send it; nothing of ours does.
  app.removeContentTypeParser('text/plain')
  return app
}

/** Without a listener, Node drops the connection silently, which a proxy may take for a failed process. */
function refuseTunnels(app: FastifyInstance): void {
  app.server.on('connect', (_request, socket) => {
    // Node has removed its own listener: an unhandled error would end the process.
    socket.on('error', () => {})
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
}
