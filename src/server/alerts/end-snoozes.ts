import type { EventBus } from '../common/events.ts'
import { inSavepoint } from '../database/savepoint.ts'
import { isOpen } from '../database/open-accounts.ts'
import type { Db } from '../database/open.ts'
import type { Log } from '../platform/log.ts'
import { announce } from './incidents/announce.ts'

type WakingDeps = { db: Db; events: EventBus; log: Log }

/** Ends snoozes whose time is up; for a paused property, once it resumes. */
export async function wakeAlerts({ db, events, log }: WakingDeps, now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom('alerts')
      .innerJoin('properties', 'properties.id', 'alerts.propertyId')
      .where('alerts.state', '=', 'snoozed')
      .where('alerts.snoozedUntil', '<=', now)
      .where('properties.monitored', '=', true)
      .where('properties.detachedAt', 'is', null)
      .where(isOpen('properties.userId'))
      .select(['alerts.id', 'alerts.partOf', 'alerts.propertyId', 'properties.userId'])
      .orderBy('alerts.id')
      .forUpdate('alerts')
      .skipLocked()
      .execute()
    for (const [propertyId, woken] of Map.groupBy(due, (alert) => alert.propertyId)) {
      const [{ userId } = { userId: '' }] = woken
      // A failure for one person must not keep the alerts of others asleep.
      await inSavepoint(trx, () => wakeOf(events, trx, { userId, propertyId, woken }, now)).catch((error: unknown) =>
        log.error({ err: error, propertyId }, 'snoozed alerts could not be reopened; will retry'),
      )
    }
  })
}

async function wakeOf(
  events: EventBus,
  trx: Db,
  { userId, propertyId, woken }: { userId: string; propertyId: number; woken: readonly { id: number; partOf: number | null }[] },
  now: Date,
): Promise<void> {
  const ids = woken.map(({ id }) => id)
  await trx.updateTable('alerts').set({ state: 'firing', snoozedUntil: null }).where('id', 'in', ids).execute()
  const noted = ids.map((alertId) => ({
    alertId,
    fromState: 'snoozed' as const,
    toState: 'firing' as const,
    reason: 'snooze_over',
    at: now,
  }))
  await trx.insertInto('alertEvents').values(noted).execute()
  // They are announced by the alert that covers them.
  const announced = woken.filter(({ partOf }) => partOf === null)
  await announce(events, trx, { userId, propertyId, woken: announced.map(({ id }) => id) })
}
