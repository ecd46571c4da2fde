import { z } from 'zod'
import type { Queue } from '../platform/queue.ts'
import type { SyncService } from './service.ts'

const syncQueue = 'sync-slice'
const dueQueue = 'sync-due'
const payload = z.object({ propertyId: z.number() })

/** Properties that are synced at the same time in one process. */
const concurrency = 3

/** A request that comes while its property is being synced is looked at again after this time. */
const againMs = 1_000

/** Makes the queues; needed in every process before `enqueueSync`. */
export async function defineSyncQueues(queue: Queue): Promise<void> {
  // One job waiting per property. That only one runs is seen to below: pg-boss's policies for that go by a list of
  // running keys which it renews once a minute, and kept a property waiting for that long after a restart.
  await queue.defineQueue(syncQueue, { policy: 'short', retryLimit: 3, retryDelay: 2, retryBackoff: true, retryDelayMax: 60 })
  await queue.defineQueue(dueQueue, { policy: 'exclusive' })
}

export const enqueueSync =
  (queue: Queue) =>
  async (propertyId: number, options: { urgent?: boolean } = {}): Promise<void> => {
    await queue.send(syncQueue, { propertyId }, { singletonKey: String(propertyId), priority: options.urgent ? 10 : 0 })
  }

/** Runs syncs in this process: one slice per job, and every minute a look at what is due. */
export async function workOnSync(queue: Queue, sync: SyncService): Promise<void> {
  const running = new Set<number>()
  await queue.work<object>(syncQueue, { concurrency }, async (job) => {
    const { propertyId } = payload.parse(job.data)
    if (running.has(propertyId)) {
      await queue.send(syncQueue, { propertyId }, { singletonKey: String(propertyId), startAfter: new Date(Date.now() + againMs) })
      return
    }
    running.add(propertyId)
    try {
      const answer = await sync.runSlice(propertyId, job.signal)
      if (answer === 'more') await enqueueSync(queue)(propertyId)
    } finally {
      running.delete(propertyId)
    }
  })
  await queue.work<object>(dueQueue, {}, () => sync.enqueueDue())
  await queue.schedule(dueQueue, '* * * * *', 'UTC')
  await sync.enqueueDue()
}
