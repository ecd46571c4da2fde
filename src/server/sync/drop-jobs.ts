import { z } from 'zod'
import type { EventBus } from '../common/events.ts'
import type { Queue } from '../platform/queue.ts'
import type { FactsStore } from '../facts/store.ts'

const queueName = 'drop-facts'
const job = z.object({ properties: z.array(z.number()) })

export async function defineFactDrops(queue: Queue): Promise<void> {
  await queue.defineQueue(queueName, { retryLimit: 15, retryDelay: 2, retryBackoff: true, retryDelayMax: 4 * 3600, expireInSeconds: 3600 })
}

/** Deletes the facts of an account's properties along with the account. */
export function dropWithAccount(events: EventBus, queue: Queue): void {
  events.on('accountDeleting', async ({ userId, transaction }) => {
    const rows = await transaction.selectFrom('properties').where('userId', '=', userId).select('id').execute()
    if (rows.length > 0) await queue.send(queueName, { properties: rows.map((row) => row.id) }, { transaction })
  })
}

export async function workOnFactDrops(queue: Queue, facts: FactsStore): Promise<void> {
  await queue.work(queueName, {}, async ({ data }) => facts.drop(job.parse(data).properties))
}
