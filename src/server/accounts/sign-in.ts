import { z } from 'zod'
import type { LoginForm, TwoFactorCode } from '../../contract/account.ts'
import { recordEvent, recordFailedSignIn } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Attempts } from './attempts.ts'
import { type Auth, sessionSeconds } from './auth.ts'
import { authAnswer } from './auth-answer.ts'
import { type Caller, headersOf } from './caller.ts'
import { signedToken, signedTokenSet } from './session-reader.ts'
import { mustBeReadable } from './two-factor/two-factor.ts'

/** A signed-in person, or one who is asked for the second factor (`userId` null), and the cookies that make it so. */
export type SignIn = { userId: string | null; cookies: string[] }

const signedIn = z.union([z.object({ user: z.object({ id: z.string() }) }), z.object({ twoFactorRedirect: z.literal(true) })])
const isSecondFactorCookie = (name: string): boolean => name.endsWith('.two_factor') || name.endsWith('.trust_device')

/** Of one account at a time; beyond, the oldest ends. */
const mostSessions = 100

export type SignInDeps = {
  auth: Auth
  db: Db
  clock: Clock
  secret: string
  sessionCookie: string
  secondFactorCookie: string
  attempts: Attempts
}

/** Coming in and going out. */
export function createSignIn({ auth, db, clock, secret, sessionCookie, secondFactorCookie, attempts }: SignInDeps) {
  async function noteSignedIn(userId: string, how: 'password' | 'google' | 'code' | 'recovery-code'): Promise<void> {
    await recordEvent(db, userId, { kind: 'signed-in', details: { with: how } }, clock.now())
    // A program that logs in for every request leaves no list that its owner cannot read to the end.
    const ofTheirs = db.selectFrom('sessions').where('userId', '=', userId)
    await db
      .deleteFrom('sessions')
      .where('userId', '=', userId)
      .where('id', 'in', ofTheirs.select('id').orderBy('createdAt', 'desc').offset(mostSessions).limit(mostSessions))
      .execute()
  }

  async function finish(answer: Response): Promise<SignIn> {
    const { body, cookies } = await authAnswer(answer, signedIn)
    return { userId: 'user' in body ? body.user.id : null, cookies }
  }

  /** The account behind what somebody typed (a username, or a confirmed email address) and the hash of its password. */
  async function accountOf(typed: string) {
    const name = typed.toLowerCase()
    // PostgreSQL refuses to be asked about some of them.
    if (/\p{Cc}/u.test(name)) return undefined
    return db
      .selectFrom('users')
      .innerJoin('accounts', (join) => join.onRef('accounts.userId', '=', 'users.id').on('accounts.providerId', '=', 'credential'))
      .where((eb) => eb.or([eb('users.username', '=', name), eb.and([eb('users.email', '=', name), eb('users.emailVerified', '=', true)])]))
      .innerJoin('people', (join) => join.onRef('people.userId', '=', 'users.id').on('people.closedAt', 'is', null))
      .select(['users.id', 'users.username', 'accounts.password as hash'])
      .executeTakeFirst()
  }

  /** Ends the session that these cookies would have opened. */
  async function endBegun(cookies: readonly string[]): Promise<void> {
    const token = signedTokenSet(cookies, sessionCookie, secret)
    if (token !== null) await db.deleteFrom('sessions').where('token', '=', token).execute()
  }

  /**
   * A password that was replaced while it was being checked lets nobody in. The new one is stored before sessions are ended, so
   * whatever is begun too late to be ended finds it here.
   * @throws Refusal 401
   */
  async function mustStillHold({ id, hash }: { id: string; hash: string | null }, cookies: readonly string[]): Promise<void> {
    const credential = db.selectFrom('accounts').where('userId', '=', id).where('providerId', '=', 'credential').select('password')
    if ((await credential.executeTakeFirst())?.password === hash) return
    await endBegun(cookies)
    await db.deleteFrom('verifications').where('value', '=', id).execute()
    throw new Refusal(401, 'Invalid username or password')
  }

  /** Who has shown their password, or Google account, and is asked for the second factor. */
  async function halfSignedIn(caller: Caller): Promise<string | null> {
    const challenge = signedToken(caller.cookies ?? '', secondFactorCookie, secret)
    if (challenge === null) return null
    const context = await auth.$context
    return (await context.internalAdapter.findVerificationValue(challenge))?.value ?? null
  }

  /** Google decides by itself what it asks for, which proves less than a password: where there is one, it is asked for when it matters. */
  async function beginUnproven(userId: string, cookies: readonly string[]): Promise<void> {
    const token = signedTokenSet(cookies, sessionCookie, secret)
    const credential = db.selectFrom('accounts').where('userId', '=', userId).where('providerId', '=', 'credential').select('id')
    if (token === null || !(await credential.executeTakeFirst())) return
    await db
      .updateTable('sessions')
      .set({ provenAt: new Date(0) })
      .where('token', '=', token)
      .execute()
  }

  /** A new login leaves no session of this browser behind. */
  async function logout(caller: Caller): Promise<string[]> {
    const answer = await auth.api.signOut({ headers: headersOf(caller), asResponse: true })
    return answer.headers.getSetCookie()
  }

  return {
    /** @throws Refusal 401 that does not tell whether the name exists, by its words or by the time it takes; 429 */
    async login(form: LoginForm, caller: Caller): Promise<SignIn> {
      // By what was typed, a name or an address: counted together they would tell a stranger that both are of one account.
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
     * The second step: the app's six digits, or a recovery code, each of which works once.
     * @throws Refusal 401 for a wrong code or a login begun too long ago, 429 after too many
     */
    async secondFactor({ code, trustDevice }: TwoFactorCode, caller: Caller): Promise<SignIn> {
      const headers = headersOf(caller, isSecondFactorCookie)
      const typed = code.replaceAll(' ', '')
      const call = { body: { code: typed, trustDevice }, headers, asResponse: true } as const
      const isCode = /^\d{6}$/.test(typed)
      const who = await halfSignedIn(caller)
      if (who === null) throw new Refusal(401, 'Your login has expired. Please log in again.', 'login')
      const attempt = { account: who, address: caller.address }
      await attempts.count('code', attempt)
      await mustBeReadable(auth, db, who)
      const answer = isCode ? await auth.api.verifyTOTP(call) : await auth.api.verifyBackupCode(call)
      if (!answer.ok) await recordEvent(db, who, { kind: 'sign-in-failed', details: { at: 'code' } }, clock.now())
      const signIn = await finish(answer)
      if (isCode && !(await attempts.isNewCode(who, typed))) {
        await endBegun(signIn.cookies)
        throw new Refusal(401, 'This code was already used. Log in again with the next one your app shows.', 'login')
      }
      if (signIn.userId !== null) await attempts.succeeded('code', attempt)
      if (signIn.userId !== null) await noteSignedIn(signIn.userId, isCode ? 'code' : 'recovery-code')
      await logout(caller)
      return signIn
    },

    /** Signs in a person whose identity was proven elsewhere; their second factor is asked for all the same. */
    async signInAs(userId: string, caller: Caller, proof: 'registration' | 'google'): Promise<SignIn> {
      const signIn = await finish(await auth.api.signInAs({ body: { userId }, headers: headersOf(caller), asResponse: true }))
      if (signIn.userId !== null) {
        // Who has just registered is told that they did.
        if (proof === 'google') {
          await noteSignedIn(signIn.userId, 'google')
          await beginUnproven(signIn.userId, signIn.cookies)
        }
        await logout(caller)
      }
      return signIn
    },

    /** Ends the session of this browser; answers the cookies that clear it. */
    logout,

    /** Prolongs a session that is in use, once a day; answers the cookies to send, if any. */
    async renew(caller: Caller, expiresAt: Date): Promise<string[]> {
      const age = sessionSeconds.lives * 1_000 - (expiresAt.getTime() - Date.now())
      // better-auth would find the same, for a millisecond of processor time.
      if (age < sessionSeconds.renewedAfter * 1_000) return []
      const answer = await auth.api.getSession({ headers: headersOf(caller), asResponse: true })
      return answer.headers.getSetCookie()
    },
  }
}
