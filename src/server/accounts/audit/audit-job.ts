import type { Queue } from '../../platform/queue.ts'
import type { AuditLogOf } from './audit-log.ts'

const sweepQueue = 'sweep-audit-log'

/** Deletes expired events every night, in one process at a time. */
export async function workOnAuditSweeps(queue: Queue, audit: AuditLogOf): Promise<void> {
  await queue.defineQueue(sweepQueue, { policy: 'exclusive' })
  await queue.work<object>(sweepQueue, {}, async () => void (await audit.sweep()))
  await queue.schedule(sweepQueue, '43 3 * * *', 'UTC')
}
