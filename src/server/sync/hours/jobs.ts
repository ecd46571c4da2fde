import type { Leases } from '../../database/leases.ts'
import type { Queue } from '../../platform/queue.ts'
import { forTenant } from '../../platform/tenant.ts'
import { createPropertyQueue, ownedProperty, slotsPerPerson, type PropertyQueue } from '../property-queue.ts'
import type { HourSync } from './service.ts'

const hoursQueue = 'sync-hours'

/** Properties whose hours one process fetches at once: one small request each. */
const concurrency = 2

/** A request for a property whose hours are being fetched is retried after this time. */
const againMs = 1_000

/** Creates the queue; every process needs it before sending anything. */
export async function defineHoursQueue(queue: Queue): Promise<PropertyQueue> {
  await queue.defineQueue(hoursQueue, { policy: 'short', retryLimit: 3, retryDelay: 2, retryBackoff: true, retryDelayMax: 60 })
  return createPropertyQueue(queue, hoursQueue)
}

export type HoursWork = { queue: Queue; propertyQueue: PropertyQueue; leases: Leases; hours: HourSync }

/** Stores hours in this process; sync/jobs.ts looks for due hours and days together. */
export async function workOnHours({ queue, propertyQueue, leases, hours }: HoursWork): Promise<void> {
  await queue.work<object>(hoursQueue, { concurrency }, async (job) => {
    const property = ownedProperty.parse(job.data)
    const lease = await leases.claim({ key: property.propertyId, userId: property.userId }, { perPerson: slotsPerPerson })
    if (!lease) return propertyQueue.send(property, { startAfter: new Date(Date.now() + againMs) })
    try {
      const signal = AbortSignal.any([job.signal, lease.signal])
      await forTenant(property.userId, () => hours.run(property.propertyId, signal))
      if (await propertyQueue.hasRoom(property.userId, job.id)) await propertyQueue.admit(await hours.dueOf(property.userId), job.id)
    } finally {
      await lease.release()
    }
  })
}
