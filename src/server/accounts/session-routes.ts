import type { FastifyPluginAsync } from 'fastify'
import { authEndpoints as endpoints } from '../../contract/account.ts'
import { nameTenant } from '../platform/tenant.ts'
import { callerOf, setCookies } from './caller.ts'
import type { AccountsRoutesDeps } from './routes.ts'
import { tooManyLogins } from './passwords/password-hashing.ts'
import { serve } from './serve.ts'

/** Logging in and out. */
export const sessionRoutes =
  ({ accounts, mailer, noteAddress, describe, described, demo, billing }: AccountsRoutesDeps): FastifyPluginAsync =>
  async (app) => {
    const kind = { demo, mail: mailer.sends, billing }
    serve(app, endpoints.session, async ({ request, reply }) => {
      const signedIn = await accounts.sessionOf(request.headers.cookie)
      if (!signedIn) return { authenticated: false, user: null, ...kind }
      await nameTenant(signedIn.person.id)
      setCookies(reply, await accounts.renew(callerOf(request), signedIn.expiresAt))
      return { authenticated: true, user: await describe(signedIn.person), ...kind }
    })

    serve(app, endpoints.register, async ({ body, request, reply }) => {
      const caller = callerOf(request)
      const userId = await accounts.register(body, caller)
      setCookies(reply, (await accounts.signInAs(userId, caller, 'registration')).cookies)
      return { user: await described(userId) }
    })

    serve(
      app,
      endpoints.login,
      async ({ body, request, reply }) => {
        noteAddress(request.ip)
        const { userId, cookies } = await accounts.login(body, callerOf(request))
        setCookies(reply, cookies)
        return userId === null ? { twoFactor: true as const } : { user: await described(userId) }
      },
      // Those that succeed don't count as attempts, but each hashes a password. An office may begin its day with a hundred.
      { limit: { max: 120, refusal: tooManyLogins } },
    )

    serve(app, endpoints.twoFactor, async ({ body, request, reply }) => {
      const { userId, cookies } = await accounts.secondFactor(body, callerOf(request))
      setCookies(reply, cookies)
      if (userId === null) throw new Error('The second step asked for a second step')
      return { user: await described(userId) }
    })

    serve(app, endpoints.logout, async ({ request, reply }) => {
      const person = await accounts.readSession(request.headers.cookie)
      setCookies(reply, await accounts.logout(callerOf(request)))
      if (person) await accounts.note(person.id, { kind: 'signed-out', details: {} })
    })
  }
