import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { recordEvent } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import { isUniqueViolation } from '../database/unique-violation.ts'
import { Refusal } from '../common/errors.ts'
import type { EventBus } from '../common/events.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Clock } from '../platform/clock.ts'
import type { Exclusively } from './exclusively.ts'
import type { Attempts } from './attempts.ts'
import { type Auth, findPending } from './auth.ts'
import { endGrants, endOthers, holdPerson, type Requester } from './hold-person.ts'
import { removeSignIns } from './google-sign-ins.ts'
import { forgetEmailCounts, type StrangerEmailLimits, type MayWrite } from './stranger-email-limits.ts'
import type { Person } from './person.ts'
import { endSecondFactorSince } from './two-factor/end-factor.ts'

const linkMs = 24 * 3600_000
const undoMs = 7 * linkMs
const linkIsOver = () => new Refusal(400, 'This link has expired or was already used.', 'token')
const claim = z.object({ userId: z.string(), email: z.string() })

export type AddressesDeps = {
  auth: Auth
  db: Db
  mailer: Mailer
  events: EventBus
  clock: Clock
  attempts: Attempts
  strangerEmailLimits: StrangerEmailLimits
  exclusively: Exclusively
  baseUrl: () => string
}

/**
 * Who owns an email address. Anyone may claim one; it belongs to the account that opened the link sent to it. We reveal to nobody whether
 * an address has an account here: the response is the same, and the details are emailed to the address itself (docs/decisions/0016).
 */
