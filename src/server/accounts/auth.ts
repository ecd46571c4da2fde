import { randomBytes } from 'node:crypto'
import { betterAuth } from 'better-auth'
import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { twoFactor, username } from 'better-auth/plugins'
import { z } from 'zod'
import type { Db } from '../database/open.ts'
import { type SecretKeys, deriveKey, keyMark } from '../platform/secrets.ts'
import { cookiePrefixOf } from './caller.ts'
import { type PasswordHashing, limitHashing } from './passwords/password-hashing.ts'

const challengeSeconds = 600

/**
 * Signs in a person who has proven their identity elsewhere (Google), or keeps them signed in. Not reachable over HTTP. The second factor
 * is required here too, with the same cookie and records that better-auth's two-factor plugin leaves after a password.
 */
const signInAs = {
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
    /** Gives a browser its session's cookie again: the session has another token now. */
    keepSignedIn: createAuthEndpoint.serverOnly({ method: 'POST', body: z.object({ token: z.string() }) }, async (ctx) => {
      const found = await ctx.context.internalAdapter.findSession(ctx.body.token)
      // Ended again already.
      if (found) await setSessionCookie(ctx, found)
      return ctx.json({})
    }),
  },
} as const

const scrypt: PasswordHashing = { hash: hashPassword, verify: verifyPassword }

export const passwordLength = { min: 6, max: 256 } as const
export const usernameLength = { min: 3, max: 64 } as const

/** A session's lifetime, and the age at which an active one is renewed, in seconds. */
export const sessionSeconds = { lives: 30 * 86_400, renewedAfter: 86_400 } as const

export type AuthConfig = {
  db: Db
  secrets: AuthSecrets
  baseUrl: string
  /** Password hashing; scrypt by default. */
  passwords?: PasswordHashing | undefined
}

/** The session signing key. */
export const sessionSecret = (key: string): string => deriveKey(key, 'sessions').toString('base64url')

export type AuthSecrets = { secrets: { version: number; value: string }[]; secret: string }

/**
 * The keys in better-auth's format. It writes a key's number to what it encrypts (authenticator secrets, recovery codes), so the number is
 * derived from the key itself; values without a number are from before there could be two keys.
 */
export function authSecrets(keys: SecretKeys): AuthSecrets {
  const secrets = keys.map((key) => ({ version: Buffer.from(keyMark(key)).readUInt32BE(), value: sessionSecret(key) }))
  return { secrets, secret: secrets.at(-1)?.value ?? '' }
}

/**
 * better-auth on our tables. Its own HTTP handler isn't mounted: the routes of SPEC §7 call it, so that there is one way in. Sessions last
 * 30 days and are renewed daily; passwords are hashed with scrypt.
 */
export function createAuth({ db, secrets, baseUrl, passwords = scrypt }: AuthConfig) {
  const https = baseUrl.startsWith('https://')
  return betterAuth({
    appName: 'Ranklark',
    ...secrets,
    baseURL: baseUrl,
    trustedOrigins: [new URL(baseUrl).origin],
    database: { db, type: 'postgres' },
    telemetry: { enabled: false },
    logger: { level: 'error' },
    user: { modelName: 'users' },
    session: { modelName: 'sessions', expiresIn: sessionSeconds.lives, updateAge: sessionSeconds.renewedAfter },
    account: { modelName: 'accounts' },
    // Reading the database yields no usable link. Expired ones are swept (jobs.ts), not looked for with each lookup.
    verification: { modelName: 'verifications', storeIdentifier: 'hashed', disableCleanup: true },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      revokeSessionsOnPasswordReset: true,
      password: limitHashing(passwords),
    },
    advanced: {
      cookiePrefix: cookiePrefixOf(https),
      // It would add its own prefix before ours.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: https, path: '/' },
    },
    plugins: [
      username({
        minUsernameLength: usernameLength.min,
        // The contract checks new names. In lower case, older ones can be longer and have combining marks (İ).
        maxUsernameLength: 2 * usernameLength.max,
        usernameValidator: (name) => /^[\p{L}\p{M}\p{N}._-]+$/u.test(name),
      }),
      twoFactor({
        issuer: 'Ranklark',
        allowPasswordless: true,
        schema: { twoFactor: { modelName: 'twoFactors' } },
        // It would lock out everybody, including the owner; attempts.ts counts wrong codes.
        accountLockout: { enabled: false },
      }),
      signInAs,
    ],
  })
}
export type Auth = ReturnType<typeof createAuth>

/** An emailed link, a login in progress or a trusted browser that is still valid. Expired ones stay until they are swept (jobs.ts). */
export async function findPending(auth: Auth, identifier: string) {
  const { internalAdapter } = await auth.$context
  const found = await internalAdapter.findVerificationValue(identifier)
  return found && found.expiresAt > new Date() ? found : null
}
