import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../database/open.ts'
import type { Leases } from '../database/leases.ts'
import type { Database } from '../database/tables.ts'
import type { Clock } from '../platform/clock.ts'
import type { Queue } from '../platform/queue.ts'

/** A property whose days or hours are fetched; the data of a job in the queue. */
const ownedProperty = z.object({ propertyId: z.number(), userId: z.string() })
export type Owned = z.infer<typeof ownedProperty>

/** The queue of properties to fetch: people take turns, however many properties each has (docs/decisions/0032). */
export type PropertyQueue = {
  /** Enqueues a property to be fetched soon, in any process; doing it twice is harmless. */
  send(property: Owned, options?: { urgent?: boolean; startAfter?: Date }): Promise<void>
  /**
   * Sends as many of these as their owners have places for; the others stay due until one is free.
   * @param ending a job that is about to end
   */
  admit(properties: readonly Owned[], ending?: string): Promise<void>
  /** Whether half of a person's places are free. */
  hasRoom(userId: string, ending?: string): Promise<boolean>
  /** Whether somebody else is next. */
  othersWait(userId: string): Promise<boolean>
}

/**
 * Places per person: how many of their properties wait or are fetched at once, over all processes. At a few concurrent requests per
 * property, that uses up their quota; more would only sit in workers and wait for it.
 */
export const slotsPerPerson = 6

/** A request for a property that is being fetched is retried after this time. */
const againMs = 1_000

/** Creates the queue; every process needs it before sending anything. */
export async function definePropertyQueue(queue: Queue, name: string): Promise<PropertyQueue> {
  // One job waits per property. Leases ensure that only one runs: pg-boss's policies for that use a list of running keys renewed once a
  // minute, and held a property back that long after a restart.
  await queue.defineQueue(name, { policy: 'short', retryLimit: 3, retryDelay: 2, retryBackoff: true, retryDelayMax: 60 })
  const keyOf = ({ propertyId }: Owned) => String(propertyId)
  return {
    async send(property, options = {}) {
      await queue.send(name, property, { singletonKey: keyOf(property), group: property.userId, ...options })
    },
    async admit(properties, ending) {
      const jobs = properties.map((property) => ({ group: property.userId, singletonKey: keyOf(property), data: property }))
      await queue.sendFairly(name, jobs, slotsPerPerson, ending)
    },
    hasRoom: async (userId, ending) => (await queue.openJobs(name, userId, ending)) * 2 <= slotsPerPerson,
    othersWait: (userId) => queue.othersWait(name, userId),
  }
}

export type PropertyWork = { queue: Queue; name: string; propertyQueue: PropertyQueue; leases: Leases; concurrency: number }

/** Fetches the queue's properties in this process, each of them in one process at a time. */
export async function workOnProperties(
  { queue, name, propertyQueue, leases, concurrency }: PropertyWork,
  fetchOne: (property: Owned, job: { id: string; signal: AbortSignal }) => Promise<void>,
): Promise<void> {
  await queue.work<object>(name, { concurrency }, async (job) => {
    const property = ownedProperty.parse(job.data)
    const lease = await leases.claim({ key: property.propertyId, userId: property.userId }, { perPerson: slotsPerPerson })
    if (!lease) return propertyQueue.send(property, { startAfter: new Date(Date.now() + againMs) })
    try {
      await fetchOne(property, { id: job.id, signal: AbortSignal.any([job.signal, lease.signal]) })
    } finally {
      await lease.release()
    }
  })
}

/** Properties that are fetched from Google. */
export const syncedProperties = (db: Db) =>
  db
    .selectFrom('properties')
    .leftJoin('propertySyncs', 'propertySyncs.propertyId', 'properties.id')
    .where('properties.kind', '=', 'google')
    .where('properties.monitored', '=', true)
    .where('properties.detachedAt', 'is', null)

export const propertyExists = async (db: Db, propertyId: number): Promise<boolean> =>
  (await db.selectFrom('properties').where('id', '=', propertyId).select('id').executeTakeFirst()) !== undefined

type DueDeps = { store: { due(now: Date, userId?: string): Promise<Owned[]> }; clock: Clock; propertyQueue: PropertyQueue }

/** Which days or hours are due. */
export const dueProperties = ({ store, clock, propertyQueue }: DueDeps) => ({
  /** Enqueues due properties, up to each person's number of places. */
  async enqueueDue(): Promise<void> {
    await propertyQueue.admit(await store.due(clock.now()))
  },

  /** One person's properties that are due next. */
  dueOf: (userId: string): Promise<Owned[]> => store.due(clock.now(), userId),
})

/** Due properties looked up per person: twice their places, since some may be in the queue already. */
const dueOfPerson = 2 * slotsPerPerson
/** Due properties looked up at once: what many workers handle in a minute. */
const dueAtOnce = 20_000

/** Due properties, each with its place among those of its owner, from 1. */
type Due = SelectQueryBuilder<Database, never, Owned & { place: number }>

/** Orders due properties: each person's first before anybody's second, and no more per person than they have places. */
export function roundRobin(db: Db, due: Due): Promise<Owned[]> {
  return db
    .selectFrom(due.as('due'))
    .where('place', '<=', dueOfPerson)
    .select(['propertyId', 'userId'])
    .orderBy('place')
    .orderBy('propertyId')
    .limit(dueAtOnce)
    .execute()
}
