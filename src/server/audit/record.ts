import { sql } from 'kysely'
import type { AuditedChange } from '../../contract/audit.ts'
import type { Db } from '../database/open.ts'
import { type Origin, originUnderWay } from './origin.ts'

/** Programs may name themselves at any length. */
const longestAgent = 512
/** Events of one kind that are kept of an account's last 24 hours: whoever repeats one for hours has long been seen. */
const mostADay = 200

/**
 * Notes for a person's own eyes what happened to their account, with where it came from; nothing of one that is deleted meanwhile.
 * @param db the transaction of the thing itself where there is one: then both are stored, or neither
 */
export async function recordEvent(db: Db, userId: string, change: AuditedChange, at: Date): Promise<void> {
  const { actor, address, agent } = from(originUnderWay())
  const dayBefore = new Date(at.getTime() - 24 * 3_600_000)
  // Counted, not locked: nobody's change waits for another, and a few more do no harm.
  await sql`INSERT INTO audit_events (user_id, at, kind, actor, address, agent, details)
    SELECT id, ${at}, ${change.kind}, ${actor}, ${address}, ${agent}, ${detailsOf(change)}::jsonb FROM users WHERE id = ${userId}
      AND (SELECT count(*) FROM (SELECT 1 FROM audit_events WHERE user_id = ${userId} AND kind = ${change.kind} AND at > ${dayBefore}
        LIMIT ${mostADay}) AS latest) < ${mostADay} FOR KEY SHARE`.execute(db)
}

/**
 * A login that failed. It takes the same time whether or not somebody has that name: the same statements are sent, and
 * none waits for the disk.
 */
export async function recordFailedSignIn(db: Db, username: string | null, at: Date): Promise<void> {
  const change: AuditedChange = { kind: 'sign-in-failed', details: { at: 'password' } }
  const { actor, address, agent } = from(originUnderWay())
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL synchronous_commit = off`.execute(trx)
    await sql`INSERT INTO audit_events (user_id, at, kind, actor, address, agent, details)
      SELECT id, ${at}, ${change.kind}, ${actor}, ${address}, ${agent}, ${detailsOf(change)}::jsonb FROM users WHERE username = ${username}`.execute(
      trx,
    )
  })
}

/** Addresses of which the use of one key is told; more would be a log of its own. */
const mostAddresses = 100

/** A key was used: told once for every address it is used from. */
export async function recordKeyUse(db: Db, userId: string, key: { id: number; name: string }, at: Date): Promise<void> {
  const change: AuditedChange = { kind: 'key-used', details: { name: key.name, id: String(key.id) } }
  const { actor, address, agent } = from(originUnderWay())
  const known = sql`SELECT address FROM audit_events WHERE user_id = ${userId} AND kind = 'key-used' AND details->>'id' = ${String(key.id)}`
  await sql`INSERT INTO audit_events (user_id, at, kind, actor, address, agent, details)
    SELECT ${userId}, ${at}, ${change.kind}, ${actor}, ${address}, ${agent}, ${detailsOf(change)}::jsonb
    WHERE ${address}::text IS NOT NULL AND ${address} <> ALL (${known}) AND (SELECT count(*) FROM (${known}) AS used) < ${mostAddresses}`.execute(
    db,
  )
}

const from = (origin: Origin | undefined) => ({
  actor: origin === undefined ? ('house' as const) : origin.key === null ? ('person' as const) : ('key' as const),
  address: origin?.address ?? null,
  agent: origin?.agent?.slice(0, longestAgent) ?? null,
})

/** JSON in PostgreSQL takes neither null bytes nor half characters, which names may hold. */
const storable = (_name: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value)

const detailsOf = ({ details }: AuditedChange): string => {
  const byKey = originUnderWay()?.key ?? null
  return JSON.stringify({ ...details, ...(byKey !== null && { byKey }) }, storable)
}
