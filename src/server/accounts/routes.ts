import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { loginForm, session, user, userAnswer, userPatch, type User } from '../../contract/user.ts'
import type { AccountsService, Person } from './service.ts'

export type AccountsRoutesDeps = {
  accounts: AccountsService
  requirePerson(request: FastifyRequest): Promise<Person>
  /** A person as the browser may see them, with properties and plan. */
  describe(person: Person): Promise<User>
  /** Revokes at Google and forgets tokens, properties and selection. */
  disconnectGoogle(userId: string): Promise<void>
  demo: boolean
}

/** Sessions and the signed-in person: `/api/auth/{session,login,logout}`, `/api/user` (SPEC §7). */
export const accountsRoutes =
  (deps: AccountsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const described = async (userId: string): Promise<User> => {
      const person = await deps.accounts.person(userId)
      if (!person) throw new Error('A signed-in person has no row')
      return deps.describe(person)
    }

    app.get('/api/auth/session', { schema: { response: { 200: session } } }, async (request, reply) => {
      const person = await deps.accounts.readSession(request.headers.cookie)
      if (!person) return { authenticated: false, user: null, demo: deps.demo }
      setCookies(reply, await deps.accounts.renew(request.headers.cookie ?? ''))
      return { authenticated: true, user: await deps.describe(person), demo: deps.demo }
    })

    app.post(
      '/api/auth/login',
      { schema: { body: loginForm, response: { 200: userAnswer } }, config: { rateLimit: { max: 20, timeWindow: '1 minute' } } },
      async (request, reply) => {
        const signIn = await deps.accounts.login(request.body)
        setCookies(reply, signIn.cookies)
        return { user: await described(signIn.userId) }
      },
    )

    app.post('/api/auth/logout', async (request, reply) => {
      setCookies(reply, await deps.accounts.logout(request.headers.cookie))
      return reply.status(204).send()
    })

    app.get('/api/user', { schema: { response: { 200: user } } }, async (request) => deps.describe(await deps.requirePerson(request)))

    app.patch('/api/user', { schema: { body: userPatch, response: { 200: user } } }, async (request) => {
      const person = await deps.requirePerson(request)
      await deps.disconnectGoogle(person.id)
      return described(person.id)
    })
  }

const setCookies = (reply: FastifyReply, cookies: readonly string[]): void => {
  for (const cookie of cookies) void reply.header('set-cookie', cookie)
}
