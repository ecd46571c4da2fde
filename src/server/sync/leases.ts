import { createLeases as createAnyLeases, type HoldTimes, type Lease } from '../database/leases.ts'
import type { Db } from '../database/open.ts'
import type { Log } from '../platform/log.ts'

/** A property whose days or hours are asked for. */
export type Owned = { propertyId: number; userId: string }

export type Leases = {
  /**
   * Makes this process the only one, of all there are, that asks Google about a property. Null while another asks, or
   * while `atATime` others of the same person are asked about.
   */
  claim(property: Owned, atATime: number): Promise<Lease | null>
  /** Forgets what processes before this one held. Only where there can be no other. */
  clear(): Promise<void>
}

/** Who asks Google about which property (database/leases.ts). */
export function createLeases(db: Db, kind: 'days' | 'hours', log: Log, times?: HoldTimes): Leases {
  const { claim, clear } = createAnyLeases(db, { table: 'sync_leases', kind }, log, times)
  return { claim: ({ propertyId: key, userId }, perPerson) => claim({ key, userId }, { perPerson }), clear }
}
