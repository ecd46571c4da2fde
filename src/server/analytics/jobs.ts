import { z } from 'zod'
import { addDays } from '../../core/analytics/days.ts'
import type { Db } from '../database/open.ts'
import type { EventBus } from '../common/events.ts'
import type { FactsStore } from '../facts/store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queue } from '../platform/queue.ts'
import { forTenant, holdingSlot } from '../platform/tenant.ts'
import { type CompleteProperty, isComplete } from './requested-property.ts'
import type { AnalyticsService } from './service.ts'
import { oldWindowsBefore } from './windows.ts'

const prepareQueue = 'prepare-reports'
const sweepQueue = 'sweep-windows'
const payload = z.object({ propertyId: z.number() })

/** How many days the longest prepared window and its comparison go back. */
const preparedDays = 180
/** How long to wait before looking again while older days are being fetched. */
const againMs = 60_000

/** Creates the queues; needed in every process that completes days. */
export async function defineAnalyticsQueues({ queue, events, db }: { queue: Queue; events: EventBus; db: Db }): Promise<void> {
  await queue.defineQueue(prepareQueue, { policy: 'short', retryLimit: 3, retryDelay: 2, expireInSeconds: 600 })
  await queue.defineQueue(sweepQueue, { policy: 'exclusive' })
  events.on('daysCompleted', async ({ propertyId: id }) => {
    const property = await db.selectFrom('properties').where('id', '=', id).select(['id', 'userId']).executeTakeFirst()
    if (property) await send(queue, property)
  })
}

/** People take turns: preparing a property may take minutes, and many properties of one person may get new days at once. */
const send = (queue: Queue, { id, userId }: { id: number; userId: string }, startAfter?: Date) =>
  queue.send(prepareQueue, { propertyId: id }, { singletonKey: String(id), group: userId, ...(startAfter && { startAfter }) })

export type AnalyticsWork = {
  queue: Queue
  analytics: AnalyticsService
  facts: FactsStore
  db: Db
  clock: Clock
  prepares?: boolean | undefined
}

/**
 * Prepares in this process what the owner of a property with new days will look at next, one property at a time and only selected ones;
 * deletes old windows every night.
 */
export async function workOnAnalytics({ queue, analytics, facts, db, clock, prepares = true }: AnalyticsWork): Promise<void> {
  if (prepares) await workOnWindows({ queue, analytics, db })
  await queue.work<object>(sweepQueue, {}, () => facts.dropWindows(oldWindowsBefore(clock)))
  await queue.schedule(sweepQueue, '47 3 * * *', 'UTC')
}

async function workOnWindows({ queue, analytics, db }: Pick<AnalyticsWork, 'queue' | 'analytics' | 'db'>): Promise<void> {
  await queue.work<object>(prepareQueue, { concurrency: 1 }, async ({ data, signal }) => {
    const { propertyId } = payload.parse(data)
    const property = await lookedAt(db, propertyId)
    if (!property) return
    await forTenant(property.userId, () => holdingSlot(() => analytics.prepare(property, () => !signal.aborted)))
    if (await isStillFilling(db, property)) await send(queue, property, new Date(Date.now() + againMs))
  })
}

/** The property, if it is monitored, selected and has complete days. */
async function lookedAt(db: Db, id: number): Promise<(CompleteProperty & { userId: string }) | null> {
  const row = await db
    .selectFrom('properties')
    .innerJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .where('properties.id', '=', id)
    .where('properties.monitored', '=', true)
    .where('properties.detachedAt', 'is', null)
    .where((eb) => eb.exists(eb.selectFrom('people').whereRef('people.selectedPropertyId', '=', 'properties.id').select('people.userId')))
    .select(['properties.id', 'properties.userId', 'properties.name', 'propertySyncs.completeThrough', 'propertySyncs.factsVersion'])
    .executeTakeFirst()
  return row && isComplete(row) ? row : null
}

/** Whether days of the prepared windows are still being fetched. */
async function isStillFilling(db: Db, { id, completeThrough }: CompleteProperty): Promise<boolean> {
  const row = await db
    .selectFrom('searchTypeSyncs')
    .innerJoin('propertySyncs', 'propertySyncs.propertyId', 'searchTypeSyncs.propertyId')
    .where('searchTypeSyncs.propertyId', '=', id)
    .where('searchType', '=', 'web')
    .where('propertySyncs.state', '=', 'ok')
    .whereRef('backfilledFrom', '>', 'backfillTo')
    .where('backfilledFrom', '>', addDays(completeThrough, 1 - preparedDays))
    .select('searchTypeSyncs.propertyId')
    .executeTakeFirst()
  return row !== undefined
}
