import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { recordEvent } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import { isUniqueViolation } from '../database/unique-violation.ts'
import { Refusal } from '../errors.ts'
import type { EventBus } from '../events.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Clock } from '../platform/clock.ts'
import type { Attempts } from './attempts.ts'
import type { Auth } from './auth.ts'

const linkMs = 24 * 3600_000
const claim = z.object({ userId: z.string(), email: z.string() })

export type AddressesDeps = {
  auth: Auth
  db: Db
  mailer: Mailer
  events: EventBus
  clock: Clock
  attempts: Attempts
  baseUrl: () => string
}

/**
 * Whose an e-mail address is. Anyone may claim one; it belongs to the account that opened the link sent to it. So
 * nobody learns from us whether an address has an account here: the answer is the same, and what
 * there is to say is said by mail to the address itself (docs/decisions/0016).
 */
export function createAddresses({ auth, db, mailer, events, clock, attempts, baseUrl }: AddressesDeps) {
  const owner = (email: string) =>
    db.selectFrom('users').where('email', '=', email).where('emailVerified', '=', true).select(['id', 'username']).executeTakeFirst()

  return {
    /**
     * Counts a letter that an account has written to an address, before anything is done.
     * @param from the network address that asks for it
     * @throws Refusal 429
     */
    async countLetter(userId: string, email: string, from: string): Promise<void> {
      await attempts.count('confirm', { account: userId, address: from })
      await attempts.count('confirmReached', { account: email, address: from })
    },

    /** Writes to the address that an account claims: a link that confirms it, or that it has an account already. */
    async writeTo(userId: string): Promise<void> {
      const user = await db
        .selectFrom('users')
        .where('id', '=', userId)
        .select(['username', 'displayUsername', 'email', 'emailVerified'])
        .executeTakeFirst()
      if (!user || user.emailVerified) return
      const { email: to } = user
      const username = user.displayUsername ?? user.username ?? ''
      const existing = await owner(to)
      if (existing) return mailer.send({ kind: 'address-taken', to, username: existing.username ?? '', claimedBy: username })

      const token = randomBytes(32).toString('base64url')
      const context = await auth.$context
      await context.internalAdapter.createVerificationValue({
        identifier: `confirm-address:${token}`,
        value: JSON.stringify({ userId, email: to } satisfies z.infer<typeof claim>),
        expiresAt: new Date(Date.now() + linkMs),
      })
      await mailer.send({ kind: 'confirm-address', to, username, link: `${baseUrl()}/verify-email?token=${token}` })
    },

    /**
     * The link was opened: the address is this account's.
     * @throws Refusal 400 for a link that is unknown, used, too old or about an address changed since; 409 when another account was faster
     */
    async confirm(token: string): Promise<string> {
      const context = await auth.$context
      const stored = await context.internalAdapter.consumeVerificationValue(`confirm-address:${token}`)
      if (!stored) throw new Refusal(400, 'This link was used already or has expired. Ask for a new one on your profile page.', 'token')
      const { userId, email } = claim.parse(JSON.parse(stored.value))
      const confirmed = await db.transaction().execute(async (trx) => {
        const done = await markConfirmed(trx, userId, email)
        if (done) await recordEvent(trx, userId, { kind: 'address-confirmed', details: { address: email } }, clock.now())
        return done
      })
      if (!confirmed) {
        throw new Refusal(400, 'The address of this account has been changed since this mail was sent.', 'token')
      }
      await events.emit('addressChanged', { userId })
      return email
    },

    /** Somebody showed in another way that they read the mail of an address. */
    async markConfirmed(userId: string, email: string): Promise<void> {
      if (await markConfirmed(db, userId, email)) await events.emit('addressChanged', { userId })
    },
  }
}
export type Addresses = ReturnType<typeof createAddresses>

/** @returns whether the account still claims the address */
async function markConfirmed(db: Db, userId: string, email: string): Promise<boolean> {
  try {
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ emailVerified: true })
      .where('id', '=', userId)
      .where('email', '=', email)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  } catch (error) {
    if (isUniqueViolation(error)) throw new Refusal(409, 'This address was confirmed for another account in the meantime.', 'token')
    throw error
  }
}
