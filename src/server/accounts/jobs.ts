import { z } from 'zod'
import type { Queue } from '../platform/queue.ts'
import type { Vault } from '../platform/secrets.ts'
import type { AccountsService } from './service.ts'

const queueName = 'password-resets'
const context = 'password-reset-request'
const job = z.object({ sealed: z.string() })

export async function defineAccountsQueues(queue: Queue): Promise<void> {
  await queue.defineQueue(queueName, { retryLimit: 5, retryDelay: 5, retryBackoff: true })
}

/** Addresses lie in the queue encrypted, as everything about people who may not even have an account. */
export const enqueueReset =
  (queue: Queue, vault: Vault) =>
  async (email: string): Promise<void> => {
    await queue.send(queueName, { sealed: vault.seal(email, context) })
  }

export async function workOnResets(queue: Queue, vault: Vault, accounts: AccountsService): Promise<void> {
  await queue.work(queueName, {}, async ({ data }) => {
    await accounts.passwords.sendResetLinks(vault.open(job.parse(data).sealed, context))
  })
}
