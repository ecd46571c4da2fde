import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyPluginAsync, type FastifyRequest, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { AccountsService, Person } from '../accounts/service.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../platform/log.ts'
import { answerError } from './errors.ts'
import { addHealthRoutes, type HealthDeps } from './health-routes.ts'
import { addSecurity } from './security.ts'
import { addStaticFiles } from './static-files.ts'

export type AppDeps = HealthDeps & {
  log: Log
  https: boolean
  stripe: Config['stripe']
  /** Each capability's routes. */
  routes: readonly FastifyPluginAsync[]
}

/** The application without a port, as tests inject into it and main.ts listens with it. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const log: FastifyBaseLogger = deps.log
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    trustProxy: 'loopback',
    forceCloseConnections: true,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  await addSecurity(app, deps)
  addHealthRoutes(app, deps)
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store')
  })
  for (const routes of deps.routes) await app.register(routes)
  await addStaticFiles(app)
  return app
}

/** The signed-in person behind a request. @throws Refusal 401 */
export const requirePerson =
  (accounts: AccountsService) =>
  async (request: FastifyRequest): Promise<Person> => {
    const person = await accounts.readSession(request.headers.cookie)
    if (!person) throw new Refusal(401, 'Please log in.')
    return person
  }
