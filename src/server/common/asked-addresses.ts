import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { isEstablished } from '../../core/accounts/established.ts'
import { mailboxOf } from '../../core/accounts/mailbox-of.ts'
import { dayOf } from '../database/day-counts.ts'
import type { Db } from '../database/open.ts'
import { Refusal } from './errors.ts'

/** How long asks count, and refusals of a deleted account's reports apply. */
const keptMs = 90 * 24 * 3_600_000
/**
 * From all accounts together to one address: in a day, and until its reader agrees to one of them. The last few are reserved for established
 * accounts, so that five accounts created for the purpose can't keep somebody's own agency from asking.
 */
const mostAsks = { established: { aDay: 5, inAll: 15 }, others: { aDay: 3, inAll: 10 } } as const

type Asked = { hash: string; asks: number; askedOnDay: number; refusedAt: Date | null }

/**
 * What outlives the accounts that ask for consent, to reports or alerts: deleting one and registering again must not be a way to start over
 * with somebody who said no, or nothing at all.
 * @param keys hide the addresses, which belong to people without an account: the newest one, and those it replaced
 */
export function createAskedAddresses([newest, ...former]: readonly [Buffer, ...Buffer[]]) {
  const hashed = (text: string, key = newest): string => createHmac('sha256', key).update(text).digest('base64url')
  /** The same for all spellings of a mailbox: another one must not be a way to ask its reader again. */
  const hidden = (address: string): string => hashed(mailboxOf(address))
  /** In the same order for everybody: their rows stay locked until the transaction ends. */
  const allHidden = (addresses: readonly string[]): string[] => [...new Set(addresses.map((address) => hidden(address)))].toSorted()

  /** Other hashes that something about an address may be stored under: former keys', and those of its spelling, which once counted alone. */
  function earlier(address: string): string[] {
    const spelled = [mailboxOf(address), address.toLowerCase()]
    const hashes = [newest, ...former].flatMap((key) => spelled.map((text) => hashed(text, key)))
    return hashes.filter((hash) => hash !== hidden(address))
  }

  /** Changing SECRET_KEY forgets nothing: what is stored under a former hash moves to today's. */
  async function takeOver(trx: Db, addresses: readonly string[]): Promise<void> {
    const moves = addresses.flatMap((address) => earlier(address).map((old) => ({ old, hash: hidden(address) })))
    if (moves.length === 0) return
    const old = moves.map((move) => move.old)
    await sql`SELECT FROM report_asks WHERE address_hash = ANY(${old}) ORDER BY address_hash FOR UPDATE`.execute(trx)
    await sql`WITH moved AS (
        DELETE FROM report_asks USING (SELECT DISTINCT old, hash FROM unnest(${old}::text[], ${moves.map(({ hash }) => hash)}::text[]) AS move (old, hash)) AS moves
        WHERE address_hash = moves.old RETURNING moves.hash, since, asks, day, asked_on_day, refused_at)
      INSERT INTO report_asks (address_hash, since, asks, day, asked_on_day, refused_at)
        SELECT hash, min(since), sum(asks), max(day), max(asked_on_day), max(refused_at) FROM moved GROUP BY hash ORDER BY hash
        ON CONFLICT (address_hash) DO UPDATE SET
          since = least(report_asks.since, excluded.since),
          asks = report_asks.asks + excluded.asks,
          asked_on_day = CASE WHEN report_asks.day = excluded.day THEN report_asks.asked_on_day + excluded.asked_on_day
            WHEN report_asks.day < excluded.day THEN excluded.asked_on_day ELSE report_asks.asked_on_day END,
          day = greatest(report_asks.day, excluded.day),
          refused_at = greatest(report_asks.refused_at, excluded.refused_at)`.execute(trx)
  }

  return {
    /**
     * Counts one request for consent by this account to each address. Nothing is counted if the transaction fails. A refusal of a deleted account applies to accounts registered after
     * it: deleting an account to start over must not keep others from asking people they know.
     * @throws Refusal 409 for an address whose reader refused, or that was asked too often
     */
    async count(trx: Db, userId: string, addresses: readonly string[], now: Date): Promise<void> {
      await takeOver(trx, addresses)
      const old = new Date(now.getTime() - keptMs)
      const owner = await trx.selectFrom('users').where('id', '=', userId).select(['createdAt', 'emailVerified']).executeTakeFirstOrThrow()
      const most = mostAsks[isEstablished(owner, now) ? 'established' : 'others']
      const { rows } = await sql<Asked>`INSERT INTO report_asks (address_hash, since, asks, day, asked_on_day)
        SELECT hash, ${now}, count(*), ${dayOf(now)}, count(*) FROM unnest(${addresses.map(hidden)}::text[]) AS hash GROUP BY hash ORDER BY hash
        ON CONFLICT (address_hash) DO UPDATE SET
          asks = CASE WHEN report_asks.since < ${old} THEN excluded.asks ELSE report_asks.asks + excluded.asks END,
          since = CASE WHEN report_asks.since < ${old} THEN excluded.since ELSE report_asks.since END,
          asked_on_day = CASE WHEN report_asks.day = excluded.day THEN report_asks.asked_on_day + excluded.asked_on_day ELSE excluded.asked_on_day END,
          day = excluded.day
        RETURNING address_hash AS hash, asks, asked_on_day AS "askedOnDay", refused_at AS "refusedAt"`.execute(trx)
      const found = new Map(rows.map((row) => [row.hash, row]))
      for (const address of addresses) {
        const { asks = 0, askedOnDay = 0, refusedAt = null } = found.get(hidden(address)) ?? {}
        const isRefused = refusedAt !== null && refusedAt > old && owner.createdAt >= refusedAt
        // One text: it must not tell what others asked, or were answered.
        if (isRefused || askedOnDay > most.aDay || asks > most.inAll) throw cannotAsk(address, 'recipients')
      }
    },

    /**
     * The same check for alerts, whose requests are counted in another way (accounts/stranger-email-limits.ts).
     * @throws Refusal 409 for an address whose reader refused an account that was deleted before this one was registered
     */
    async mustNotHaveRefused(trx: Db, userId: string, address: string, now: Date): Promise<void> {
      await takeOver(trx, [address])
      const refusal = await trx
        .selectFrom('reportAsks')
        .innerJoin('users', (join) => join.on('users.id', '=', userId).onRef('users.createdAt', '>=', 'reportAsks.refusedAt'))
        .where('addressHash', '=', hidden(address))
        .where('refusedAt', '>', new Date(now.getTime() - keptMs))
        .select('refusedAt')
        .executeTakeFirst()
      if (refusal) throw cannotAsk(address, 'address')
    },

    /** Its reader agreed to somebody's reports. */
    async agreed(db: Db, address: string): Promise<void> {
      await takeOver(db, [address])
      await db.updateTable('reportAsks').set({ asks: 0, refusedAt: null }).where('addressHash', '=', hidden(address)).execute()
    },

    /** Whether its reader refused an account that no longer exists. */
    async isRefused(db: Db, address: string, now: Date): Promise<boolean> {
      await takeOver(db, [address])
      const old = new Date(now.getTime() - keptMs)
      const row = db.selectFrom('reportAsks').where('addressHash', '=', hidden(address)).where('refusedAt', '>', old).select('refusedAt')
      return (await row.executeTakeFirst()) !== undefined
    },

    /** They refuse an account that no longer exists, and are not asked by any that is registered from now on. */
    async refused(db: Db, addresses: readonly string[], now: Date): Promise<void> {
      await takeOver(db, addresses)
      await sql`INSERT INTO report_asks (address_hash, since, asks, day, asked_on_day, refused_at)
        SELECT hash, ${now}, 0, ${dayOf(now)}, 0, ${now} FROM unnest(${allHidden(addresses)}::text[]) AS hash
        ON CONFLICT (address_hash) DO UPDATE SET refused_at = excluded.refused_at`.execute(db)
    },
  }
}
export type AskedAddresses = ReturnType<typeof createAskedAddresses>

const cannotAsk = (address: string, field: 'recipients' | 'address'): Refusal => {
  const instead = field === 'recipients' ? 'Remove this address' : 'Enter another address'
  return new Refusal(409, `We can't send ${address} a confirmation request right now. ${instead}, or try again later.`, field)
}

/** Deletes what no longer counts. */
export async function forgetAskedAddresses(db: Db, now: Date): Promise<void> {
  const old = new Date(now.getTime() - keptMs)
  await db
    .deleteFrom('reportAsks')
    .where('since', '<', old)
    .where(({ eb, or }) => or([eb('refusedAt', 'is', null), eb('refusedAt', '<', old)]))
    .execute()
}
