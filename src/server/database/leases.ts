import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Log } from '../platform/log.ts'
import { forServer } from '../platform/tenant.ts'
import type { Db } from './open.ts'

/** An item a process holds, for whom, and whom else it occupies, such as a customer's server. */
export type Hold = { key: string | number; userId: string; place?: string }
/** Maximum number held at once for one person, and for one other party, over all processes. */
export type Limits = { perPerson: number; perPlace?: number }

export type Lease = {
  /** Aborted when it can't be kept: somebody else may be working on it by then. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

export type Leases = {
  /** Makes this process the only one of all that holds the item. Null if another does, or at a limit. */
  claim(hold: Hold, limits: Limits): Promise<Lease | null>
  /** Forgets leases of earlier processes. Only where there can be no other. */
  clear(): Promise<void>
}

/** Forgets all leases of an earlier server. Only where there can be no other; for `sync_leases` see sync/index.ts. */
export const forgetLeases = async (db: Db): Promise<void> => void (await db.deleteFrom('leases').execute())

/** Where leases of a kind are stored: `sync_leases` for properties whose days or hours are fetched. */
export type LeaseKind =
  | { table: 'sync_leases'; kind: 'days' | 'hours' }
  | { table: 'leases'; kind: 'message' | 'report-mail' | 'test-message' | 'payment' }

const keyColumns = {
  sync_leases: { name: 'property_id', type: sql`bigint` },
  leases: { name: 'key', type: sql`text` },
} as const

/** A dead process's leases last this long; a live process renews them well before. */
export type HoldTimes = { heldMs: number; renewEveryMs: number }
const usualTimes: HoldTimes = { heldMs: 10_000, renewEveryMs: 3_000 }

/**
 * Rows with an expiry rather than locks of a database session: they end even if a whole machine is lost, need no connection of their own,
 * and work through a connection pooler. Uses PostgreSQL's time.
 */
export function createLeases(db: Db, { table: name, kind }: LeaseKind, log: Log, { heldMs, renewEveryMs } = usualTimes): Leases {
  const owner = randomUUID()
  const held = new Map<string, { abort: AbortController; sure: number }>()
  let renewing: NodeJS.Timeout | undefined
  const until = sql`clock_timestamp() + make_interval(secs => ${heldMs / 1000})`
  const [table, column, type] = [sql.table(name), sql.ref(keyColumns[name].name), keyColumns[name].type]

  const isOurs = (keys: readonly string[]) => sql`kind = ${kind} AND owner = ${owner} AND ${column} = any(${keys}::text[]::${type}[])`

  async function renew(): Promise<void> {
    const asked = [...held]
    const keys = asked.map(([key]) => key)
    const began = performance.now()
    // A row that somebody else holds on to must not cost the others: it is renewed next time.
    const { rows } = await sql<{ held: string; renewed: boolean }>`WITH free AS (
        SELECT ${column} FROM ${table} WHERE ${isOurs(keys)} FOR UPDATE SKIP LOCKED),
      renewed AS (UPDATE ${table} SET until = ${until} WHERE ${isOurs(keys)} AND ${column} IN (SELECT ${column} FROM free) RETURNING ${column})
      SELECT ${column}::text AS held, ${column} IN (SELECT ${column} FROM renewed) AS renewed FROM ${table} WHERE ${isOurs(keys)}`.execute(
      db,
    )
    const kept = new Map(rows.map((row) => [row.held, row.renewed]))
    for (const [key, lease] of asked) {
      if (kept.get(key) === true) lease.sure = began + heldMs
      else if (!kept.has(key)) lease.abort.abort(new Error('Another process has taken this over'))
    }
  }

  /** Renews leases; one that couldn't be renewed for too long is given up before another process may take it. */
  async function keepUp(): Promise<void> {
    const soon = performance.now() + renewEveryMs
    await Promise.race([
      renew().catch((error: unknown) => log.warn({ err: error, kind }, 'leases could not be renewed')),
      new Promise((resolve) => setTimeout(resolve, renewEveryMs).unref()),
    ])
    for (const { abort, sure } of held.values()) {
      if (sure < soon) abort.abort(new Error('The lease could not be renewed'))
    }
    schedule()
  }

  function schedule(): void {
    clearTimeout(renewing)
    renewing = held.size > 0 ? setTimeout(() => void forServer(keepUp), renewEveryMs).unref() : undefined
  }

  return {
    async claim({ key, userId, place }, { perPerson, perPlace }) {
      const began = performance.now()
      const others = sql`SELECT count(*) FROM ${table} WHERE kind = ${kind} AND until > clock_timestamp()`
      const [placeColumn, placeValue] = place === undefined ? [sql``, sql``] : [sql`, place`, sql`, ${place}`]
      const placeAnew = place === undefined ? sql`` : sql`, place = excluded.place`
      const hasRoom = place === undefined || perPlace === undefined ? sql`` : sql`AND (${others} AND place = ${place}) < ${perPlace}`
      const existing = sql`SELECT FROM ${table} WHERE kind = ${kind} AND ${column} = ${String(key)}::text::${type}`
      // Never waits for a row that somebody is changing: what is next in line would wait as well.
      const { rows } = await sql`INSERT INTO ${table} (kind, ${column}, user_id, owner, until${placeColumn})
        SELECT ${kind}, ${String(key)}::text::${type}, ${userId}, ${owner}::uuid, ${until}${placeValue}
        WHERE (${others} AND user_id = ${userId}) < ${perPerson} ${hasRoom}
          AND (NOT EXISTS (${existing}) OR EXISTS (${existing} FOR UPDATE SKIP LOCKED))
        ON CONFLICT (kind, ${column}) DO UPDATE SET owner = excluded.owner, until = excluded.until${placeAnew}
        WHERE ${table}.until <= clock_timestamp() RETURNING owner`.execute(db)
      if (rows.length === 0) return null
      const abort = new AbortController()
      held.set(String(key), { abort, sure: began + heldMs })
      if (renewing === undefined) schedule()
      return {
        signal: abort.signal,
        async release() {
          held.delete(String(key))
          // A lease that can't be released expires.
          await sql`DELETE FROM ${table} WHERE kind = ${kind} AND owner = ${owner} AND ${column} = ${String(key)}::text::${type}`
            .execute(db)
            .catch((error: unknown) => log.warn({ err: error, kind }, 'a lease could not be released; it will expire'))
        },
      }
    },

    async clear() {
      await sql`DELETE FROM ${table} WHERE kind = ${kind}`.execute(db)
    },
  }
}
