import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../database/open.ts'
import type { Log } from '../platform/log.ts'

/** A property whose days or hours are asked for. */
export type Owned = { propertyId: number; userId: string }

export type Lease = {
  /** Aborted when it can no longer be kept up: by then somebody else may be at it. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

export type Leases = {
  /**
   * Makes this process the only one, of all there are, that asks Google about a property. Null while another asks, or
   * while `atATime` others of the same person are asked about.
   */
  claim(property: Owned, atATime: number): Promise<Lease | null>
  /** Forgets what processes before this one held. Only where there can be no other. */
  clear(): Promise<void>
}

/** A process that dies holds its properties for so long; one that lives renews its hold in good time. */
type HoldTimes = { heldMs: number; renewEveryMs: number }
const usualTimes: HoldTimes = { heldMs: 10_000, renewEveryMs: 3_000 }

/**
 * Rows with an end rather than locks of a database session: they end by themselves even when a whole machine is lost,
 * need no connection of their own, and pass through a pooler of connections. Time is PostgreSQL's.
 */
export function createLeases(db: Db, kind: 'days' | 'hours', log: Log, { heldMs, renewEveryMs } = usualTimes): Leases {
  const owner = randomUUID()
  const held = new Map<number, { abort: AbortController; sure: number }>()
  let renewing: NodeJS.Timeout | undefined
  const until = sql<Date>`clock_timestamp() + make_interval(secs => ${heldMs / 1000})`

  async function renew(): Promise<void> {
    const asked = [...held]
    const ids = asked.map(([id]) => id)
    const began = performance.now()
    const rows = await db
      .updateTable('syncLeases')
      .set({ until })
      .where('kind', '=', kind)
      .where('owner', '=', owner)
      .where(sql<boolean>`property_id = any(${ids})`)
      .returning('propertyId')
      .execute()
    const kept = new Set(rows.map(({ propertyId }) => propertyId))
    for (const [id, lease] of asked) {
      if (kept.has(id)) lease.sure = began + heldMs
      else lease.abort.abort(new Error('Another process has taken this property over'))
    }
  }

  /** Renews what is held; what could not be renewed for too long is given up before another may take it. */
  async function keepUp(): Promise<void> {
    const soon = performance.now() + renewEveryMs
    await Promise.race([
      renew().catch((error: unknown) => log.warn({ err: error }, 'the hold on properties could not be renewed')),
      new Promise((resolve) => setTimeout(resolve, renewEveryMs).unref()),
    ])
    for (const { abort, sure } of held.values()) {
      if (sure < soon) abort.abort(new Error('The hold on this property could not be renewed'))
    }
    schedule()
  }

  function schedule(): void {
    clearTimeout(renewing)
    renewing = held.size > 0 ? setTimeout(() => void keepUp(), renewEveryMs).unref() : undefined
  }

  return {
    async claim({ propertyId, userId }, atATime) {
      const began = performance.now()
      const { rows } = await sql`INSERT INTO sync_leases (kind, property_id, user_id, owner, until)
        SELECT ${kind}, ${propertyId}::bigint, ${userId}, ${owner}::uuid, ${until}
        WHERE (SELECT count(*) FROM sync_leases WHERE kind = ${kind} AND user_id = ${userId} AND until > clock_timestamp()) < ${atATime}
        ON CONFLICT (kind, property_id) DO UPDATE SET owner = excluded.owner, until = excluded.until
        WHERE sync_leases.until <= clock_timestamp() RETURNING property_id`.execute(db)
      if (rows.length === 0) return null
      const abort = new AbortController()
      held.set(propertyId, { abort, sure: began + heldMs })
      if (renewing === undefined) schedule()
      return {
        signal: abort.signal,
        async release() {
          held.delete(propertyId)
          // What cannot be let go of ends by itself.
          await db
            .deleteFrom('syncLeases')
            .where('kind', '=', kind)
            .where('propertyId', '=', propertyId)
            .where('owner', '=', owner)
            .execute()
            .catch((error: unknown) => log.warn({ err: error }, 'a property is held for some seconds longer'))
        },
      }
    },

    async clear() {
      await db.deleteFrom('syncLeases').where('kind', '=', kind).execute()
    },
  }
}
