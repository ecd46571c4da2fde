import type { Queue } from '../platform/queue.ts'
import type { AnnotationsService } from './service.ts'

const incidentsQueue = 'ranking-incidents'

/** Reads Google's incidents in this process: at the start, if they have never been read, and then daily. */
export async function workOnIncidents(queue: Queue, annotations: AnnotationsService): Promise<void> {
  await queue.defineQueue(incidentsQueue, { policy: 'short', expireInSeconds: 120 })
  await queue.work<object>(incidentsQueue, {}, ({ signal }) => annotations.readIncidents(signal))
  await queue.schedule(incidentsQueue, '41 4 * * *', 'UTC')
  await queue.send(incidentsQueue, {})
}
