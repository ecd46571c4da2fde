import { sql } from 'kysely'
import { z } from 'zod'
import { eachStep } from '../common/each-step.ts'
import type { Db } from '../database/open.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { Vault } from '../platform/secrets.ts'
import { eraseDeleted } from './deletion/erase-account.ts'
import { forgetOldEmailCounts } from './stranger-email-limits.ts'
import type { AccountsService } from './service.ts'

export const resetQueue = 'password-resets'
/** Binds encrypted data to its use (platform/secrets.ts). */
export const resetContext = 'password-reset-request'
const job = z.object({ sealed: z.string() })

export async function defineAccountsQueues(queue: Queue): Promise<void> {
  await queue.defineQueue(resetQueue, { retryLimit: 5, retryDelay: 5, retryBackoff: true })
}

/** Addresses, and the networks that ask, are encrypted in the queue, like everything about people who may not even have an account. */
export const enqueueReset =
  (queue: Queue, vault: Vault) =>
  async (email: string, network: string, mayWrite: boolean): Promise<void> => {
    await queue.send(resetQueue, { sealed: vault.seal([email, network, mayWrite ? 'yes' : 'no'].join('\n'), resetContext) })
  }

const sweepQueue = 'sweep-verifications'

/** Deletes expired links, logins in progress, reservations of usernames and counts of emails every hour, in one process at a time. */
export async function workOnPendingSweeps(queue: Queue, db: Db, clock: Clock): Promise<void> {
  await queue.defineQueue(sweepQueue, { policy: 'exclusive' })
  const isOver = sql<boolean>`reserved_until < now()`
  const sweep = () =>
    eachStep([
      () => db.deleteFrom('verifications').where('expiresAt', '<', new Date()).execute(),
      () => db.deleteFrom('formerUsernames').where(isOver).execute(),
      () => forgetOldEmailCounts(db, clock.now()),
    ])
  await queue.work<object>(sweepQueue, {}, sweep)
  await queue.schedule(sweepQueue, '17 * * * *', 'UTC')
}

const eraseQueue = 'erase-accounts'

/** Erases what is left of deleted accounts: at the start, and every minute, so that neither a crash nor a backup forgets one. */
export async function workOnErasures(queue: Queue, db: Db, log: Log): Promise<void> {
  await queue.defineQueue(eraseQueue, { policy: 'short' })
  await queue.work<object>(eraseQueue, {}, () =>
    eraseDeleted(db).catch((error: unknown) => log.error({ err: error }, 'not every deleted account could be erased; will retry')),
  )
  await queue.schedule(eraseQueue, '* * * * *', 'UTC')
  await queue.send(eraseQueue, {})
}

export async function workOnResets(queue: Queue, vault: Vault, accounts: AccountsService): Promise<void> {
  await queue.work(resetQueue, {}, async ({ data }) => {
    const asked = vault.find(job.parse(data).sealed, resetContext)
    // Encrypted with a lost key: the requester can ask again.
    if (asked === null) return
    const [email = '', network, mayWrite] = asked.split('\n')
    await accounts.passwords.sendResetLinks(email, network, mayWrite !== 'no')
  })
}
