import type { Queue } from '../platform/queue.ts'
import { forTenant } from '../platform/tenant.ts'
import type { HourSync } from './hours/service.ts'
import type { Leases, Owned } from './leases.ts'
import { createLine, ownedProperty, placesOfPerson, type SyncLine } from './line.ts'
import type { SyncService } from './service.ts'

const syncQueue = 'sync-slice'
const dueQueue = 'sync-due'

/** Properties that are synced at the same time in one process. */
const concurrency = 3

/** A request that comes while its property is being synced is looked at again after this time. */
const againMs = 1_000

/** Makes the queues; needed in every process before anything is sent. */
export async function defineSyncQueues(queue: Queue): Promise<SyncLine> {
  // One job waiting per property. That only one runs is seen to by leases: pg-boss's policies for that go by a list of
  // running keys which it renews once a minute, and kept a property waiting for that long after a restart.
  await queue.defineQueue(syncQueue, { policy: 'short', retryLimit: 3, retryDelay: 2, retryBackoff: true, retryDelayMax: 60 })
  await queue.defineQueue(dueQueue, { policy: 'exclusive' })
  return createLine(queue, syncQueue)
}

export type SyncWork = { queue: Queue; line: SyncLine; leases: Leases; sync: SyncService; hours: HourSync }

/** Runs syncs in this process: one slice per job, and every minute a look at what is due, of days and of hours. */
export async function workOnSync({ queue, line, leases, sync, hours }: SyncWork): Promise<void> {
  const running: Owned[] = []
  /** Somebody waits, and whoever has all places of this process gives one back. */
  const isToYield = async (userId: string): Promise<boolean> =>
    running.length >= concurrency && running.every((each) => each.userId === userId) && (await line.othersWait(userId))

  await queue.work<object>(syncQueue, { concurrency }, async (job) => {
    const property = ownedProperty.parse(job.data)
    const lease = await leases.claim(property, placesOfPerson)
    if (!lease) return line.send(property, { startAfter: new Date(Date.now() + againMs) })
    running.push(property)
    try {
      const signal = AbortSignal.any([job.signal, lease.signal])
      const how = { signal, isToYield: () => isToYield(property.userId) }
      const answer = await forTenant(property.userId, () => sync.runSlice(property.propertyId, how))
      // What is left of this property comes after those of its owner that have waited longer.
      await line.admit([...(await sync.dueOf(property.userId)), ...(answer === 'more' ? [property] : [])], job.id)
    } finally {
      running.splice(running.indexOf(property), 1)
      await lease.release()
    }
  })
  const lookForDue = async (): Promise<void> => {
    await sync.enqueueDue()
    await hours.enqueueDue()
  }
  await queue.work<object>(dueQueue, {}, lookForDue)
  await queue.schedule(dueQueue, '* * * * *', 'UTC')
  await lookForDue()
}
