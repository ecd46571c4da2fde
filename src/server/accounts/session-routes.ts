import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { loginAnswer, loginForm, registration, twoFactorCode } from '../../contract/account.ts'
import { session, userAnswer } from '../../contract/user.ts'
import { callerOf, setCookies } from './caller.ts'
import type { AccountsRoutesDeps } from './routes.ts'

/** Coming in and going out: `/api/auth/{session,register,login,two-factor,logout}`. */
export const sessionRoutes =
  ({ accounts, mailer, describe, described, demo, billing }: AccountsRoutesDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const kind = { demo, mail: mailer.sends, billing }
    app.get('/api/auth/session', { schema: { response: { 200: session } } }, async (request, reply) => {
      const signedIn = await accounts.sessionOf(request.headers.cookie)
      if (!signedIn) return { authenticated: false, user: null, ...kind }
      setCookies(reply, await accounts.renew(callerOf(request), signedIn.expiresAt))
      return { authenticated: true, user: await describe(signedIn.person), ...kind }
    })

    app.post('/api/auth/register', { schema: { body: registration, response: { 200: userAnswer } } }, async (request, reply) => {
      const caller = callerOf(request)
      const userId = await accounts.register(request.body, caller)
      setCookies(reply, (await accounts.signInAs(userId, caller, 'registration')).cookies)
      return { user: await described(userId) }
    })

    app.post('/api/auth/login', { schema: { body: loginForm, response: { 200: loginAnswer } } }, async (request, reply) => {
      const { userId, cookies } = await accounts.login(request.body, callerOf(request))
      setCookies(reply, cookies)
      return userId === null ? { twoFactor: true as const } : { user: await described(userId) }
    })

    app.post('/api/auth/two-factor', { schema: { body: twoFactorCode, response: { 200: userAnswer } } }, async (request, reply) => {
      const { userId, cookies } = await accounts.secondFactor(request.body, callerOf(request))
      setCookies(reply, cookies)
      if (userId === null) throw new Error('The second step asked for a second step')
      return { user: await described(userId) }
    })

    app.post('/api/auth/logout', async (request, reply) => {
      const person = await accounts.readSession(request.headers.cookie)
      setCookies(reply, await accounts.logout(callerOf(request)))
      if (person) await accounts.note(person.id, { kind: 'signed-out', details: {} })
      return reply.status(204).send()
    })
  }
