import { sql } from 'kysely'
import type { EventBus } from '../common/events.ts'
import type { Db } from '../database/open.ts'
import type { FactsStore } from '../facts/store.ts'
import { settledProperties } from '../facts/sweep.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

/** Longest time from a load's number to its publication; generous. */
export const longestLoadHours = 12

/**
 * Forgets the properties of an account along with it (docs/decisions/0115): every query looks its property up first, so they aren't
 * read anymore, and after the next night nothing is stored.
 */
export function forgetWithAccount(events: EventBus, clock: Clock): void {
  events.on('accountDeleting', async ({ userId, transaction }) => {
    const rows = await transaction.selectFrom('properties').where('userId', '=', userId).select('id').execute()
    const properties = rows.map(({ id }) => id)
    await noteForgotten(transaction, properties, clock.now())
  })
}

/** From the next night on, everything stored about these properties is deleted, whatever happens meanwhile. */
export async function noteForgotten(db: Db, properties: readonly number[], at: Date): Promise<void> {
  await sql`INSERT INTO forgotten_properties (property_id, at) SELECT unnest(${properties}::bigint[]), ${at}::timestamptz ON CONFLICT DO NOTHING`.execute(
    db,
  )
}

/**
 * Notes the property that an import is about to write rows of, and that doesn't exist yet: unless the import keeps it, its rows are
 * deleted, even if the process dies. The note is dated ahead, to when the import can no longer be under way.
 */
export async function noteUnfinished(db: Db, propertyId: number, now: Date): Promise<void> {
  const at = new Date(now.getTime() + longestLoadHours * 3_600_000)
  // An earlier version running alongside deletes the pointers of what isn't hidden.
  await db.insertInto('forgottenProperties').values({ propertyId, at, hidden: true }).execute()
}

/** @returns whether the property may come into being with this transaction; if not, it took too long, and its rows are being deleted */
export async function keepUnfinished(transaction: Db, propertyId: number, now: Date): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('forgottenProperties')
    .where('propertyId', '=', propertyId)
    .where('at', '>', now)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The import has ended: unless it kept the property, the next sweep deletes its rows. */
export async function endUnfinished(db: Db, propertyId: number, now: Date): Promise<void> {
  await db.updateTable('forgottenProperties').set({ at: now }).where('propertyId', '=', propertyId).where('at', '>', now).execute()
}

/** Those of all accounts together may be too many for a list of parameters. */
const isAmong = (ids: readonly number[]) => sql<boolean>`property_id = ANY(${ids}::bigint[])`

type ForgettingDeps = { db: Db; facts: FactsStore; clock: Clock; log: Log }

/**
 * Deletes the rows of all forgotten properties together: each deletion rewrites the months that have any of them, for all accounts. A
 * property stays noted until everything of all of them is deleted and nothing can still be storing rows of it, so that those go as well.
 * @param settled work that stores rows has ended if it began before this time
 * @param before loads numbered below have ended too; null if unknown
 */
export async function dropForgotten({ db, facts, clock, log }: ForgettingDeps, settled: Date, before: number | null): Promise<void> {
  // Once their pointers are gone, which are deleted first, only a note still says that they have rows.
  if (before !== null) await noteForgotten(db, await withoutOwner(db, facts, before), clock.now())
  const noted = await db.selectFrom('forgottenProperties').where('at', '<=', clock.now()).select('propertyId').execute()
  if (noted.length === 0) return
  const ids = noted.map(({ propertyId }) => propertyId)
  const unfit = await facts.drop(ids)
  if (unfit) {
    log.warn(
      { ...unfit, properties: ids.length },
      'the facts of deleted accounts are not all deleted yet: the disk has no room to rewrite them',
    )
    return
  }
  await db.deleteFrom('forgottenProperties').where(isAmong(ids)).where('at', '<=', settled).execute()
}

/** A sync or import under way when its property was deleted leaves orphaned facts. */
async function withoutOwner(db: Db, facts: FactsStore, before: number): Promise<number[]> {
  const stored = await facts.ask(settledProperties, before)
  const known = await db.selectFrom('properties').select('id').execute()
  const ids = new Set(known.map((row) => row.id))
  return stored.filter((id) => !ids.has(id))
}
