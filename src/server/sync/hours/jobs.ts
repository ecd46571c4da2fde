import type { Queue } from '../../platform/queue.ts'
import { forTenant } from '../../platform/tenant.ts'
import type { Leases } from '../leases.ts'
import { createLine, ownedProperty, placesOfPerson, type SyncLine } from '../line.ts'
import type { HourSync } from './service.ts'

const hoursQueue = 'sync-hours'

/** Properties whose hours are asked for at the same time in one process: one small request each. */
const concurrency = 2

/** A request that comes while hours of its property are being asked for is looked at again after this time. */
const againMs = 1_000

/** Makes the queue; needed in every process before anything is sent. */
export async function defineHoursQueue(queue: Queue): Promise<SyncLine> {
  await queue.defineQueue(hoursQueue, { policy: 'short', retryLimit: 3, retryDelay: 2, retryBackoff: true, retryDelayMax: 60 })
  return createLine(queue, hoursQueue)
}

export type HoursWork = { queue: Queue; line: SyncLine; leases: Leases; hours: HourSync }

/** Stores hours in this process; which are due is looked at together with the days (sync/jobs.ts). */
export async function workOnHours({ queue, line, leases, hours }: HoursWork): Promise<void> {
  await queue.work<object>(hoursQueue, { concurrency }, async (job) => {
    const property = ownedProperty.parse(job.data)
    const lease = await leases.claim(property, placesOfPerson)
    if (!lease) return line.send(property, { startAfter: new Date(Date.now() + againMs) })
    try {
      const signal = AbortSignal.any([job.signal, lease.signal])
      await forTenant(property.userId, () => hours.run(property.propertyId, signal))
      if (await line.hasRoom(property.userId, job.id)) await line.admit(await hours.dueOf(property.userId), job.id)
    } finally {
      await lease.release()
    }
  })
}
