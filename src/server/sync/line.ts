import { z } from 'zod'
import type { Queue } from '../platform/queue.ts'
import type { Owned } from './leases.ts'

/** Who waits to be asked about: people take turns, however many properties each has (docs/decisions/0032). */
export type SyncLine = {
  /** Has a property asked about soon, in whichever process; asking twice does no harm. */
  send(property: Owned, options?: { urgent?: boolean; startAfter?: Date }): Promise<void>
  /**
   * Sends as many of these as their owners have places for; the others are still due when one is free.
   * @param ending a job that is about to end
   */
  admit(properties: readonly Owned[], ending?: string): Promise<void>
  /** Whether half of a person's places are free. */
  hasRoom(userId: string, ending?: string): Promise<boolean>
  /** Whether somebody else is next. */
  othersWait(userId: string): Promise<boolean>
}

/**
 * Places of one person: so many of their properties wait or are asked about at once, over all processes. It is what
 * uses their quota up, at a few requests of each property under way; more would only sit in workers and wait for it.
 */
export const placesOfPerson = 6

/** What a job in line holds. */
export const ownedProperty = z.object({ propertyId: z.number(), userId: z.string() })

export function createLine(queue: Queue, name: string): SyncLine {
  const keyOf = ({ propertyId }: Owned) => String(propertyId)
  return {
    async send(property, options = {}) {
      await queue.send(name, property, { singletonKey: keyOf(property), group: property.userId, ...options })
    },
    async admit(properties, ending) {
      const jobs = properties.map((property) => ({ group: property.userId, singletonKey: keyOf(property), data: property }))
      await queue.sendInLine(name, jobs, placesOfPerson, ending)
    },
    hasRoom: async (userId, ending) => (await queue.inLine(name, userId, ending)) * 2 <= placesOfPerson,
    othersWait: (userId) => queue.othersWait(name, userId),
  }
}
