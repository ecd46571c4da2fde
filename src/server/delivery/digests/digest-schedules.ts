import { sql } from 'kysely'
import type { DeliverySettings } from '../../../contract/delivery/delivery.ts'
import { nextDigest } from '../../../core/delivery/times.ts'
import type { Db } from '../../database/open.ts'
import { isOpen } from '../../database/open-accounts.ts'
import type { Log } from '../../platform/log.ts'

/** A next digest is never more than two weeks away; one that seems to be was planned by a wrong clock. */
const tooFarMs = 15 * 24 * 3_600_000

/** The last digest sent to somebody: the time it counts from, and its kind. */
type LastDigest = { at: Date; frequency: 'daily' | 'weekly' }
type Row = { nextAt: Date; owedSince: Date | null; lastAt: Date | null; lastFrequency: LastDigest['frequency'] | null }
export type DueDigest = { dueAt: Date; isFar: boolean; last: LastDigest | null }

/** Pauses after a failure: as long as the digest has been owed, but at least and at most this. */
const pauseMs = { least: 10 * 60_000, most: 6 * 3_600_000 }

/** A digest to handle, as it was read. */
export type WaitingDigest = { userId: string; nextAt: Date; owedSince: Date | null }

/** The digests to handle, however long ago they were due, except these people's; those that failed before come after the others. */
export const digestsDue = (db: Db, now: Date, limit: number, except: readonly string[]): Promise<WaitingDigest[]> =>
  db
    .selectFrom('digestSchedules')
    .where((eb) => eb.or([eb('nextAt', '<=', now), eb('nextAt', '>', new Date(now.getTime() + tooFarMs))]))
    .where(sql<boolean>`user_id <> all(${except})`)
    .where(isOpen('digestSchedules.userId'))
    .select(['userId', 'nextAt', 'owedSince'])
    .orderBy(sql`owed_since IS NOT NULL`)
    .orderBy('nextAt')
    .limit(limit)
    .execute()

/** One of them, locked; null if another process is handling this person. */
export async function takeDue(trx: Db, userId: string, now: Date): Promise<DueDigest | null> {
  const schedule = await scheduleOf(trx, userId).skipLocked().executeTakeFirst()
  if (schedule === undefined) return null
  const isFar = schedule.nextAt.getTime() > now.getTime() + tooFarMs
  if (schedule.nextAt > now && !isFar) return null
  return { dueAt: schedule.owedSince ?? schedule.nextAt, isFar, last: lastOf(schedule) }
}

/** Sets when a person's next digest is due, based on their choice and their last digest. */
export async function scheduleDigest(
  trx: Db,
  userId: string,
  settings: DeliverySettings,
  last: LastDigest | null,
  now: Date,
): Promise<void> {
  const schedule: Row = {
    nextAt: nextDigest(settings, now, last?.at),
    owedSince: null,
    lastAt: last?.at ?? null,
    lastFrequency: last?.frequency ?? null,
  }
  await trx
    .insertInto('digestSchedules')
    .values({ userId, ...schedule })
    .onConflict((oc) => oc.column('userId').doUpdateSet(schedule))
    .execute()
}

/** After another choice or plan. Keeps a digest that is already due, or that was due but couldn't be written. */
export async function rescheduleDigest(trx: Db, userId: string, settings: DeliverySettings, now: Date): Promise<void> {
  const schedule = await scheduleOf(trx, userId).executeTakeFirst()
  if (schedule && (schedule.nextAt <= now || schedule.owedSince !== null)) return
  await scheduleDigest(trx, userId, settings, schedule ? lastOf(schedule) : null, now)
}

/**
 * Retries a digest that couldn't be written, less and less often: everybody's messages wait for its figures each time. Does nothing if it has
 * changed since it was read, because another process has written it meanwhile.
 */
export async function tryAgain(db: Db, { userId, nextAt: dueAt, owedSince: owed }: WaitingDigest, now: Date): Promise<void> {
  const owedMs = owed ? now.getTime() - owed.getTime() : 0
  const nextAt = new Date(now.getTime() + Math.min(pauseMs.most, Math.max(pauseMs.least, owedMs)))
  const owedSince = sql<Date>`coalesce(owed_since, least(next_at, ${now}))`
  await db
    .updateTable('digestSchedules')
    .set({ nextAt, owedSince })
    .where('userId', '=', userId)
    .where('nextAt', '=', dueAt)
    .where('owedSince', 'is not distinct from', owed)
    .execute()
}

type NewcomersDeps = { db: Db; settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>; log: Log }

/** People whose first property is monitored get their first digest at its next regular time. */
export async function scheduleNewcomers({ db, settingsOf, log }: NewcomersDeps, now: Date): Promise<void> {
  const newcomers = await db
    .selectFrom('properties')
    .leftJoin('digestSchedules', 'digestSchedules.userId', 'properties.userId')
    .where('properties.monitored', '=', true)
    .where('digestSchedules.userId', 'is', null)
    .where(isOpen('properties.userId'))
    .select('properties.userId')
    .distinct()
    .execute()
  for (const { userId } of newcomers) {
    try {
      const nextAt = nextDigest(await settingsOf(userId, db), now)
      const first = db.insertInto('digestSchedules').values({ userId, nextAt })
      // A choice made meanwhile wins.
      await first.onConflict((oc) => oc.doNothing()).execute()
    } catch (error) {
      // One person's problem doesn't hold up others.
      log.error({ err: error, userId }, 'a first digest could not be scheduled; will retry')
    }
  }
}

const scheduleOf = (trx: Db, userId: string) =>
  trx.selectFrom('digestSchedules').where('userId', '=', userId).select(['nextAt', 'owedSince', 'lastAt', 'lastFrequency']).forUpdate()

const lastOf = ({ lastAt, lastFrequency }: Row): LastDigest | null => lastAt && lastFrequency && { at: lastAt, frequency: lastFrequency }
