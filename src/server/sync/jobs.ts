import { z } from 'zod'
import type { Queue } from '../platform/queue.ts'
import type { SyncService } from './service.ts'

const syncQueue = 'sync-property'
const dueQueue = 'sync-due'
const payload = z.object({ propertyId: z.number() })

/** Properties that are synced at the same time in one process. */
const concurrency = 3

/** Makes the queues; needed in every process before `enqueueSync`. */
export async function defineSyncQueues(queue: Queue): Promise<void> {
  // One job queued and one running per property: a request during a run is honoured after it.
  await queue.defineQueue(syncQueue, { policy: 'stately', retryLimit: 3, retryDelay: 2, retryBackoff: true, retryDelayMax: 60 })
  await queue.defineQueue(dueQueue, { policy: 'exclusive' })
}

export const enqueueSync =
  (queue: Queue) =>
  async (propertyId: number, options: { urgent?: boolean } = {}): Promise<void> => {
    await queue.send(syncQueue, { propertyId }, { singletonKey: String(propertyId), priority: options.urgent ? 10 : 0 })
  }

/** Runs syncs in this process: one slice per job, and every minute a look at what is due. */
export async function workOnSync(queue: Queue, sync: SyncService): Promise<void> {
  await queue.work<object>(syncQueue, { concurrency }, async (job) => {
    const { propertyId } = payload.parse(job.data)
    const answer = await sync.runSlice(propertyId, job.signal)
    if (answer === 'more') await enqueueSync(queue)(propertyId)
  })
  await queue.work<object>(dueQueue, {}, () => sync.enqueueDue())
  await queue.schedule(dueQueue, '* * * * *', 'UTC')
  await sync.enqueueDue()
}
