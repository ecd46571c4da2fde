import { sql } from 'kysely'
import { isGivenUp, nextAttempt } from '../../core/delivery/retries.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { createHandOut, type HandOutDeps, type Waiting } from './fair-dispatch.ts'
import { createLeases } from './leases.ts'
import type { Db } from './open.ts'
import { isOpen } from './open-accounts.ts'

/** Tables of what is sent to outside parties: `waiting` until it is `sent` or `failed`. */
const outboxes = {
  notifications: { kind: 'message', lane: ['user_id', 'channel'] },
  report_mails: { kind: 'report-mail', lane: ['user_id'] },
} as const

/** What came of an attempt. `later`: worth another one. */
export type Result =
  | { outcome: 'sent' }
  | { outcome: 'later'; detail: string; retryAfterMs?: number | undefined }
  | { outcome: 'refused'; detail: string }

type Attempted = { attempts: number; giveUpAt: Date }

/** People whose rows are looked up at once. */
const mostLanes = 500
/** A pause is at most a day; one that seems longer was set by a wrong clock. */
const tooFarMs = 2 * 24 * 3_600_000

export type OutboxDeps = { db: Db; clock: Clock; log: Log; random?: (() => number) | undefined }

/**
 * Sends the rows of an outbox until the other side accepts them, with people taking turns. A row is leased (leases.ts) from before it is
 * sent until its result is stored: no two processes send the same one, and a dying process gives it back within seconds. While waiting for
 * the other side, no transaction is open and no database connection is taken (docs/decisions/0051).
 */
export function createOutbox<W extends Waiting>(name: keyof typeof outboxes, { db, clock, log, random = Math.random }: OutboxDeps) {
  const { kind, lane } = outboxes[name]
  const table = sql.table(name)
  const column = (of: string) => sql.ref(`${name}.${of}`)
  const laneColumns = sql.join(lane.map(column))
  const laneName = sql.join(lane.map(column), sql` || ' ' || `)
  const isDue = () => {
    const now = clock.now()
    const tooFar = new Date(now.getTime() + tooFarMs)
    return sql<boolean>`${column('state')} = 'waiting' AND (${column('next_attempt_at')} <= ${now} OR ${column('next_attempt_at')} > ${tooFar})`
  }
  const isInHand = sql`EXISTS (SELECT FROM leases
    WHERE leases.kind = ${sql.lit(kind)} AND leases.key = ${column('id')}::text AND leases.until > clock_timestamp())`

  /** Per lane, the row due the longest that nobody is sending. */
  async function next(without: readonly string[]): Promise<W[]> {
    const { rows } = await sql<W>`SELECT * FROM (
      SELECT DISTINCT ON (${laneColumns}) id, next_attempt_at, ${laneColumns}, ${laneName} AS lane FROM ${table}
      WHERE ${isDue()} AND ${isOpen(`${name}.user_id`)} AND NOT ${isInHand} AND ${laneName} <> ALL (${[...without]}::text[])
      ORDER BY ${laneColumns}, next_attempt_at, id) AS first
    ORDER BY next_attempt_at, id LIMIT ${sql.lit(mostLanes)}`.execute(db)
    return rows
  }

  async function heldElsewhere(): Promise<boolean> {
    const { rows } = await sql`SELECT 1 FROM ${table} WHERE ${isDue()} AND ${isInHand} LIMIT 1`.execute(db)
    return rows.length > 0
  }

  return {
    /** For queries of its rows. */
    isDue,

    /** Shows whether a row has changed since it was read. */
    version: sql<string>`${column('xmin')}::text`.as('version'),

    /** Sends everything that is due, including what `look` finds meanwhile; stops early on the signal. */
    sendDue: (choices: Pick<HandOutDeps<W>, 'places' | 'perPerson' | 'placeOf' | 'work'>) =>
      createHandOut<W>({ ...choices, leases: createLeases(db, { table: 'leases', kind }, log), next, heldElsewhere }),

    /**
     * Stores a result, unless the row changed meanwhile, or is changing: somebody may have requested it again, or be deleting their account.
     * Doesn't wait for them, since others wait for their messages.
     */
    async ifUnchanged({ id, version }: { id: number; version: string }, store: (trx: Db) => Promise<void>): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { rows } = await sql`SELECT 1 FROM ${table}
          WHERE id = ${id} AND state = 'waiting' AND ${column('xmin')}::text = ${version} FOR NO KEY UPDATE SKIP LOCKED`.execute(trx)
        if (rows.length > 0) await store(trx)
      })
    },

    /** A row's columns after an attempt. */
    after({ attempts: before, giveUpAt }: Attempted, result: Result) {
      const now = clock.now()
      const attempts = before + 1
      if (result.outcome === 'sent') return { state: 'sent', attempts, sentAt: now, detail: null } as const
      const { detail } = result
      return result.outcome === 'later' && !isGivenUp(now, attempts, giveUpAt)
        ? ({ state: 'waiting', attempts, detail, nextAttemptAt: nextAttempt(now, attempts, result.retryAfterMs, random()) } as const)
        : ({ state: 'failed', attempts, detail } as const)
    },
  }
}