export function createAddresses({ auth, db, mailer, events, clock, attempts, strangerEmailLimits, exclusively, baseUrl }: AddressesDeps) {
  const owner = (email: string) =>
    db.selectFrom('users').where('email', '=', email).where('emailVerified', '=', true).select(['id', 'username']).executeTakeFirst()

  /** The token of an emailed link; it works once. */
  async function linkToken(kind: 'confirm-address' | 'undo-address', about: z.infer<typeof claim>, ms: number): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    const context = await auth.$context
    await context.internalAdapter.createVerificationValue({
      identifier: `${kind}:${token}`,
      value: JSON.stringify({ kind, ...about }),
      expiresAt: new Date(Date.now() + ms),
    })
    return token
  }

  return {
    /**
     * Counts an email that an account sends to an address, before anything is done.
     * @param from the requester's network address
     * @returns whether it may go to an address that nobody has confirmed
     * @throws Refusal 429
     */
    async countEmail(userId: string, email: string, from: string): Promise<MayWrite> {
      await attempts.count('confirm', { account: userId, address: from })
      await attempts.countOwn('confirmReached', { account: email, address: from })
      return strangerEmailLimits.ofAccount('confirmReached', email, from)
    },

    /**
     * The link for the owner of an account's address to undo its change, or a second factor turned on, for seven days. Null while another
     * address has one: the right to undo belongs to whoever had the account before, and a thief's own link would undo the owner's recovery.
     */
    async undoLink({ id, email }: Person): Promise<string | null> {
      const links = await undoLinks(db, id)
      if (links.some((link) => link.email !== email)) return null
      return `${baseUrl()}/undo-email?token=${await linkToken('undo-address', { userId: id, email }, undoMs)}`
    },

    /**
     * Makes an address the account's claimed one; reset links sent to the previous one become invalid.
     * @throws Refusal 409 if the previous one was confirmed or replaced meanwhile: then the change needs its confirmation
     */
    async claim(trx: Db, { id, email: from }: Person, to: string): Promise<void> {
      const { numUpdatedRows } = await trx
        .updateTable('users')
        .set({ email: to, emailVerified: false, updatedAt: new Date() })
        .where('id', '=', id)
        .where('email', '=', from)
        .where('emailVerified', '=', false)
        .executeTakeFirst()
      if (numUpdatedRows === 0n)
        throw new Refusal(409, 'Your email address has since been changed or confirmed. Reload this page.', 'email')
      await trx.deleteFrom('verifications').where('value', '=', id).execute()
      await recordEvent(trx, id, { kind: 'address-changed', details: { from, to } }, clock.now())
    },

    /**
     * Makes an address replace the confirmed one once it is confirmed too. The current one gets an email with the undo link, if it has the
     * right to one: the requester may not be the owner.
     */
    async askForChange(trx: Db, person: Person, to: string, link: string | null): Promise<void> {
      const { id, username } = person
      const pendingEmailUntil = sql<Date>`now() + interval '24 hours'`
      await trx.updateTable('people').set({ pendingEmail: to, pendingEmailUntil }).where('userId', '=', id).execute()
      await recordEvent(trx, id, { kind: 'address-change-asked', details: { to } }, clock.now())
      await mailer.send({ kind: 'address-changed', username, newAddress: to, link }, { account: person, transaction: trx })
    },

    /** The current address stays, and the email to the other one no longer confirms anything. */
    forgetChange: forgetPending,

    /**
     * Emails the address that an account claims or requested: a link that confirms it, or a notice that it already has an account.
     * @param mayWrite whether its reader, if nobody has confirmed it, hasn't had too many from there (stranger-email-limits.ts)
     */
    async writeTo(userId: string, mayWrite: MayWrite): Promise<void> {
      const user = await db
        .selectFrom('users')
        .innerJoin('people', 'people.userId', 'users.id')
        .where('users.id', '=', userId)
        .select(['username', 'displayUsername', 'email', 'emailVerified'])
        .select(pendingEmail.as('pendingEmail'))
        .executeTakeFirst()
      const to = user?.pendingEmail ?? (user?.emailVerified ? undefined : user?.email)
      if (!user || to === undefined) return
      const username = user.displayUsername ?? user.username ?? ''
      const existing = await owner(to)
      // Made in both cases: the work must not show whether the address has an account.
      const token = await linkToken('confirm-address', { userId, email: to }, linkMs)
      await mailer.send(
        existing
          ? { kind: 'address-taken', to, username: existing.username ?? '' }
          : { kind: 'confirm-address', to, username, link: `${baseUrl()}/verify-email?token=${token}` },
        // Queued in any case, for the same reason.
        { admitted: existing !== undefined || mayWrite },
      )
    },

    /**
     * Handles the link opened by somebody logged in to the account: the address is this account's. The link alone isn't enough: the
     * address's reader may not have created the account, and would confirm it with a stranger's password.
     * @throws Refusal 400 for a link that is unknown, used, expired or about an address changed since; 401 if the session ended; 403 for
     * another account's; 409 if another account was faster
     */
    async confirm(person: Requester, token: string): Promise<string> {
      const userId = person.id
      const isOver = () => new Refusal(400, 'This link has expired or was already used. Request a new one under Profile.', 'token')
      const stored = await findPending(auth, `confirm-address:${token}`)
      if (!stored) throw isOver()
      const about = claim.parse(JSON.parse(stored.value))
      if (about.userId !== userId) {
        throw new Refusal(403, 'This link is for another account. Log in to that account and open the link again.', 'token')
      }
      const { email } = about
      const isConfirmed = await db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        const [used] = await trx.deleteFrom('verifications').where('id', '=', stored.id).returning('id').execute()
        if (!used) throw isOver()
        if (await takeOver(trx, userId, email, clock.now())) return true
        const done = await markConfirmed(trx, userId, email)
        if (done) await recordEvent(trx, userId, { kind: 'address-confirmed', details: { address: email } }, clock.now())
        return done
      })
      if (!isConfirmed) {
        throw new Refusal(400, "Your account's address has changed since this email was sent.", 'token')
      }
      await events.emit('addressChanged', { userId })
      return email
    },

    /**
     * The address's owner didn't want the change, or the second factor: the account gets that address back, and everything ends that
     * somebody else may have: sessions, password, Google logins, a second factor turned on since or shortly before, an older one's recovery
     * codes, keys, shared links, alert destinations. Later links undo nothing, or an interim holder of the account could take it back. The
     * address that is displaced gets a notice.
     * @returns whose account it is, for a new password
     * @throws Refusal 400 for a link that is unknown, used or expired; 409 if the address belongs to another account by now
     */
    async undo(token: string): Promise<z.infer<typeof claim>> {
      const stored = await findPending(auth, `undo-address:${token}`)
      if (!stored) throw linkIsOver()
      const { userId, email } = claim.parse(JSON.parse(stored.value))
      const undone = () =>
        db.transaction().execute(async (trx) => {
          // The link is used up only if all of this succeeds.
          const [used] = await trx.deleteFrom('verifications').where('id', '=', stored.id).returning('id').execute()
          if (!used) throw linkIsOver()
          await forgetPending(trx, userId)
          const displaced = await trx
            .selectFrom('users')
            .where('id', '=', userId)
            .select(['email', 'emailVerified', 'username', 'displayUsername'])
            .executeTakeFirst()
          await settled(
            trx.updateTable('users').set({ email, emailVerified: true, updatedAt: new Date() }).where('id', '=', userId).execute(),
          )
          await endOthers(trx, userId, null)
          const since = new Date(stored.createdAt.getTime() - undoMs)
          const hadFactor = await endSecondFactorSince(trx, since, { auth, userId, now: clock.now() })
          await removeSignIns(trx, userId, clock.now())
          await endGrants(events, { userId, all: false, transaction: trx })
          await trx.deleteFrom('accounts').where('userId', '=', userId).where('providerId', '=', 'credential').execute()
          await trx
            .deleteFrom('verifications')
            .where('userId', '=', userId)
            .where((eb) => eb.or([eb('kind', 'is', null), eb('createdAt', '>', stored.createdAt)]))
            .execute()
          if (hadFactor) await recordEvent(trx, userId, { kind: 'two-factor-off', details: {} }, clock.now())
          if (!hadFactor || displaced?.email !== email)
            await recordEvent(trx, userId, { kind: 'address-change-undone', details: { address: email } }, clock.now())
          if (!displaced || displaced.email === email) return
          const username = displaced.displayUsername ?? displaced.username ?? ''
          await mailer.send({ kind: 'address-restored', username, restored: email }, { account: displaced, transaction: trx })
        })
      await exclusively(userId, undone)
      await events.emit('addressChanged', { userId })
      return { userId, email }
    },

    /** Somebody proved in another way that they read an address's email. */
    async markConfirmed(userId: string, email: string): Promise<void> {
      if (await markConfirmed(db, userId, email)) await events.emit('addressChanged', { userId })
    },
  }
}
export type Addresses = ReturnType<typeof createAddresses>

