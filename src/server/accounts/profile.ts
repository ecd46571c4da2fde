import type { Db } from '../database/open.ts'
import { isUniqueViolation } from '../database/unique-violation.ts'
import { Refusal } from '../errors.ts'
import type { EventBus } from '../events.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Addresses } from './addresses.ts'
import type { Person } from './person.ts'

/** What people change about themselves. */
export function createProfile({ db, mailer, events, addresses }: { db: Db; mailer: Mailer; events: EventBus; addresses: Addresses }) {
  return {
    /**
     * A new address counts at once, but has to be confirmed; the old one is told.
     * @throws Refusal 409 when the username is taken
     */
    async update(person: Person, change: { username?: string | undefined; email?: string | undefined }): Promise<void> {
      const { username } = change
      if (username !== undefined && username !== person.username) await rename(db, person.id, username)
      const email = change.email?.toLowerCase()
      if (email === undefined || email === person.email) return
      await db.updateTable('users').set({ email, emailVerified: false, updatedAt: new Date() }).where('id', '=', person.id).execute()
      if (person.emailVerified)
        await mailer.send({ kind: 'address-changed', to: person.email, username: person.username, newAddress: email })
      await addresses.writeTo(person.id)
      await events.emit('addressChanged', { userId: person.id })
    },
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
    if (isUniqueViolation(error)) throw new Refusal(409, 'This username is taken. Please choose another one.', 'username')
    throw error
  }
}
