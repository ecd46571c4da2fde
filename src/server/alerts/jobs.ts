import type { EventBus } from '../common/events.ts'
import type { Queue } from '../platform/queue.ts'
import type { AlertsService } from './service.ts'

const dueQueue = 'alerts-due'

/** Creates the queue; needed in every process that completes days or stores hours. */
export async function defineAlertsQueue(queue: Queue, events: EventBus, alerts: Pick<AlertsService, 'hoursChanged'>): Promise<void> {
  // However many properties have new days, at most one evaluation of all of them is waiting.
  await queue.defineQueue(dueQueue, { policy: 'short', retryLimit: 3, retryDelay: 5, retryBackoff: true, retryDelayMax: 60 })
  const soon = async () => void (await queue.send(dueQueue, {}))
  events.on('daysCompleted', soon)
  events.on('googleConnected', soon)
  events.on('hoursChanged', async ({ propertyId }) => {
    await alerts.hoursChanged(propertyId)
    await soon()
  })
}

/** Evaluates due properties in this process: as soon as days are completed, and every minute, so that a crash forgets nothing. */
export async function workOnAlerts(queue: Queue, alerts: AlertsService): Promise<void> {
  await queue.work<object>(dueQueue, {}, ({ signal }) => alerts.runDue(signal))
  await queue.schedule(dueQueue, '* * * * *', 'UTC')
}
