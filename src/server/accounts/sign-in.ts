import { z } from 'zod'
import type { LoginForm, TwoFactorCode } from '../../contract/account/auth.ts'
import { recordEvent, recordFailedSignIn } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Attempts } from './attempts.ts'
import { type Auth, findPending, sessionSeconds } from './auth.ts'
import { authAnswer } from './auth-answer.ts'
import { type Caller, headersOf } from './caller.ts'
import { type NewToken, signedToken, signedTokenSet } from './session-reader.ts'
import type { Exclusively } from './exclusively.ts'
import { isSecondFactorCookie, mustBeReadable } from './two-factor/two-factor.ts'

/** A signed-in person, or one who still needs the second factor (`userId` null), and the corresponding cookies. */
export type SignIn = { userId: string | null; cookies: string[] }

const signedIn = z.union([z.object({ user: z.object({ id: z.string() }) }), z.object({ twoFactorRedirect: z.literal(true) })])

const expired = () => new Refusal(401, 'Your login has expired. Please log in again.', 'login')

type CheckedAccount = { id: string; hash: string | null; twoFactorEnabled: boolean | null; sessionsVersion: number }

/** Per account; beyond, the oldest one ends. */
const mostSessions = 100

/** Maximum number of browsers that an account trusts, each for thirty days; one more ends the oldest. */
export const mostTrustedBrowsers = 20
/** Nothing else with an account's ID as its value is valid this long. */
const longerThanLoginsMs = 24 * 3600_000

export type SignInDeps = {
  auth: Auth
  db: Db
  clock: Clock
  secret: string
  /** The token of the session that these cookies start. */
  tokenSetBy: (cookies: readonly string[]) => NewToken | null
  secondFactorCookie: string
  attempts: Attempts
  exclusively: Exclusively
}

