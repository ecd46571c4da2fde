import { betterAuth } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { username } from 'better-auth/plugins'
import { z } from 'zod'
import type { Db } from '../database/open.ts'

export const passwordLength = { min: 6, max: 256 } as const
export const usernameLength = { min: 3, max: 64 } as const

export type AuthConfig = {
  db: Db
  /** 32 bytes or more, from SECRET_KEY. */
  secret: string
  baseUrl: string
}

/** Signs a person in who has proven who they are by other means (Google). Not reachable over HTTP. */
const signInAs = {
  id: 'sign-in-as',
  endpoints: {
    signInAs: createAuthEndpoint.serverOnly({ method: 'POST', body: z.object({ userId: z.string() }) }, async (ctx) => {
      const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId)
      if (!user) throw ctx.error('NOT_FOUND')
      const session = await ctx.context.internalAdapter.createSession(user.id)
      await setSessionCookie(ctx, { session, user })
      return ctx.json({ userId: user.id })
    }),
  },
} as const

/**
 * better-auth on our tables. Its own HTTP handler is not mounted: the routes of SPEC §7 call it, so
 * that there is one way in. Sessions live 30 days and are renewed daily.
 */
export function createAuth({ db, secret, baseUrl }: AuthConfig) {
  return betterAuth({
    secret,
    baseURL: baseUrl,
    trustedOrigins: [new URL(baseUrl).origin],
    database: { db, type: 'postgres' },
    telemetry: { enabled: false },
    logger: { level: 'error' },
    user: { modelName: 'users' },
    session: { modelName: 'sessions', expiresIn: 30 * 86_400, updateAge: 86_400 },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
    emailAndPassword: { enabled: true, minPasswordLength: passwordLength.min, maxPasswordLength: passwordLength.max },
    advanced: {
      cookiePrefix: 'ranklark',
      useSecureCookies: baseUrl.startsWith('https://'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
    },
    plugins: [
      username({
        minUsernameLength: usernameLength.min,
        maxUsernameLength: usernameLength.max,
        usernameValidator: (name) => /^[\p{L}\p{N}._-]+$/u.test(name),
      }),
      signInAs,
    ],
  })
}
export type Auth = ReturnType<typeof createAuth>
