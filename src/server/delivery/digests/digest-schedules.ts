import { sql } from 'kysely'
import type { DeliverySettings } from '../../../contract/delivery/delivery.ts'
import { nextDigest } from '../../../core/delivery/times.ts'
import type { Db } from '../../database/open.ts'
import type { Log } from '../../platform/log.ts'

/** Nobody's next digest is further away than two weeks; one that seems to be was planned by a clock that was wrong. */
const tooFarMs = 15 * 24 * 3_600_000

/** The last digest that somebody got: when it counts from, and what it was. */
type LastDigest = { at: Date; frequency: 'daily' | 'weekly' }
type Row = { nextAt: Date; owedSince: Date | null; lastAt: Date | null; lastFrequency: LastDigest['frequency'] | null }
export type DueDigest = { dueAt: Date; isFar: boolean; last: LastDigest | null }

/** People of whom a digest is to be looked at, however long ago it was due. */
export const peopleDue = (db: Db, now: Date, limit: number): Promise<{ userId: string }[]> =>
  db
    .selectFrom('digestSchedules')
    .where((eb) => eb.or([eb('nextAt', '<=', now), eb('nextAt', '>', new Date(now.getTime() + tooFarMs))]))
    .select('userId')
    .limit(limit)
    .execute()

/** One of them, locked; null when somebody else has this person in hand. */
export async function takeDue(trx: Db, userId: string, now: Date): Promise<DueDigest | null> {
  const schedule = await scheduleOf(trx, userId).skipLocked().executeTakeFirst()
  if (schedule === undefined) return null
  const isFar = schedule.nextAt.getTime() > now.getTime() + tooFarMs
  if (schedule.nextAt > now && !isFar) return null
  return { dueAt: schedule.owedSince ?? schedule.nextAt, isFar, last: lastOf(schedule) }
}

/** Sets when the next digest of a person is due, from what they chose and the last one that they got. */
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

/** After another choice or plan. A digest that is due by then, or could not be put together when it was, is not taken away. */
export async function rescheduleDigest(trx: Db, userId: string, settings: DeliverySettings, now: Date): Promise<void> {
  const schedule = await scheduleOf(trx, userId).executeTakeFirst()
  if (schedule && (schedule.nextAt <= now || schedule.owedSince !== null)) return
  await scheduleDigest(trx, userId, settings, schedule ? lastOf(schedule) : null, now)
}

/** Another try at a digest that could not be put together. */
export async function tryAgain(db: Db, userId: string, at: Date): Promise<void> {
  const owedSince = sql<Date>`coalesce(owed_since, next_at)`
  await db.updateTable('digestSchedules').set({ nextAt: at, owedSince }).where('userId', '=', userId).execute()
}

type NewcomersDeps = { db: Db; settingsOf: (userId: string, trx: Db) => Promise<DeliverySettings>; log: Log }

/** People whose first property is monitored get their first digest at the next time there is one. */
export async function scheduleNewcomers({ db, settingsOf, log }: NewcomersDeps, now: Date): Promise<void> {
  const newcomers = await db
    .selectFrom('properties')
    .leftJoin('digestSchedules', 'digestSchedules.userId', 'properties.userId')
    .where('properties.monitored', '=', true)
    .where('digestSchedules.userId', 'is', null)
    .select('properties.userId')
    .distinct()
    .execute()
  for (const { userId } of newcomers) {
    try {
      const nextAt = nextDigest(await settingsOf(userId, db), now)
      const first = db.insertInto('digestSchedules').values({ userId, nextAt })
      // Where they have chosen something meanwhile, that holds.
      await first.onConflict((oc) => oc.doNothing()).execute()
    } catch (error) {
      // One person's trouble, such as an account that is deleted at this moment, does not keep others from being told.
      log.error({ err: error, userId }, 'the first digest of a person could not be planned and is tried again later')
    }
  }
}

const scheduleOf = (trx: Db, userId: string) =>
  trx.selectFrom('digestSchedules').where('userId', '=', userId).select(['nextAt', 'owedSince', 'lastAt', 'lastFrequency']).forUpdate()

const lastOf = ({ lastAt, lastFrequency }: Row): LastDigest | null => lastAt && lastFrequency && { at: lastAt, frequency: lastFrequency }
