import type { Queue } from '../platform/queue.ts'
import type { RepeatedRequests } from './repeated-requests.ts'

const sweepQueue = 'sweep-api-requests'

/** Deletes expired answers every hour, in one process at a time. */
export async function workOnApiSweeps(queue: Queue, requests: RepeatedRequests): Promise<void> {
  await queue.defineQueue(sweepQueue, { policy: 'exclusive', expireInSeconds: 600 })
  await queue.work<object>(sweepQueue, {}, () => requests.sweep())
  await queue.schedule(sweepQueue, '23 * * * *', 'UTC')
}
