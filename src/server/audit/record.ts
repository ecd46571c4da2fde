import { type RawBuilder, sql } from 'kysely'
import type { AuditedChange } from '../../contract/audit.ts'
import type { Db } from '../database/open.ts'
import { networkOf } from '../platform/network-of.ts'
import { originUnderWay, reader } from './origin.ts'
import { listed as inWords } from '../../core/words.ts'

/** Programs can send names of any length. */
const longestAgent = 512
/** Events of one kind kept per account in 24 hours: someone who repeats one for hours has long been noticed. */
const mostADay = 200

/**
 * Records for the user what happened to their account, and where it came from; does nothing if the account has been deleted meanwhile.
 * @param db the transaction of the change itself, if any: then both are stored, or neither
 */
export const recordEvent = (db: Db, userId: string, change: AuditedChange, at: Date): Promise<void> =>
  recordEvents(db, userId, [change], at)

/** Same for several changes of one kind, in one statement: others may be waiting for a lock that this transaction holds. */
export async function recordEvents(db: Db, userId: string, changes: readonly AuditedChange[], at: Date): Promise<void> {
  const kind = changes[0]?.kind
  if (kind === undefined) return
  const { actor, address, agent } = from(originUnderWay())
  await sql`INSERT INTO audit_events (user_id, at, kind, actor, address, agent, details)
    SELECT users.id, ${at}, ${kind}, ${actor}, ${address}, ${agent}, change.details::jsonb
    FROM users, unnest(${changes.map(detailsOf)}::text[]) WITH ORDINALITY AS change (details, place) WHERE users.id = ${userId}
    ORDER BY place LIMIT ${roomFor(sql`${userId}`, kind, at)} FOR KEY SHARE OF users`.execute(db)
}

/** How many more events of this kind may be kept. Counted without a lock: no change waits for another, and a few extra do no harm. */
const roomFor = (userId: RawBuilder<unknown>, kind: AuditedChange['kind'], at: Date) =>
  sql<number>`(SELECT ${mostADay} - count(*) FILTER (WHERE latest.at > ${new Date(at.getTime() - 24 * 3_600_000)}) FROM (
    SELECT audit_events.at FROM audit_events WHERE user_id = ${userId} AND kind = ${kind} ORDER BY audit_events.id DESC LIMIT ${mostADay}) AS latest)`

/**
 * Records a failed login. It takes the same time whether or not the name exists: the same statements are sent, and none waits for the disk.
 */
export async function recordFailedSignIn(db: Db, username: string | null, at: Date): Promise<void> {
  const change: AuditedChange = { kind: 'sign-in-failed', details: { at: 'password' } }
  const { actor, address, agent } = from(originUnderWay())
  await db.transaction().execute(async (trx) => {
    await sql`SET LOCAL synchronous_commit = off`.execute(trx)
    await sql`INSERT INTO audit_events (user_id, at, kind, actor, address, agent, details)
      SELECT id, ${at}, ${change.kind}, ${actor}, ${address}, ${agent}, ${detailsOf(change)}::jsonb FROM users WHERE username = ${username}
        AND ${roomFor(sql.ref('users.id'), change.kind, at)} > 0`.execute(trx)
  })
}

/** Names listed in one event. */
const mostNamed = 5

/** A list of names for an event: the first ones, and how many more there are. */
export function listed(names: readonly string[]): string {
  const [shown, others] = [names.slice(0, mostNamed), names.length - mostNamed]
  return inWords(others > 0 ? [...shown, `${others} more`] : shown)
}

/** Networks recorded per key; more would be a log of its own. */
const mostNetworks = 100

/** Records the use of a key: once per network it is used from. */
export async function recordKeyUse(db: Db, userId: string, key: { id: number; name: string }, at: Date): Promise<void> {
  const { address } = from(originUnderWay())
  if (address === null) return
  const { rows } = await sql<{ address: string | null }>`SELECT DISTINCT address FROM audit_events
    WHERE user_id = ${userId} AND kind = 'key-used' AND details->>'id' = ${String(key.id)}`.execute(db)
  const isKnown = rows.some((used) => used.address !== null && networkOf(used.address) === networkOf(address))
  if (isKnown || rows.length >= mostNetworks) return
  await recordEvent(db, userId, { kind: 'key-used', details: { name: key.name, id: String(key.id) } }, at)
}

function from(origin: ReturnType<typeof originUnderWay>) {
  if (origin === undefined || origin === reader) return { actor: origin ?? 'house', address: null, agent: null }
  return { actor: origin.key === null ? 'person' : 'key', address: origin.address, agent: origin.agent?.slice(0, longestAgent) ?? null }
}

/** PostgreSQL's JSON allows neither null bytes nor lone surrogates, which names may contain. */
const storable = (_name: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value)

const detailsOf = ({ details }: AuditedChange): string => {
  const origin = originUnderWay()
  const byKey = origin === undefined || origin === reader ? null : origin.key
  return JSON.stringify({ ...details, ...(byKey !== null && { byKey }) }, storable)
}
