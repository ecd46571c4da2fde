import { recordEvent } from '../audit/record.ts'
import type { Db } from '../database/open.ts'
import { isShownToOthers } from '../common/shown-to-others.ts'
import type { EventBus } from '../common/events.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Operators } from '../mail/operators.ts'
import type { Clock } from '../platform/clock.ts'
import type { Addresses } from './addresses.ts'
import type { Attempts } from './attempts.ts'
import { holdPerson } from './hold-person.ts'
import type { Person } from './person.ts'
import type { MayWrite } from './stranger-email-limits.ts'
import { isUsernameTaken, refuseMisleading, rename, usernameTaken } from './username.ts'

export type ProfileDeps = {
  db: Db
  clock: Clock
  events: EventBus
  addresses: Addresses
  attempts: Attempts
  mailer: Mailer
  operators: Operators
}

export type ProfileChange = { username?: string | undefined; email?: string | undefined }

/** Changes that people make to their own account. */
export function createProfile({ db, clock, events, addresses, attempts, mailer, operators }: ProfileDeps) {
  return {
    /** Whether a change renames an account whose name is in reports to somebody else, or in requests for their consent. */
    showsOthers: async (person: Person, change: ProfileChange): Promise<boolean> =>
      newOf(person, change).username !== undefined && isShownToOthers(db, person, 'anything', clock.now()),

    /**
     * Checks whether `update` may do this, before anything else is changed along with it. Counts an email to a new address, and one about
     * another username.
     * @param from the requester's network address
     * @returns whether that email may go to an address that nobody has confirmed
     * @throws Refusal 400 for a username that may mislead, 409 if it is taken, 429 after too many emails
     */
    async check(person: Person, change: ProfileChange, from: string): Promise<MayWrite> {
      const { username, email } = newOf(person, change)
      if (username !== undefined && isAnother(person.username, username)) {
        if (!operators.include(person)) refuseMisleading(username, operators)
        if (await isUsernameTaken(db, username, person.id)) throw usernameTaken
        await attempts.count('rename', { account: person.id, address: from })
      }
      return email !== undefined && email !== person.email && (await addresses.countEmail(person.id, email, from))
    },

    /**
     * Changes the username, and requests a new address: a confirmed one stays until the new one is confirmed too. One that was only claimed
     * is dropped at once.
     * @param mayWrite what `check` said
     * @throws Refusal 409 if the username was taken meanwhile; then nothing is changed
     */
    async update(person: Person, change: ProfileChange, mayWrite: MayWrite): Promise<void> {
      const { username, email } = newOf(person, change)
      if (username === undefined && email === undefined) return
      const replaces = email !== undefined && email !== person.email && person.emailVerified
      const undoLink = replaces ? await addresses.undoLink(person) : null
      await db.transaction().execute(async (trx) => {
        await holdPerson(trx, person)
        if (username !== undefined) {
          const former = await rename(trx, person.id, username)
          const renamed = { from: former, to: username }
          await recordEvent(trx, person.id, { kind: 'username-changed', details: renamed }, clock.now())
          // Needs no proof of identity, and is a way in: its owner must know the new one.
          if (isAnother(former, username))
            await mailer.send({ kind: 'username-changed', username, former }, { account: person, transaction: trx })
        }
        if (email === undefined) return
        if (email === person.email) await addresses.forgetChange(trx, person.id)
        else if (replaces) await addresses.askForChange(trx, person, email, undoLink)
        else await addresses.claim(trx, person, email)
      })
      if (email === undefined || email === person.email) return
      await addresses.writeTo(person.id, mayWrite)
      if (!person.emailVerified) await events.emit('addressChanged', { userId: person.id })
    },
  }
}

/** Whether a username is a different one, not the same with other capitalization. */
const isAnother = (former: string, username: string): boolean => username.toLowerCase() !== former.toLowerCase()

/** The parts of a change that differ. While another address is pending, giving the current one means keeping it. */
function newOf(person: Person, change: ProfileChange): ProfileChange {
  const email = change.email?.toLowerCase()
  return {
    username: change.username === person.username ? undefined : change.username,
    email: email === (person.pendingEmail ?? person.email) ? undefined : email,
  }
}
