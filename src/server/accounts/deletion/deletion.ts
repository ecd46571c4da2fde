import type { AccountDeletion } from '../../../contract/account/profile.ts'
import type { Db } from '../../database/open.ts'
import { Refusal } from '../../common/errors.ts'
import type { EventBus } from '../../common/events.ts'
import type { Mailer } from '../../mail/mailer.ts'
import type { Clock } from '../../platform/clock.ts'
import { createFairShare } from '../../platform/fair-share.ts'
import type { Log } from '../../platform/log.ts'
import { eraseAccount } from './erase-account.ts'
import { endOtherSessions } from '../hold-person.ts'
import { forgetEmailCounts } from '../stranger-email-limits.ts'
import { type AccountsService, holdPerson, type Person, type Requester } from '../service.ts'

export type DeletionDeps = { db: Db; events: EventBus; mailer: Mailer; accounts: AccountsService; clock: Clock; log: Log }

/** Erasures that requests run at once in this process: each holds a connection, maybe for minutes. */
const erasedAtOnce = { places: 2, perTenant: 1 }
/** How long a request waits for its turn. */
const patienceMs = 10_000

/** Another request has deleted the account already. */
const gone = () => new Refusal(401, 'Please log in.')

export type Deletion = ReturnType<typeof createDeletion>

/**
 * Deletes accounts in two transactions (docs/decisions/0126): a short one closes the account, after which nobody gets in and nothing waits
 * for its rows; another one erases it. Whatever interrupts the latter, a job takes it up (jobs.ts).
 */
export function createDeletion({ db, events, mailer, accounts, clock, log }: DeletionDeps) {
  const turns = createFairShare(erasedAtOnce)

  /** Closes the account, and undoes what is stored elsewhere. @throws Refusal 401 if the requester's access or session ended */
  const close = (person: Requester, alsoWith: (transaction: Db) => Promise<void> = async () => {}): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      await holdPerson(transaction, person)
      const now = clock.now()
      await transaction.updateTable('people').set({ closedAt: now, deletedAt: now }).where('userId', '=', person.id).execute()
      await endOtherSessions(transaction, person.id, null)
      await transaction.deleteFrom('verifications').where('userId', '=', person.id).execute()
      await events.emit('accountDeleting', { userId: person.id, transaction })
      await alsoWith(transaction)
    })

  /** If it fails, or the erasures before it take too long, the job erases the account. */
  const eraseInTurn = ({ id }: Requester): Promise<void> =>
    turns
      .run(id, () => eraseAccount(db, id), { signal: AbortSignal.timeout(patienceMs) })
      .catch((error: unknown) => log.warn({ err: error, userId: id }, 'an account is closed but not erased yet; will retry'))

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
    /** Deletes an account without its owner's request. @throws Refusal 404 if it is deleted already */
    async erase(person: Requester): Promise<void> {
      await close(person)
      await eraseAccount(db, person.id)
    },

    /**
     * Permanently deletes the account of whoever typed its name and, if there is one, its password. Waits until it is erased, as a rule.
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
      await close(person, announce)
      await eraseInTurn(person)
    },
  }
}
