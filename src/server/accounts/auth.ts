import { betterAuth } from 'better-auth'
import { hashPassword, verifyPassword } from 'better-auth/crypto'
import { twoFactor, username } from 'better-auth/plugins'
import type { Db } from '../database/open.ts'
import { deriveKey, keyMark, type SecretKeys } from '../platform/secrets.ts'
import { cookiePrefixOf } from './caller.ts'
import { hashInTurns, type PasswordHashing } from './passwords/password-hashing.ts'
import { signInAs } from './sign-in-as.ts'

const scrypt: PasswordHashing = { hash: hashPassword, verify: verifyPassword }

export const passwordLength = { min: 6, max: 256 } as const
export const usernameLength = { min: 3, max: 64 } as const

/** Seconds that a session lives, and after which one in use is renewed. */
export const sessionSeconds = { lives: 30 * 86_400, renewedAfter: 86_400 } as const

export type AuthConfig = {
  db: Db
  secrets: AuthSecrets
  baseUrl: string
  /** How passwords are stored; with scrypt when absent. */
  passwords?: PasswordHashing | undefined
}

/** What sessions are signed with. */
export const sessionSecret = (key: string): string => deriveKey(key, 'sessions').toString('base64url')

export type AuthSecrets = { secrets: { version: number; value: string }[]; secret: string }

/**
 * The keys in better-auth's form. It writes the number of the key to what it encrypts (secrets of authenticator apps,
 * recovery codes), so a key's number comes from the key itself; what bears none is from before there could be two.
 */
export function authSecrets(keys: SecretKeys): AuthSecrets {
  const secrets = keys.map((key) => ({ version: Buffer.from(keyMark(key)).readUInt32BE(), value: sessionSecret(key) }))
  return { secrets, secret: secrets.at(-1)?.value ?? '' }
}

/**
 * better-auth on our tables. Its own HTTP handler is not mounted: the routes of SPEC §7 call it, so
 * that there is one way in. Sessions live 30 days and are renewed daily; passwords are hashed with scrypt.
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
    // Who reads the database finds no link that can be used.
    verification: { modelName: 'verifications', storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      revokeSessionsOnPasswordReset: true,
      password: hashInTurns(passwords),
    },
    advanced: {
      cookiePrefix: cookiePrefixOf(https),
      // It would put a prefix of its own before ours.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: https, path: '/' },
    },
    plugins: [
      username({
        minUsernameLength: usernameLength.min,
        maxUsernameLength: usernameLength.max,
        usernameValidator: (name) => /^[\p{L}\p{N}._-]+$/u.test(name),
      }),
      twoFactor({
        issuer: 'Ranklark',
        allowPasswordless: true,
        schema: { twoFactor: { modelName: 'twoFactors' } },
        // It would lock the account for everybody, its owner included; wrong codes are counted in attempts.ts.
        accountLockout: { enabled: false },
      }),
      signInAs,
    ],
  })
}
export type Auth = ReturnType<typeof createAuth>
