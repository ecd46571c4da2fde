import type { IsoDate } from '../../contract/common.ts'
import type { Db } from './open.ts'

/** Something with a daily allowance, and its owner: an account's id, a number's hash, or `everybody`. */
export type DayCount = {
  what:
    | 'api-answer-kib'
    | 'import-row'
    | 'report-mail'
    | 'report-run'
    | 'alert-mail'
    | 'alert-text'
    | 'code-text'
    | 'text'
    | 'window-row'
    | 'window-thousand-read'
    | 'snooze'
    | 'google-login'
    | 'ask-mail'
    | 'unasked-mail'
  whose: string
}
export const everybody = 'everybody'

const dayMs = 24 * 3_600_000
/** Days in UTC, so that all processes and accounts share them. */
export const dayOf = (now: Date): IsoDate => now.toISOString().slice(0, 10)

/**
 * Returns how many of `wanted` are left of the day's `most`; they are used up if the transaction commits, and its row stays locked until
 * then: take several allowances in the same order as everybody else.
 */
export async function takeOfDay(trx: Db, { what, whose }: DayCount, wanted: number, most: number, now: Date): Promise<number> {
  const day = dayOf(now)
  await trx
    .insertInto('dayCounts')
    .values({ what, whose, day, used: 0 })
    .onConflict((oc) => oc.doNothing())
    .execute()
  const row = trx.selectFrom('dayCounts').where('what', '=', what).where('whose', '=', whose).where('day', '=', day)
  const { used } = await row.select('used').forUpdate().executeTakeFirstOrThrow()
  const taken = Math.min(wanted, Math.max(0, most - used))
  const count = trx.updateTable('dayCounts').set({ used: used + taken })
  await count.where('what', '=', what).where('whose', '=', whose).where('day', '=', day).execute()
  return taken
}

/** Returns one that was taken at that time but not used. */
export async function giveBackToDay(db: Db, { what, whose }: DayCount, taken: Date): Promise<void> {
  await db
    .updateTable('dayCounts')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('what', '=', what)
    .where('whose', '=', whose)
    .where('day', '=', dayOf(taken))
    .where('used', '>', 0)
    .execute()
}

export async function usedOfDay(db: Db, { what, whose }: DayCount, now: Date): Promise<number> {
  const row = db.selectFrom('dayCounts').where('what', '=', what).where('whose', '=', whose).where('day', '=', dayOf(now))
  return (await row.select('used').executeTakeFirst())?.used ?? 0
}

/** Deletes counts of past days; yesterday's stay for processes whose clock is behind. */
export async function forgetDayCounts(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('dayCounts')
    .where('day', '<', dayOf(new Date(now.getTime() - dayMs)))
    .execute()
}
