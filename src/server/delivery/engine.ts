import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import type { AlertsService } from '../alerts/service.ts'
import { forgetDayCounts } from '../database/day-counts.ts'
import type { Db } from '../database/open.ts'
import type { EventBus } from '../common/events.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import type { Channel } from './channels/channel.ts'
import type { Destinations } from './destinations.ts'
import { rescheduleDigest } from './digests/digest-schedules.ts'
import { createDispatch } from './dispatch.ts'
import { createNews } from './news.ts'
import { planAlerts } from './plan-alerts.ts'
import { planDigests } from './digests/plan-digests.ts'
import { forgetOldMessages, giveUpOnUnconfirmed } from './sweep.ts'
import { timeUntimed } from './untimed.ts'

const dueQueue = 'delivery-due'
const sweepQueue = 'delivery-sweep'

export type EngineDeps = {
  db: Db
  queue: Queue
  events: EventBus
  alerts: Pick<AlertsService, 'tell' | 'explain' | 'openCounts'>
  analytics: Pick<AnalyticsService, 'metrics'>
  /** What is in force for a person, defaults included. */
  settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>
  destinations: Destinations
  channels: Record<ChannelName, Channel>
  /** Where this installation is reached, without a trailing slash. */
  baseUrl: () => string
  clock: Clock
  log: Log
}

/**
 * Tells people of their alerts: what happened is noted with it (news), put into messages when it is due (plan), and
 * sent until it is taken (dispatch).
 */
export async function createDeliveryEngine(deps: EngineDeps) {
  const { db, queue, events, settingsOf, clock } = deps
  const news = createNews(deps)
  const dispatch = createDispatch(deps)

  // However much there is to tell, one look at all of it is waiting at most.
  await queue.defineQueue(dueQueue, { policy: 'short', retryLimit: 3, retryDelay: 5, retryBackoff: true, retryDelayMax: 60 })
  await queue.defineQueue(sweepQueue, { policy: 'short' })
  const soon = (transaction?: Db) => queue.send(dueQueue, {}, { ...(transaction && { transaction }) })

  async function reschedule(userId: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const now = clock.now()
      // In the order in which a digest takes them, so that neither waits for the other.
      await rescheduleDigest(trx, userId, await settingsOf(userId, trx), now)
      await news.reschedule(userId, now, trx)
      await soon(trx)
    })
  }

  events.on('alertsChanged', async (changed) => {
    await news.note(changed, clock.now())
    await soon(changed.transaction)
  })
  events.on('planChanged', ({ userId }) => reschedule(userId))

  return {
    /** After somebody chose otherwise when or where to be told. */
    reschedule,
    sendTest: dispatch.sendTest,
    soon,

    /** Sends what is due in this process: as soon as something is, and every minute, for retries and digests. */
    async work(): Promise<void> {
      await queue.work<object>(dueQueue, {}, async ({ signal }) => {
        await dispatch.sendDue(signal, async () => {
          await timeUntimed(deps, clock.now())
          await planAlerts(deps, clock.now())
          await planDigests(deps, clock.now())
        })
      })
      await queue.schedule(dueQueue, '* * * * *', 'UTC')
      await queue.work<object>(sweepQueue, {}, async () => {
        await forgetOldMessages(db, clock.now())
        await giveUpOnUnconfirmed(db, clock.now())
        await forgetDayCounts(db, clock.now())
      })
      await queue.schedule(sweepQueue, '17 3 * * *', 'UTC')
    },
  }
}
