import type { EventBus } from '../common/events.ts'
import type { Queue } from '../platform/queue.ts'
import type { AlertsService } from './service.ts'

const dueQueue = 'alerts-due'

/** Makes the queue; needed in every process in which days are completed or hours stored. */
export async function defineAlertsQueue(queue: Queue, events: EventBus, alerts: Pick<AlertsService, 'hoursChanged'>): Promise<void> {
  // However many properties have new days, one look at all of them is waiting at most.
  await queue.defineQueue(dueQueue, { policy: 'short', retryLimit: 3, retryDelay: 5, retryBackoff: true, retryDelayMax: 60 })
  const soon = async () => void (await queue.send(dueQueue, {}))
  events.on('daysCompleted', soon)
  events.on('googleConnected', soon)
  events.on('hoursChanged', async ({ propertyId }) => {
    await alerts.hoursChanged(propertyId)
    await soon()
  })
}

/** Judges what is due in this process: as soon as days are completed, and every minute, so that nothing is forgotten by a crash. */
export async function workOnAlerts(queue: Queue, alerts: AlertsService): Promise<void> {
  await queue.work<object>(dueQueue, {}, () => alerts.runDue())
  await queue.schedule(dueQueue, '* * * * *', 'UTC')
}
