import type { ChannelName } from '../../contract/delivery/channels.ts'
import type { DeliverySettings } from '../../contract/delivery/delivery.ts'
import { quietUntil } from '../../core/delivery/times.ts'
import type { AlertsService } from '../alerts/service.ts'
import type { AnalyticsService } from '../analytics/service.ts'
import type { EventBus } from '../common/events.ts'
import type { Db } from '../database/open.ts'
import { isOpen } from '../database/open-accounts.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import type { Channel } from './channels/channel.ts'
import type { Destinations } from './destinations.ts'
import { rescheduleDigest } from './digests/digest-schedules.ts'
import { planDigests } from './digests/plan-digests.ts'
import { createDispatch } from './dispatch.ts'
import { createAnnouncements } from './announcements.ts'
import { newRound, planAlerts } from './plan-alerts.ts'
import { sweepDelivery } from './sweep.ts'

const dueQueue = 'delivery-due'
const sweepQueue = 'delivery-sweep'

export type EngineDeps = {
  db: Db
  queue: Queue
  events: EventBus
  alerts: Pick<AlertsService, 'forMessages' | 'explain' | 'openCounts'>
  analytics: Pick<AnalyticsService, 'allMetrics'>
  /** A person's settings in force, defaults included. */
  settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>
  destinations: Destinations
  channels: Record<ChannelName, Channel>
  /** This installation's URL, without a trailing slash. */
  baseUrl: () => string
  clock: Clock
  log: Log
}

/**
 * Notifies people about their alerts: announcements are stored together with what happened (announcements), put into messages when due
 * (plan), and sent until accepted (dispatch).
 */
export async function createDeliveryEngine(deps: EngineDeps) {
  const { db, queue, events, settingsOf, clock } = deps
  const announcements = createAnnouncements(deps)
  const dispatch = createDispatch(deps)

  // However many announcements there are, at most one check for all of them is queued.
  await queue.defineQueue(dueQueue, { policy: 'short', retryLimit: 3, retryDelay: 5, retryBackoff: true, retryDelayMax: 60 })
  await queue.defineQueue(sweepQueue, { policy: 'short' })
  const soon = (transaction?: Db) => queue.send(dueQueue, {}, { ...(transaction && { transaction }) })

  async function reschedule(userId: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const now = clock.now()
      // Same lock order as a digest, so that neither waits for the other.
      await rescheduleDigest(trx, userId, await settingsOf(userId, trx), now)
      await announcements.reschedule(userId, now, trx)
      await soon(trx)
    })
  }

  events.on('alertsChanged', async (changed) => {
    await announcements.note(changed, clock.now())
    await soon(changed.transaction)
  })
  events.on('planChanged', ({ userId }) => reschedule(userId))

  return {
    /** After somebody changed when or where they get messages. */
    reschedule,
    sendTest: dispatch.sendTest,
    soon,

    /** Sends due messages in this process: as soon as there are any, and every minute for retries and digests. */
    async work(): Promise<void> {
      const waited = new Set<string>()
      const resting = new Map<string, Date>()
      await queue.work<object>(dueQueue, {}, async ({ signal }) => {
        const round = newRound(resting)
        await dispatch.sendDue(signal, async () => {
          await scheduleUnscheduled(deps, clock.now())
          const alerts = await planAlerts(deps, clock.now(), round)
          const digests = await planDigests(deps, clock.now(), waited)
          return alerts.more || digests.more
        })
      })
      await queue.schedule(dueQueue, '* * * * *', 'UTC')
      await queue.work<object>(sweepQueue, {}, () => sweepDelivery(db, clock.now()))
      await queue.schedule(sweepQueue, '17 3 * * *', 'UTC')
    },
  }
}

type UnscheduledDeps = { db: Db; settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>; log: Log }

/**
 * Schedules announcements that wait for a digest of somebody who gets none: they chose instant alerts while these were being stored, so
 * neither could see the other.
 */
async function scheduleUnscheduled({ db, settingsOf, log }: UnscheduledDeps, now: Date): Promise<void> {
  const people = await db
    .selectFrom('deliveryNews')
    .innerJoin('deliverySettings', 'deliverySettings.userId', 'deliveryNews.userId')
    .where('deliveryNews.state', '=', 'waiting')
    .where('deliveryNews.notBefore', 'is', null)
    .where('deliverySettings.frequency', '=', 'instant')
    .where(isOpen('deliveryNews.userId'))
    .select('deliveryNews.userId')
    .distinct()
    .execute()
  for (const { userId } of people) {
    try {
      const settings = await settingsOf(userId, db)
      // If their plan doesn't include it, the choice is suspended and they get digests.
      if (settings.frequency !== 'instant') continue
      const unscheduled = db.updateTable('deliveryNews').set({ notBefore: quietUntil(settings, now) ?? now })
      await unscheduled.where('userId', '=', userId).where('state', '=', 'waiting').where('notBefore', 'is', null).execute()
    } catch (error) {
      log.error({ err: error, userId }, 'alert events without a send time could not be scheduled; will retry')
    }
  }
}