/** The address waiting for confirmation, while it can be confirmed. */
const pendingEmail = sql<string | null>`CASE WHEN people.pending_email_until > now() THEN people.pending_email END`

async function forgetPending(trx: Db, userId: string): Promise<void> {
  await trx.updateTable('people').set({ pendingEmail: null, pendingEmailUntil: null }).where('userId', '=', userId).execute()
}

/** The links of an account that undo a change of its address and still work, the oldest first. */
async function undoLinks(db: Db, userId: string): Promise<{ id: string; email: string }[]> {
  const rows = await db
    .selectFrom('verifications')
    .where('userId', '=', userId)
    .where('kind', '=', 'undo-address')
    .where('expiresAt', '>', new Date())
    .orderBy('createdAt')
    .select(['id', 'value'])
    .execute()
  return rows.map(({ id, value }) => ({ id, ...claim.parse(JSON.parse(value)) }))
}

/** An address that a link protects is in force again: what other addresses have received since then would undo that. */
async function endYoungerUndoLinks(trx: Db, userId: string, email: string): Promise<void> {
  const links = await undoLinks(trx, userId)
  const first = links.findIndex((link) => link.email === email)
  const younger = first < 0 ? [] : links.slice(first).filter((link) => link.email !== email)
  if (younger.length === 0) return
  const ids = younger.map(({ id }) => id)
  await trx.deleteFrom('verifications').where('id', 'in', ids).execute()
}

/** Replaces an account's address with the one it requested. @returns whether it requested this one */
async function takeOver(trx: Db, userId: string, email: string, now: Date): Promise<boolean> {
  const asked = await trx
    .selectFrom('people')
    .innerJoin('users', 'users.id', 'people.userId')
    .where('people.userId', '=', userId)
    .select(['users.email', pendingEmail.as('pendingEmail')])
    .executeTakeFirst()
  if (asked?.pendingEmail !== email) return false
  await forgetPending(trx, userId)
  await settled(trx.updateTable('users').set({ email, emailVerified: true, updatedAt: new Date() }).where('id', '=', userId).execute())
  await endYoungerUndoLinks(trx, userId, email)
  // Links to set a new password went to the previous address.
  await trx.deleteFrom('verifications').where('value', '=', userId).execute()
  await recordEvent(trx, userId, { kind: 'address-changed', details: { from: asked.email, to: email } }, now)
  for (const answered of [email, asked.email]) await forgetEmailCounts(trx, 'account', answered)
  return true
}

/** @returns whether the account still claims the address */
async function markConfirmed(db: Db, userId: string, email: string): Promise<boolean> {
  const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await settled(
    db.updateTable('users').set({ emailVerified: true }).where('id', '=', userId).where('email', '=', email).execute(),
  )
  if (numUpdatedRows > 0n) await forgetEmailCounts(db, 'account', email)
  return numUpdatedRows > 0n
}

/** @throws Refusal 409 if another account has confirmed the given address */
async function settled<T>(update: Promise<T>): Promise<T> {
  try {
    return await update
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal(409, 'Another account has since confirmed this address.', 'token')
    throw error
  }
}
