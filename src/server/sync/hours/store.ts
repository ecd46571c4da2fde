import { sql } from 'kysely'
import { type PlanId, planId } from '../../../contract/user.ts'
import { hourlyRefusal } from '../../../core/billing/entitlements.ts'
import { type Offer, planUnder } from '../../../core/billing/offer.ts'
import type { Db } from '../../database/open.ts'
import type { HourSyncsTable } from '../../database/hour-tables.ts'
import { type Owned, propertyExists, roundRobin, syncedProperties } from '../property-queue.ts'

/** A property whose hours are to be stored. */
export type HourTarget = {
  propertyId: number
  userId: string
  name: string
  /** When its owner last gave consent to Google. */
  consentAt: Date
  /** Others have yet to be told about the stored hours. */
  toTell: boolean
}

/** The plans that include hours, where plans matter. */
const hourlyPlans = (offer: Offer): PlanId[] => planId.options.filter((plan) => hourlyRefusal(planUnder(offer, plan)) === null)

/**
 * The latest time a property's hours should have been fetched: once an hour, at a minute of its own to spread the load. 37 has no factor in
 * common with 60, so neighbors, often of one owner, are far apart.
 */
const lastTurn = (now: Date) => sql<Date>`date_trunc('hour', ${now}::timestamptz - make_interval(mins => (properties.id * 37 % 60)::int))
  + make_interval(mins => (properties.id * 37 % 60)::int)`

export function createHourSyncStore(db: Db, offer: Offer) {
  /** Properties of people who have hours and a working Google account; a property that Google refuses waits until its days sync again. */
  const hourly = () =>
    syncedProperties(db)
      .innerJoin('people', 'people.userId', 'properties.userId')
      .innerJoin('googleConnections', 'googleConnections.userId', 'properties.userId')
      .leftJoin('hourSyncs', 'hourSyncs.propertyId', 'properties.id')
      .where('people.plan', 'in', hourlyPlans(offer))
      .where('googleConnections.state', '=', 'ok')
      .where(sql<boolean>`coalesce(property_syncs.state NOT IN ('permission_missing', 'property_form'), true)`)

  async function note(propertyId: number, what: Partial<Omit<HourSyncsTable, 'propertyId'>>): Promise<void> {
    await db
      .insertInto('hourSyncs')
      .values({ propertyId, toTell: false, ...what })
      .onConflict((oc) => oc.column('propertyId').doUpdateSet(what))
      .execute()
  }

  return {
    note,

    /** Null if its hours are not (or no longer) to be stored. */
    async target(propertyId: number): Promise<HourTarget | null> {
      const row = await hourly()
        .where('properties.id', '=', propertyId)
        .select(['properties.id as propertyId', 'properties.userId', 'properties.name', 'googleConnections.connectedAt as consentAt'])
        .select((eb) => eb.fn.coalesce('hourSyncs.toTell', sql<boolean>`false`).as('toTell'))
        .executeTakeFirst()
      return row ?? null
    },

    /** Nobody waits for its hours anymore. */
    async notAwaited(propertyId: number): Promise<void> {
      await db.updateTable('hourSyncs').set({ awaitedUntil: null }).where('propertyId', '=', propertyId).execute()
    },

    exists: (propertyId: number): Promise<boolean> => propertyExists(db, propertyId),

    /**
     * Properties due since their last fetch, or whose wait is over, of everybody or of one person: each person's first before anybody's
     * second, and no more per person than they have places.
     */
    async due(now: Date, userId?: string): Promise<Owned[]> {
      const due = hourly()
        .where((eb) =>
          eb.or([
            eb('hourSyncs.retryAt', '<=', now),
            eb.and([
              eb('hourSyncs.retryAt', 'is', null),
              eb.or([eb('hourSyncs.askedAt', 'is', null), eb('hourSyncs.askedAt', '<', lastTurn(now))]),
            ]),
          ]),
        )
        .$if(userId !== undefined, (qb) => qb.where('properties.userId', '=', userId ?? ''))
        .select(['properties.id as propertyId', 'properties.userId'])
        .select(
          sql<number>`row_number() OVER (PARTITION BY properties.user_id ORDER BY hour_syncs.asked_at ASC NULLS FIRST, properties.id)`.as(
            'place',
          ),
        )
      return roundRobin(db, due)
    },

    /** A person's properties whose hours are to be stored. */
    async ofPerson(userId: string): Promise<number[]> {
      const rows = await hourly().where('properties.userId', '=', userId).select('properties.id').execute()
      return rows.map((row) => row.id)
    },
  }
}
export type HourSyncStore = ReturnType<typeof createHourSyncStore>
