import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { SignedInAt } from '../../contract/account/profile.ts'
import type { AuditedChange } from '../../contract/audit.ts'
import type { Notice } from '../../contract/user.ts'
import type { Offer } from '../../core/billing/offer.ts'
import { recordEvent } from '../audit/record.ts'
import { createLocks } from '../database/locks.ts'
import type { Db } from '../database/open.ts'
import type { EventBus } from '../common/events.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Operators } from '../mail/operators.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { createAddresses } from './addresses.ts'
import { createAttempts } from './attempts.ts'
import type { Auth } from './auth.ts'
import { type Caller, cookieNameOf, headersOf } from './caller.ts'
import { createGoogleSignIns } from './google-sign-ins.ts'
import { createStrangerEmailLimits } from './stranger-email-limits.ts'
import { createPasswords } from './passwords/passwords.ts'
import { type Person, personById, type SessionPerson } from './person.ts'
import { endOthers, replaceToken } from './hold-person.ts'
import { createProfile } from './profile.ts'
import { createProof } from './proof.ts'
import { createRegistration } from './registration.ts'
import { createExclusively, exclusivePlaces } from './exclusively.ts'
import { createSessionReader, headerOf, type NewToken, signedToken, signedTokenSet } from './session-reader.ts'
import { createSignIn } from './sign-in.ts'
import { createTwoFactor } from './two-factor/two-factor.ts'

export type { Person, ReportProperty, SessionPerson } from './person.ts'
export { holdPerson, type Requester } from './hold-person.ts'
export { forgetEmailCounts } from './stranger-email-limits.ts'
export { findByName } from './find-by-name.ts'
export { resetTwoFactor } from './two-factor/reset-two-factor.ts'
export { serve } from './serve.ts'
export { type Caller, callerOf, cookieNameOf, cookiesOf, setCookies } from './caller.ts'

export type AccountsDeps = {
  auth: Auth
  db: Db
  pool: pg.Pool
  offer: Offer
  secret: string
  clock: Clock
  mailer: Mailer
  events: EventBus
  /** The base URL of links in emails, without a trailing slash. */
  baseUrl: () => string
  /** Whoever runs this installation; others may not use their names. */
  operators: Operators
  /** Whether stand-ins vouch for people's identity here. */
  demo: boolean
  enqueueReset: (email: string, network: string, mayWrite: boolean) => Promise<void>
  log: Log
  /** Maximum number of emails a day to people who haven't agreed to any. */
  asksADay: number
}

export function createAccountsService(deps: AccountsDeps) {
  const { auth, db, pool, secret, offer, clock } = deps
  const https = deps.baseUrl().startsWith('https://')
  const sessionCookie = cookieNameOf('session_token', https)
  const sessionOf = createSessionReader({ pool, secret, cookieName: sessionCookie, offer, now: clock.now })
  const attempts = createAttempts(pool)
  const exclusively = createExclusively(createLocks(db, exclusivePlaces))
  const strangerEmailLimits = createStrangerEmailLimits({ ...deps, attempts })
  const addresses = createAddresses({ ...deps, attempts, strangerEmailLimits, exclusively })
  const tokenSetBy = (cookies: readonly string[]) => signedTokenSet(cookies, sessionCookie, secret)
  const passwords = createPasswords({ ...deps, addresses, attempts, strangerEmailLimits, exclusively, tokenSetBy })
  const tokenOf = (caller: Caller) => signedToken(caller.cookies ?? '', sessionCookie, secret)
  const cookiesOf = async (token: NewToken, caller: Caller): Promise<string[]> =>
    (await auth.api.keepSignedIn({ body: { token }, headers: headersOf(caller), asResponse: true })).headers.getSetCookie()

  return {
    /** The sender of this cookie header; null for a visitor. */
    readSession: async (cookieHeader: string | undefined): Promise<Person | null> => (await sessionOf(cookieHeader))?.person ?? null,
    /** Same, plus when it expires. */
    sessionOf,
    /** The session that these cookies start. */
    sessionBegunBy: (cookies: readonly string[]): Promise<SessionPerson | null> => sessionOf(headerOf(cookies)),
    /** Tells the caller's session from others without being of use to anybody; null without one. */
    sessionMark(caller: Caller): string | null {
      const token = tokenOf(caller)
      return token === null ? null : createHash('sha256').update(token).digest('base64url')
    },
    person: (userId: string): Promise<Person | null> => personById(pool, userId, offer),

    ...createSignIn({ ...deps, tokenSetBy, secondFactorCookie: cookieNameOf('two_factor', https), attempts, exclusively }),
    ...createRegistration({ ...deps, addresses, attempts, strangerEmailLimits }),
    /** Records for the person what happened to their account (`GET /api/audit-log`). */
    note: (userId: string, change: AuditedChange): Promise<void> => recordEvent(db, userId, change, clock.now()),

    googleSignIns: createGoogleSignIns({ ...deps, exclusively, tokenOf, cookiesOf }),
    addresses,
    attempts,
    strangerEmailLimits,
    passwords,
    proof: createProof({ db, passwords, tokenOf }),
    profile: createProfile({ ...deps, addresses, attempts }),
    twoFactor: createTwoFactor({ auth, db, exclusively, tokenOf, tokenSetBy, cookiesOf }),

    async dismissNotice(userId: string, notice: Notice): Promise<void> {
      const dismissed = db.updateTable('notices').set({ dismissedAt: clock.now() })
      await dismissed.where('userId', '=', userId).where('notice', '=', notice).where('dismissedAt', 'is', null).execute()
    },

    /** A person's sessions, the caller's own browser first, then the latest. */
    async sessionsOf(userId: string, caller: Caller): Promise<SignedInAt[]> {
      const own = tokenOf(caller)
      const rows = await db
        .selectFrom('sessions')
        .where('userId', '=', userId)
        .where('expiresAt', '>', clock.now())
        .select(['token', 'userAgent', 'ipAddress', 'createdAt'])
        .orderBy('createdAt', 'desc')
        .execute()
      const list = rows.map(({ token, userAgent, ipAddress, createdAt }) => ({
        current: token === own,
        userAgent: userAgent || null,
        ipAddress: ipAddress || null,
        signedInAt: createdAt.toISOString(),
      }))
      return list.toSorted((a, b) => Number(b.current) - Number(a.current))
    },

    /**
     * Ends all trusted browsers, logins in progress and sessions of the person, except the caller's own session. A change of the password
     * or second factor that is still under way begins a session: that one ends too, or the change finds that its own has ended.
     * @returns the renewed session's cookies
     */
    endOtherSessions: (person: Person, caller: Caller): Promise<string[]> =>
      exclusively(person.id, async () => {
        const token = await db.transaction().execute(async (trx) => {
          const renewed = await replaceToken(trx, person, tokenOf(caller))
          const ended = await endOthers(trx, person.id, renewed)
          if (ended) await recordEvent(trx, person.id, { kind: 'sessions-ended', details: {} }, clock.now())
          return renewed
        })
        return cookiesOf(token, caller)
      }),
  }
}
export type AccountsService = ReturnType<typeof createAccountsService>
