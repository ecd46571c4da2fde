import type { Leases } from '../database/leases.ts'
import type { Queue } from '../platform/queue.ts'
import { forTenant } from '../platform/tenant.ts'
import type { HourSync } from './hours/service.ts'
import { createPropertyQueue, type Owned, ownedProperty, type PropertyQueue, slotsPerPerson } from './property-queue.ts'
import type { SyncService } from './service.ts'

const syncQueue = 'sync-slice'
const dueQueue = 'sync-due'

/** Properties that one process syncs at once. */
const concurrency = 3

/** A request for a property that is being synced is retried after this time. */
const againMs = 1_000

/** Creates the queues; every process needs them before sending anything. */
export async function defineSyncQueues(queue: Queue): Promise<PropertyQueue> {
  // One job waits per property. Leases ensure that only one runs: pg-boss's policies for that use a list of running keys renewed once a
  // minute, and held a property back that long after a restart.
  await queue.defineQueue(syncQueue, { policy: 'short', retryLimit: 3, retryDelay: 2, retryBackoff: true, retryDelayMax: 60 })
  await queue.defineQueue(dueQueue, { policy: 'exclusive' })
  return createPropertyQueue(queue, syncQueue)
}

export type SyncWork = { queue: Queue; propertyQueue: PropertyQueue; leases: Leases; sync: SyncService; hours: HourSync }

/** Runs syncs in this process: one slice per job, and once a minute a check for what is due, both days and hours. */
export async function workOnSync({ queue, propertyQueue, leases, sync, hours }: SyncWork): Promise<void> {
  const running: Owned[] = []
  /** If others wait, a person who holds all places of this process gives one back. */
  const isToYield = async (userId: string): Promise<boolean> =>
    running.length >= concurrency && running.every((each) => each.userId === userId) && (await propertyQueue.othersWait(userId))

  await queue.work<object>(syncQueue, { concurrency }, async (job) => {
    const property = ownedProperty.parse(job.data)
    const lease = await leases.claim({ key: property.propertyId, userId: property.userId }, { perPerson: slotsPerPerson })
    if (!lease) return propertyQueue.send(property, { startAfter: new Date(Date.now() + againMs) })
    running.push(property)
    try {
      const signal = AbortSignal.any([job.signal, lease.signal])
      const how = { signal, isToYield: () => isToYield(property.userId) }
      const answer = await forTenant(property.userId, () => sync.runSlice(property.propertyId, how))
      // The rest of this property comes after its owner's longer-waiting ones.
      await propertyQueue.admit([...(await sync.dueOf(property.userId)), ...(answer === 'more' ? [property] : [])], job.id)
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
