import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { apiRoot } from '../../contract/endpoint.ts'
import type { AccountsService } from '../accounts/service.ts'
import type { Config } from '../config.ts'
import type { Drain } from './drain.ts'
import { answerError } from './errors.ts'
import { answerClientError, frameworkErrors } from './framework-errors.ts'
import { addOrigin } from './origin.ts'
import { addHealthRoutes, type HealthDeps } from './health-routes.ts'
import { endSlowBodies, endSlowReaders, patience } from './patience.ts'
import { requestLog } from './request-log.ts'
import { addSecurity, type SecurityDeps } from './security.ts'
import type { SitePagesDeps } from './site-pages.ts'
import { addStaticFiles } from './static-files.ts'
import { addTenants } from './tenants.ts'

type BareAppDeps = HealthDeps & {
  drain: Drain
  trustProxy: Config['http']['trustProxy']
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
}

export type AppDeps = BareAppDeps &
  SecurityDeps &
  SitePagesDeps & {
    accounts: Pick<AccountsService, 'sessionOf'>
    /** Each capability's routes. */
    routes: readonly FastifyPluginAsync[]
  }

/** The application without a port, as tests inject into it and main.ts listens with it. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = bareApp(deps)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  addOrigin(app)
  addTenants(app)
  await addSecurity(app, deps)
  app.decorate('sessionOf', deps.accounts.sessionOf)
  addHealthRoutes(app, deps)
  app.addHook('onSend', async (request, reply) => {
    // Addresses can be written in many ways: what counts is the route that answers, where there is one.
    const path = request.routeOptions.url ?? request.url
    if (path.startsWith(apiRoot)) void reply.header('cache-control', 'no-store')
  })
  for (const routes of deps.routes) await app.register(routes)
  await addStaticFiles(app, deps)
  return app
}

/** What a process that answers no requests of people tells its operators. */
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
    // What comes while the server drains is answered like everything else (drain.ts).
    return503OnClosing: false,
    frameworkErrors: frameworkErrors(baseUrl),
    clientErrorHandler: answerClientError,
    ...patience,
  })
  drain.attach(app)
  refuseTunnels(app)
  endSlowBodies(app)
  endSlowReaders(app)
  // Forms of other sites can send it; nothing of ours does.
  app.removeContentTypeParser('text/plain')
  return app
}

/** Node ends the connection without a word where nobody listens, which a proxy may take for a process that has failed. */
function refuseTunnels(app: FastifyInstance): void {
  app.server.on('connect', (_request, socket) => {
    // Node has taken its own listener away: an error that nobody hears ends the process.
    socket.on('error', () => {})
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
}
