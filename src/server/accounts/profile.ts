import { recordEvent } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import { isUniqueViolation } from '../database/unique-violation.ts'
import type { EventBus } from '../events.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Clock } from '../platform/clock.ts'
import type { Addresses } from './addresses.ts'
import type { Person } from './person.ts'
import { isUsernameTaken, usernameTaken } from './username.ts'

export type ProfileDeps = { db: Db; mailer: Mailer; clock: Clock; events: EventBus; addresses: Addresses }

export type ProfileChange = { username?: string | undefined; email?: string | undefined }

/** What people change about themselves. */
export function createProfile({ db, mailer, clock, events, addresses }: ProfileDeps) {
  return {
    /**
     * Whether `update` may be asked for this, before anything else is changed with it. A letter to a new address is counted.
     * @param from the network address that asks for it
     * @throws Refusal 409 when the username is taken, 429 after too many letters
     */
    async check(person: Person, change: ProfileChange, from: string): Promise<void> {
      const { username, email } = newOf(person, change)
      const isAnother = username !== undefined && username.toLowerCase() !== person.username.toLowerCase()
      if (isAnother && (await isUsernameTaken(db, username))) throw usernameTaken
      if (email !== undefined) await addresses.countLetter(person.id, email, from)
    },

    /**
     * A new address counts at once, but has to be confirmed; the old one is told, and links that were sent to it reset nothing any more.
     * @throws Refusal 409 when the username was taken in the meantime; then nothing is changed
     */
    async update(person: Person, change: ProfileChange): Promise<void> {
      const { username, email } = newOf(person, change)
      if (username === undefined && email === undefined) return
      await db.transaction().execute(async (trx) => {
        if (username !== undefined) {
          await rename(trx, person.id, username)
          const renamed = { from: person.username, to: username }
          await recordEvent(trx, person.id, { kind: 'username-changed', details: renamed }, clock.now())
        }
        if (email !== undefined) {
          await trx.updateTable('users').set({ email, emailVerified: false, updatedAt: new Date() }).where('id', '=', person.id).execute()
          await trx.deleteFrom('verifications').where('value', '=', person.id).execute()
          await recordEvent(trx, person.id, { kind: 'address-changed', details: { from: person.email, to: email } }, clock.now())
          const told = { kind: 'address-changed', to: person.email, username: person.username, newAddress: email } as const
          if (person.emailVerified) await mailer.send(told, { transaction: trx })
        }
      })
      if (email === undefined) return
      await addresses.writeTo(person.id)
      await events.emit('addressChanged', { userId: person.id })
    },
  }
}

/** What of a change is another one than before. */
function newOf(person: Person, change: ProfileChange): ProfileChange {
  const email = change.email?.toLowerCase()
  return {
    username: change.username === person.username ? undefined : change.username,
    email: email === person.email ? undefined : email,
  }
}

async function rename(db: Db, userId: string, displayUsername: string): Promise<void> {
  const names = { name: displayUsername, username: displayUsername.toLowerCase(), displayUsername }
  try {
    await db
      .updateTable('users')
      .set({ ...names, updatedAt: new Date() })
      .where('id', '=', userId)
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw usernameTaken
    throw error
  }
}
