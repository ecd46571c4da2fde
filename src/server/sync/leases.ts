import { createLeases as createAnyLeases, type HoldTimes, type Lease } from '../database/leases.ts'
import type { Db } from '../database/open.ts'
import type { Log } from '../platform/log.ts'

/** A property whose days or hours are fetched. */
export type Owned = { propertyId: number; userId: string }

export type Leases = {
  /**
   * Makes this process the only one of all that asks Google about a property. Null if another does, or if `atATime` others of the same
   * person are being asked about.
   */
  claim(property: Owned, atATime: number): Promise<Lease | null>
  /** Forgets leases of earlier processes. Only where there can be no other. */
  clear(): Promise<void>
}

/** Tracks who asks Google about which property (database/leases.ts). */
export function createLeases(db: Db, kind: 'days' | 'hours', log: Log, times?: HoldTimes): Leases {
  const { claim, clear } = createAnyLeases(db, { table: 'sync_leases', kind }, log, times)
  return { claim: ({ propertyId: key, userId }, perPerson) => claim({ key, userId }, { perPerson }), clear }
}