/** Logging in and out. */
export function createSignIn({ auth, db, clock, secret, tokenSetBy, secondFactorCookie, attempts, exclusively }: SignInDeps) {
  async function noteSignedIn(userId: string, how: 'password' | 'google' | 'code' | 'recovery-code'): Promise<void> {
    await recordEvent(db, userId, { kind: 'signed-in', details: { with: how } }, clock.now())
    // A program that logs in for every request must not leave a list too long for its owner to read.
    const ofTheirs = db.selectFrom('sessions').where('userId', '=', userId)
    await db
      .deleteFrom('sessions')
      .where('userId', '=', userId)
      .where('id', 'in', ofTheirs.select('id').orderBy('createdAt', 'desc').offset(mostSessions).limit(mostSessions))
      .execute()
  }

  async function endOldestTrusted(userId: string): Promise<void> {
    const trusted = db
      .selectFrom('verifications')
      .where('value', '=', userId)
      .where('expiresAt', '>', new Date(Date.now() + longerThanLoginsMs))
    await db
      .deleteFrom('verifications')
      .where('id', 'in', trusted.select('id').orderBy('createdAt', 'desc').offset(mostTrustedBrowsers))
      .execute()
  }

  async function finish(answer: Response): Promise<SignIn> {
    const { body, cookies } = await authAnswer(answer, signedIn)
    return { userId: 'user' in body ? body.user.id : null, cookies }
  }

  /** The account behind typed input (a username, or a confirmed email address) and the hash of its password. */
  async function accountOf(typed: string) {
    const name = typed.toLowerCase()
    // PostgreSQL refuses queries with some of them.
    if (/\p{Cc}/u.test(name)) return undefined
    return db
      .selectFrom('users')
      .innerJoin('accounts', (join) => join.onRef('accounts.userId', '=', 'users.id').on('accounts.providerId', '=', 'credential'))
      .where((eb) => eb.or([eb('users.username', '=', name), eb.and([eb('users.email', '=', name), eb('users.emailVerified', '=', true)])]))
      .innerJoin('people', (join) => join.onRef('people.userId', '=', 'users.id').on('people.closedAt', 'is', null))
      .select(['users.id', 'users.username', 'users.twoFactorEnabled', 'accounts.password as hash', 'people.sessionsVersion'])
      .executeTakeFirst()
  }

  /** Ends the session that these cookies would have started. */
  async function endBegun(cookies: readonly string[]): Promise<void> {
    const token = tokenSetBy(cookies)
    if (token !== null) await db.deleteFrom('sessions').where('token', '=', token).execute()
  }

  /** Ends a login, just begun or in progress, that is no longer allowed. */
  async function takeBack(userId: string, cookies: readonly string[]): Promise<void> {
    await endBegun(cookies)
    await db.deleteFrom('verifications').where('value', '=', userId).execute()
  }

  /**
   * A password that was replaced while it was being checked lets nobody in, nor does one that now requires a second step. Both changes are
   * stored before they end sessions, so this catches a session that began too late to be ended.
   * @throws Refusal 401
   */
  async function mustStillHold({ id, hash, twoFactorEnabled, sessionsVersion }: CheckedAccount, cookies: readonly string[]): Promise<void> {
    const wrong = new Refusal(401, 'Invalid username or password')
    await mustNotHaveEnded(id, sessionsVersion, cookies, wrong)
    const now = await db
      .selectFrom('users')
      .leftJoin('accounts', (join) => join.onRef('accounts.userId', '=', 'users.id').on('accounts.providerId', '=', 'credential'))
      .where('users.id', '=', id)
      .select(['users.twoFactorEnabled', 'accounts.password'])
      .executeTakeFirst()
    if (now?.password === hash && now.twoFactorEnabled === twoFactorEnabled) return
    await takeBack(id, cookies)
    throw wrong
  }

  const people = (userId: string) =>
    db.selectFrom('people').where('userId', '=', userId).where('closedAt', 'is', null).select('sessionsVersion')

  /** How often the account's other sessions were ended before a login began. */
  const versionOf = async (userId: string): Promise<number | null> => (await people(userId).executeTakeFirst())?.sessionsVersion ?? null

  /**
   * A login that began before the account's other sessions were ended ends with them, and so does a trusted browser that it renewed. Waits
   * for whoever is ending them.
   * @throws Refusal 401
   */
  async function mustNotHaveEnded(userId: string, before: number | null, cookies: readonly string[], refusal = expired()): Promise<void> {
    const now = await people(userId).forShare().executeTakeFirst()
    if (now?.sessionsVersion === before) return
    await takeBack(userId, cookies)
    throw refusal
  }

  /** The person who passed the password or Google login and still needs the second factor. */
  async function halfSignedIn(caller: Caller): Promise<string | null> {
    const challenge = signedToken(caller.cookies ?? '', secondFactorCookie, secret)
    if (challenge === null) return null
    return (await findPending(auth, challenge))?.value ?? null
  }

  /** Google decides for itself what to ask for, which proves less than a password: if there is one, it is requested when it matters. */
  async function beginUnproven(userId: string, cookies: readonly string[]): Promise<void> {
    const token = tokenSetBy(cookies)
    const credential = db.selectFrom('accounts').where('userId', '=', userId).where('providerId', '=', 'credential').select('id')
    if (token === null || !(await credential.executeTakeFirst())) return
    await db
      .updateTable('sessions')
      .set({ provenAt: new Date(0) })
      .where('token', '=', token)
      .execute()
  }

  const googleFirst = (challenge: string): string => `google-first:${challenge}`

  /** Remembers that a login which needs a second step began at Google. */
  async function noteGoogle(userId: string, cookies: readonly string[]): Promise<void> {
    const challenge = signedTokenSet(cookies, secondFactorCookie, secret)
    const { internalAdapter } = await auth.$context
    const pending = challenge === null ? null : await findPending(auth, challenge)
    if (challenge === null || !pending) throw new Error('A login with a second step has no challenge')
    await internalAdapter.createVerificationValue({ identifier: googleFirst(challenge), value: userId, expiresAt: pending.expiresAt })
  }

  async function beganAtGoogle(caller: Caller): Promise<boolean> {
    const challenge = signedToken(caller.cookies ?? '', secondFactorCookie, secret)
    return challenge !== null && (await findPending(auth, googleFirst(challenge))) !== null
  }

  /** A new login leaves no other session in this browser. */
  async function logout(caller: Caller): Promise<string[]> {
    const answer = await auth.api.signOut({ headers: headersOf(caller), asResponse: true })
    return answer.headers.getSetCookie()
  }

  return {
    /** @throws Refusal 401 that doesn't reveal whether the name exists, by wording or timing; 429 */
    async login(form: LoginForm, caller: Caller): Promise<SignIn> {
      // By what was typed, a name or an address: a shared count would reveal to strangers that both belong to one account.
      const attempt = { account: form.username, address: caller.address }
      await attempts.count('login', attempt)
      const account = await accountOf(form.username)
      const username = account?.username
      if (!account || typeof username !== 'string') {
        const context = await auth.$context
        await context.password.hash(form.password)
        await recordFailedSignIn(db, null, clock.now())
        throw new Refusal(401, 'Invalid username or password')
      }
      const answer = await auth.api.signInUsername({
        body: { username, password: form.password },
        headers: headersOf(caller),
        asResponse: true,
      })
      if (!answer.ok) {
        await recordFailedSignIn(db, username, clock.now())
        throw new Refusal(401, 'Invalid username or password')
      }
      await attempts.succeeded('login', attempt)
      const signIn = await finish(answer)
      await mustStillHold(account, signIn.cookies)
      if (signIn.userId !== null) {
        await noteSignedIn(signIn.userId, 'password')
        await logout(caller)
      }
      return signIn
    },

    /**
     * The second step: the app's six digits, or a recovery code, each valid once.
     * @throws Refusal 401 for a wrong code or a login begun too long ago, 429 after too many
     */
    async secondFactor({ code, trustDevice }: TwoFactorCode, caller: Caller): Promise<SignIn> {
      const headers = headersOf(caller, isSecondFactorCookie)
      const typed = code.replaceAll(' ', '')
      const call = { body: { code: typed, trustDevice }, headers, asResponse: true } as const
      const isCode = /^\d{6}$/.test(typed)
      const who = await halfSignedIn(caller)
      if (who === null) throw expired()
      const attempt = { account: who, address: caller.address }
      await attempts.count('code', attempt)
      await mustBeReadable(auth, db, who)
      const version = await versionOf(who)
      const isFromGoogle = await beganAtGoogle(caller)
      // A reset of the password ends logins in progress: none of them may be completed while it does.
      const answer = await exclusively(who, () => (isCode ? auth.api.verifyTOTP(call) : auth.api.verifyBackupCode(call)))
      if (!answer.ok) await recordEvent(db, who, { kind: 'sign-in-failed', details: { at: 'code' } }, clock.now())
      const signIn = await finish(answer)
      await mustNotHaveEnded(who, version, signIn.cookies)
      if (isCode && !(await attempts.isNewCode(who, typed))) {
        await endBegun(signIn.cookies)
        throw new Refusal(401, 'This code was already used. Log in again with the next one your app shows.', 'login')
      }
      if (signIn.userId !== null && trustDevice) await endOldestTrusted(signIn.userId)
      if (signIn.userId !== null) await attempts.succeeded('code', attempt)
      if (signIn.userId !== null) await noteSignedIn(signIn.userId, isCode ? 'code' : 'recovery-code')
      if (signIn.userId !== null && isFromGoogle) await beginUnproven(signIn.userId, signIn.cookies)
      await logout(caller)
      return signIn
    },

    /**
     * Signs in a person whose identity was proven elsewhere; the second factor is still required.
     * @throws Refusal 401 if the account's other sessions were ended meanwhile
     */
    async signInAs(userId: string, caller: Caller, proof: 'registration' | 'google'): Promise<SignIn> {
      const version = await versionOf(userId)
      const signIn = await finish(await auth.api.signInAs({ body: { userId }, headers: headersOf(caller), asResponse: true }))
      await mustNotHaveEnded(userId, version, signIn.cookies)
      if (signIn.userId !== null) {
        // A registration has an activity event of its own.
        if (proof === 'google') {
          await noteSignedIn(signIn.userId, 'google')
          await beginUnproven(signIn.userId, signIn.cookies)
        }
        await logout(caller)
      } else if (proof === 'google') await noteGoogle(userId, signIn.cookies)
      return signIn
    },

    takeBack,

    /** Ends this browser's session; returns the cookies that clear it. */
    logout,

    /** Extends an active session once a day; returns the cookies to set, if any. */
    async renew(caller: Caller, expiresAt: Date): Promise<string[]> {
      const age = sessionSeconds.lives * 1_000 - (expiresAt.getTime() - Date.now())
      // better-auth would conclude the same, for a millisecond of CPU time.
      if (age < sessionSeconds.renewedAfter * 1_000) return []
      const answer = await auth.api.getSession({ headers: headersOf(caller), asResponse: true })
      return answer.headers.getSetCookie()
    },
  }
}
