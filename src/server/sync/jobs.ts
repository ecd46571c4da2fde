import type { Leases } from '../database/leases.ts'
import type { Queue } from '../platform/queue.ts'
import { forTenant, holdingSlot } from '../platform/tenant.ts'
import type { HourSync } from './hours/service.ts'
import { definePropertyQueue, type Owned, type PropertyQueue, workOnProperties } from './property-queue.ts'
import type { SyncService } from './service.ts'

const syncQueue = 'sync-slice'
const hoursQueue = 'sync-hours'
const dueQueue = 'sync-due'

/** Properties that one process syncs at once. */
const concurrency = 3
/** Properties whose hours one process fetches at once: one small request each. */
const hoursConcurrency = 2

export type PropertyQueues = { days: PropertyQueue; hours: PropertyQueue }

/** Everybody's syncs wait for a process's few lanes: what is read meanwhile goes before the account's own queries. */
const inLane = <T>(userId: string, work: () => Promise<T>): Promise<T> => forTenant(userId, () => holdingSlot(work))

/** Creates the queues; every process needs them before sending anything. */
export async function defineSyncQueues(queue: Queue): Promise<PropertyQueues> {
  const [days, hours] = [await definePropertyQueue(queue, syncQueue), await definePropertyQueue(queue, hoursQueue)]
  await queue.defineQueue(dueQueue, { policy: 'exclusive' })
  return { days, hours }
}

export type SyncWork = { queue: Queue; propertyQueue: PropertyQueue; leases: Leases; sync: SyncService; hours: HourSync }

/** Runs syncs in this process: one slice per job, and once a minute a check for what is due, both days and hours. */
export async function workOnSync({ queue, propertyQueue, leases, sync, hours }: SyncWork): Promise<void> {
  const running: Owned[] = []
  /** If others wait, a person who holds all places of this process gives one back. */
  const isToYield = async (userId: string): Promise<boolean> =>
    running.length >= concurrency && running.every((each) => each.userId === userId) && (await propertyQueue.othersWait(userId))

  await workOnProperties({ queue, name: syncQueue, propertyQueue, leases, concurrency }, async (property, { id, signal }) => {
    running.push(property)
    try {
      const how = { signal, isToYield: () => isToYield(property.userId) }
      const answer = await inLane(property.userId, () => sync.runSlice(property.propertyId, how))
      // The rest of this property comes after its owner's longer-waiting ones.
      await propertyQueue.admit([...(await sync.dueOf(property.userId)), ...(answer === 'more' ? [property] : [])], id)
    } finally {
      running.splice(running.indexOf(property), 1)
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

/** Stores hours in this process; `workOnSync` looks for due hours. */
export async function workOnHours({ queue, propertyQueue, leases, hours }: Omit<SyncWork, 'sync'>): Promise<void> {
  await workOnProperties(
    { queue, name: hoursQueue, propertyQueue, leases, concurrency: hoursConcurrency },
    async ({ propertyId, userId }, { id, signal }) => {
      await inLane(userId, () => hours.run(propertyId, signal))
      if (await propertyQueue.hasRoom(userId, id)) await propertyQueue.admit(await hours.dueOf(userId), id)
    },
  )
}
