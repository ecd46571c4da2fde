import { z } from 'zod'
import { planId } from '../../contract/user.ts'
import type { Db } from '../database/open.ts'
import type { Queue } from '../platform/queue.ts'
import type { BillingService } from './service.ts'
import type { Change } from './store.ts'

const changeQueue = 'billing-change'
const readQueue = 'billing-read'
const reviewQueue = 'billing-review'
const forgetQueue = 'billing-forget'

const changePayload = z.object({
  userId: z.string(),
  from: planId,
  to: planId,
  letters: z.array(
    z.object({
      kind: z.enum(['plan-changed', 'plan-ended', 'payment-failed']),
      plan: planId,
      at: z.string().nullable(),
      isGranted: z.boolean().default(false),
    }),
  ),
})
const readPayload = z.object({ userId: z.string() })
const forgetPayload = z.object({ customerId: z.string() })

/** Pause between two people in the daily review: Stripe allows a hundred calls a second, and nobody waits for these. */
const spreadMs = 2_000

const patient = { retryLimit: 8, retryDelay: 10, retryBackoff: true, retryDelayMax: 3600 }

/** Creates the queues; every process that sends to them needs it. */
export async function defineBillingQueues(queue: Queue): Promise<void> {
  await queue.defineQueue(changeQueue, patient)
  await queue.defineQueue(readQueue, { ...patient, policy: 'short' })
  await queue.defineQueue(reviewQueue, { policy: 'exclusive' })
  // About four days: somebody who deletes an account must not keep paying because Stripe was down.
  await queue.defineQueue(forgetQueue, { retryLimit: 30, retryDelay: 30, retryBackoff: true, retryDelayMax: 4 * 3600 })
}

export type BillingJobs = ReturnType<typeof billingJobs>

/** Billing's queued work, each enqueued together with what is stored. */
export const billingJobs = (queue: Queue) => ({
  announce: async (change: Change, transaction: Db): Promise<void> => void (await queue.send(changeQueue, change, { transaction })),
  forget: async (customerId: string, transaction: Db): Promise<void> =>
    void (await queue.send(forgetQueue, { customerId }, { transaction })),
  readAll: async (userIds: readonly string[], now: Date): Promise<void> => {
    for (const [i, userId] of userIds.entries())
      await queue.send(readQueue, { userId }, { singletonKey: userId, startAfter: new Date(now.getTime() + i * spreadMs) })
  },
})

/** Runs queued work, and checks everyone's subscription every night: a webhook may have gotten lost. */
export async function workOnBilling(queue: Queue, billing: BillingService): Promise<void> {
  await queue.work<object>(changeQueue, {}, (job) => billing.announce(changePayload.parse(job.data)))
  await queue.work<object>(readQueue, {}, (job) => billing.read(readPayload.parse(job.data).userId))
  await queue.work<object>(forgetQueue, {}, (job) => billing.forget(forgetPayload.parse(job.data).customerId))
  await queue.work<object>(reviewQueue, {}, () => billing.review())
  await queue.schedule(reviewQueue, '41 4 * * *', 'UTC')
}
