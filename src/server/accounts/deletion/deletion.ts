import type { AccountDeletion } from '../../../contract/account/profile.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import type { EventBus } from '../../common/events.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { eraseAccount } from './erase-account.ts'
import { forgetEmailCounts } from '../stranger-email-limits.ts'
import { type AccountsService, holdPerson, type Person, type Requester } from '../service.ts'

export type DeletionDeps = { db: Db; events: EventBus; mailer: Mailer; accounts: AccountsService }

/** Another request has deleted the account already. */
const gone = () => new Refusal(401, 'Please log in.')

export type Deletion = ReturnType<typeof createDeletion>

export function createDeletion({ db, events, mailer, accounts }: DeletionDeps) {
  /** Undoes everything stored elsewhere, and deletes the rest. @throws Refusal 401 if the requester's access or session ended */
  const erase = (person: Requester, alsoWith: (transaction: Db) => Promise<void> = async () => {}): Promise<boolean> =>
    eraseAccount(db, person.id, async (transaction) => {
      await holdPerson(transaction, person)
      await events.emit('accountDeleting', { userId: person.id, transaction })
      await alsoWith(transaction)
    })

  const exists = async (userId: string): Promise<boolean> =>
    (await db.selectFrom('users').where('id', '=', userId).select('id').executeTakeFirst()) !== undefined

  async function prove(person: Person, { username, password }: AccountDeletion, address: string): Promise<void> {
    if (username.trim() !== person.username) throw new Refusal(400, 'Type your username to confirm.', 'username')
    if (!person.hasPassword) return
    if (!password) throw new Refusal(400, 'Enter your password.', 'password')
    if (await accounts.passwords.matches(person.id, password, address)) return
    if (!(await exists(person.id))) throw gone()
    await accounts.note(person.id, { kind: 'deletion-refused', details: {} })
    throw new Refusal(403, 'Incorrect password.', 'password')
  }

  return {
    erase,

    /**
     * Permanently deletes the account of whoever typed its name and, if there is one, its password.
     * @throws Refusal 400 or 403 with the wrong field, 401 if it is deleted already or the session ended, 429 after too many wrong passwords
     */
    async remove(person: Person, proof: AccountDeletion, address: string): Promise<void> {
      await prove(person, proof, address)
      const email = { kind: 'account-deleted', username: person.username, plan: person.plan } as const
      // An address that is only claimed may be a stranger's.
      const announce = async (transaction: Db) => {
        if (!person.emailVerified) return
        // Its owner may register again, and then counts as a stranger like everybody else.
        await forgetEmailCounts(transaction, 'account', person.email)
        await mailer.send(email, { account: person, transaction })
      }
      if (!(await erase(person, announce))) throw gone()
    },
  }
}
