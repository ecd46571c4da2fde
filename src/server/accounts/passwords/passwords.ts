import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PasswordReset } from '../../../contract/account/auth.ts'
import type { PasswordChange } from '../../../contract/account/profile.ts'
import type { AuditedChange } from '../../../contract/audit.ts'
import { recordEvent } from '../../audit/record.ts'
import type { Db } from '../../database/open.ts'
import { isOpen } from '../../database/open-accounts.ts'
import { Refusal } from '../../common/errors.ts'
import type { EventBus } from '../../common/events.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Clock } from '../../platform/clock.ts'
import { networkOf } from '../../platform/network-of.ts'
import type { Addresses } from '../addresses.ts'
import type { Attempts } from '../attempts.ts'
import { type Auth, findPending } from '../auth.ts'
import { authAnswer } from '../auth-answer.ts'
import { type Caller, headersOf } from '../caller.ts'
import type { Exclusively } from '../exclusively.ts'
import { endGrants, endOthers, endOtherSessions } from '../hold-person.ts'
import { removeSignIns } from '../google-sign-ins.ts'
import type { NewToken } from '../session-reader.ts'
import type { StrangerEmailLimits } from '../stranger-email-limits.ts'
import { endSecondFactor, forgetUnconfirmedFactor, voidRecoveryCodes } from '../two-factor/end-factor.ts'
import { hashBefore } from './hash-before.ts'

const linkMs = 3600_000
/**
 * How many accounts claiming one address get a link in the email: accounts used from the requesting network, and all others. Places that
 * one group leaves free go to the other.
 */
const places = { there: 3, elsewhere: 2 }
/** How many of the latest logins show which networks an account is used from. */
const latestLogins = 20

/** The part of a link's token that identifies the address it was emailed to. Tokens are hashed as a whole, so nobody can replace it. */
const markOf = (email: string): string => createHash('sha256').update(email).digest('base64url')

/** The claimants that get a link. */
function chosen<T>(there: readonly T[], elsewhere: readonly T[]): T[] {
  const most = places.there + places.elsewhere
  const kept = Math.max(places.elsewhere, most - there.length)
  const others = elsewhere.slice(0, kept)
  return [...there.slice(0, most - others.length), ...others]
}

export type PasswordsDeps = {
  auth: Auth
  db: Db
  mailer: Mailer
  events: EventBus
  clock: Clock
  addresses: Addresses
  attempts: Attempts
  strangerEmailLimits: StrangerEmailLimits
  exclusively: Exclusively
  baseUrl: () => string
  /** The token of the session that these cookies start. */
  tokenSetBy: (cookies: readonly string[]) => NewToken | null
  /** Enqueues the request, so that response times reveal nothing about the address. */
  enqueueReset: (email: string, network: string, mayWrite: boolean) => Promise<void>
}

