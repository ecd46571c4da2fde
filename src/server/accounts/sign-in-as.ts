import { randomBytes } from 'node:crypto'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

const challengeSeconds = 600

/**
 * Signs a person in who has proven who they are by other means (Google). Not reachable over HTTP. Who has a second
 * factor is asked for it here too, by the same cookie and records that better-auth's two-factor plugin
 * leaves after a password.
 */
export const signInAs = {
  id: 'sign-in-as',
  endpoints: {
    signInAs: createAuthEndpoint.serverOnly({ method: 'POST', body: z.object({ userId: z.string() }) }, async (ctx) => {
      const { internalAdapter, createAuthCookie, secret } = ctx.context
      const user = await internalAdapter.findUserById(ctx.body.userId)
      if (!user) throw ctx.error('NOT_FOUND')
      if ('twoFactorEnabled' in user && user.twoFactorEnabled === true) {
        const identifier = `2fa-${randomBytes(15).toString('base64url')}`
        const expiresAt = new Date(Date.now() + challengeSeconds * 1000)
        await internalAdapter.createVerificationValue({ identifier, value: user.id, expiresAt })
        await internalAdapter.createVerificationValue({ identifier: `2fa-attempts-${identifier}`, value: '0', expiresAt })
        const cookie = createAuthCookie('two_factor', { maxAge: challengeSeconds })
        await ctx.setSignedCookie(cookie.name, identifier, secret, cookie.attributes)
        return ctx.json({ twoFactorRedirect: true })
      }
      const session = await internalAdapter.createSession(user.id)
      await setSessionCookie(ctx, { session, user })
      return ctx.json({ user: { id: user.id } })
    }),
  },
} as const