export function createPasswords(deps: PasswordsDeps) {
  const { auth, db, mailer, events, clock, addresses, attempts, strangerEmailLimits, exclusively, baseUrl, tokenSetBy, enqueueReset } = deps
  const person = (userId: string) =>
    db
      .selectFrom('users')
      .where('id', '=', userId)
      .select(['id', 'email', 'emailVerified', 'username', 'displayUsername'])
      .executeTakeFirst()
  const nameOf = (user: { username: string | null; displayUsername: string | null }) => user.displayUsername ?? user.username ?? ''

  /**
   * Ends what the old password may have let in: other sessions, trusted browsers, pending links, a prepared second factor and, on request,
   * everything that gives others access.
   */
  async function endOld(userId: string, endAccess: boolean, kept: NewToken | null): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await endOthers(transaction, userId, kept)
      await forgetUnconfirmedFactor(transaction, userId)
      if (!endAccess) return
      await voidRecoveryCodes(transaction, { auth, userId, now: clock.now() })
      await addresses.forgetChange(transaction, userId)
      await endGrants(events, { userId, all: false, transaction })
      await removeSignIns(transaction, userId, clock.now())
    })
  }

  /**
   * Ends everything set up in an account by its creator, who may not own its address. That includes the password, which would let them in
   * once more before it is replaced.
   */
  async function reclaim(userId: string): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await endGrants(events, { userId, all: true, transaction })
      await removeSignIns(transaction, userId, clock.now())
      await endSecondFactor(transaction, userId)
      await transaction.deleteFrom('accounts').where('userId', '=', userId).where('providerId', '=', 'credential').execute()
      await endOtherSessions(transaction, userId, null)
      // Links of its creator that would undo or confirm an address; the one that is being used stays until it is used up.
      await transaction.deleteFrom('verifications').where('userId', '=', userId).where('kind', 'is not', null).execute()
      await recordEvent(transaction, userId, { kind: 'account-reclaimed', details: {} }, clock.now())
    })
  }

  async function announceChange(userId: string): Promise<void> {
    const user = await person(userId)
    if (user) await mailer.send({ kind: 'password-changed', username: nameOf(user) }, { account: user })
  }

  async function resetAlone({ token, password: newPassword, endAccess }: PasswordReset): Promise<void> {
    const pending = await findPending(auth, `reset-password:${token}`)
    const user = pending && (await person(pending.value))
    if (user && !token.endsWith(`.${markOf(user.email)}`))
      throw new Refusal(400, 'This link was sent to an address your account no longer uses.', 'token')
    if (user && !user.emailVerified) await reclaim(user.id)
    await authAnswer(await auth.api.resetPassword({ body: { token, newPassword }, asResponse: true }), z.unknown())
    if (!user) return
    await endOld(user.id, endAccess, null)
    // If another account has confirmed it meanwhile, that one keeps it.
    await addresses.markConfirmed(user.id, user.email).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
    })
    await recordEvent(db, user.id, { kind: 'password-reset', details: {} }, clock.now())
    await announceChange(user.id)
  }

  /** The token of a link to set a new password, for an address's reader. */
  async function linkToken(userId: string, email: string): Promise<string> {
    const token = `${randomBytes(32).toString('base64url')}.${markOf(email)}`
    const context = await auth.$context
    const expiresAt = new Date(Date.now() + linkMs)
    await context.internalAdapter.createVerificationValue({ identifier: `reset-password:${token}`, value: userId, expiresAt })
    return token
  }

  return {
    linkToken,

    /** Does the same whether or not anyone has this address. @throws Refusal 429 */
    async forgot(email: string, caller: Caller): Promise<void> {
      await attempts.countOwn('reset', { account: email, address: caller.address })
      const mayWrite = await strangerEmailLimits.ofAccount('reset', email, caller.address)
      await enqueueReset(email.toLowerCase(), networkOf(caller.address), mayWrite)
    },

    /**
     * Emails, in one message, links for the account that owns the address, or else for some that claim it: those used from the network that
     * asks, so that people get their own, and others, so that a stranger who asks gets theirs emailed too. Those whose last link is the
     * oldest come first: each gets its turn, however many a stranger has made.
     * @param mayWrite whether the reader of an address that nobody has confirmed hasn't had too many from there (stranger-email-limits.ts)
     */
    async sendResetLinks(email: string, network: string | undefined, mayWrite: boolean): Promise<void> {
      const addressesOf = (kind: AuditedChange['kind']) => sql`ARRAY(SELECT address FROM audit_events WHERE user_id = users.id
        AND kind = ${kind} AND address IS NOT NULL ORDER BY audit_events.id DESC LIMIT ${latestLogins})`
      const users = await db
        .selectFrom('users')
        .where('email', '=', email)
        .where(isOpen('users.id'))
        .select(['id', 'email', 'username', 'displayUsername', 'emailVerified'])
        .select(sql<string[]>`${addressesOf('registered')} || ${addressesOf('signed-in')}`.as('addresses'))
        .orderBy(
          sql`(SELECT max(audit_events.id) FROM audit_events WHERE user_id = users.id AND kind = 'password-reset-asked') NULLS FIRST`,
        )
        .orderBy('createdAt')
        .execute()
      const owner = users.find((user) => user.emailVerified)
      const isFromThere = (user: { addresses: string[] }): boolean => user.addresses.some((address) => networkOf(address) === network)
      if (!owner && !mayWrite) return
      const asked = owner
        ? [owner]
        : chosen(
            users.filter(isFromThere),
            users.filter((each) => !isFromThere(each)),
          )
      await db.transaction().execute(async (transaction) => {
        // Whoever closes one of the accounts meanwhile waits; otherwise the link would stay behind.
        const ids = asked.map(({ id }) => id)
        const held = await transaction
          .selectFrom('people')
          .where('userId', 'in', ids.length > 0 ? ids : [''])
          .where('closedAt', 'is', null)
          .select('userId')
          .orderBy('userId')
          .forShare()
          .execute()
        const links: { username: string; link: string }[] = []
        for (const user of asked.filter(({ id }) => held.some(({ userId }) => userId === id))) {
          const token = await linkToken(user.id, user.email)
          await recordEvent(transaction, user.id, { kind: 'password-reset-asked', details: {} }, clock.now())
          links.push({ username: nameOf(user), link: `${baseUrl()}/reset-password?token=${token}` })
        }
        const [first, ...others] = links
        if (!first) return
        const resetEmail = { kind: 'reset-password', to: email, ...first, others, isConfirmed: owner !== undefined } as const
        await mailer.send(resetEmail, { transaction, admitted: true, askedFrom: network })
      })
    },

    /**
     * Sets a new password using the emailed link, which proves that its address is theirs. Ends all sessions, and every trusted browser is
     * asked for the second factor again. An account with an unconfirmed address may have been created by anybody: everything set up in it
     * ends.
     * @throws Refusal 400 for a link that is unknown, used, expired, or went to an address the account no longer has
     */
    async reset(form: PasswordReset): Promise<void> {
      const pending = await findPending(auth, `reset-password:${form.token}`)
      if (!pending) return resetAlone(form)
      const hashed = await hashBefore(auth, pending.value, { next: form.password })
      await exclusively(pending.value, () => resetAlone(form), hashed)
    },

    /**
     * Changes the password of the session's person; ends all their other sessions and trusts no browser anymore.
     * @returns the renewed session's cookies
     * @throws Refusal 403 if the current password is wrong
     */
    async change(userId: string, { currentPassword, newPassword, endAccess }: PasswordChange, caller: Caller): Promise<string[]> {
      const attempt = { account: userId, address: caller.address }
      await attempts.count('password', attempt)
      const body = { currentPassword, newPassword, revokeOtherSessions: true }
      const hashed = await hashBefore(auth, userId, { current: currentPassword, next: newPassword })
      const changedAlone = async () => {
        const answer = await auth.api.changePassword({ body, headers: headersOf(caller), asResponse: true })
        if (answer.status === 400) throw new Refusal(403, 'Your current password is incorrect.', 'currentPassword')
        const changed = await authAnswer(answer, z.unknown())
        await endOld(userId, endAccess, tokenSetBy(changed.cookies))
        return changed.cookies
      }
      const cookies = await exclusively(userId, changedAlone, hashed)
      await attempts.succeeded('password', attempt)
      await recordEvent(db, userId, { kind: 'password-changed', details: {} }, clock.now())
      await announceChange(userId)
      return cookies
    },

    /** Whether this is the person's password; false if they have none. @throws Refusal 429 after too many wrong ones */
    async matches(userId: string, password: string, address: string): Promise<boolean> {
      const attempt = { account: userId, address }
      await attempts.count('password', attempt)
      const context = await auth.$context
      const hash = (await context.internalAdapter.findCredentialAccount(userId))?.password
      const right = typeof hash === 'string' && (await context.password.verify({ hash, password }))
      if (right) await attempts.succeeded('password', attempt)
      return right
    },
  }
}
