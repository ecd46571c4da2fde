import { takeOfDay, usedOfDay } from '../../database/day-counts.ts'
import type { Db } from '../../database/open.ts'
import type { Clock } from '../../platform/clock.ts'

type Charging = { userId: string; aDay: number; step: number; isFree: boolean }

/**
 * Charges what an import reads to its account's day while it is read: the account's other imports, in any process, share the allowance, and
 * a process that is killed leaves no more than a step uncharged.
 */
export function createDayCharge({ db, clock }: { db: Db; clock: Clock }, { userId, aDay, step, isFree }: Charging) {
  const sent = { what: 'import-row', whose: userId } as const
  let [asked, isUsedUp] = [0, false]
  let last = Promise.resolve()

  async function takeAfter(before: Promise<void>, wanted: number): Promise<void> {
    await before
    const taken = await db.transaction().execute((trx) => takeOfDay(trx, sent, wanted, aDay, clock.now()))
    if (taken < wanted) isUsedUp = true
  }

  function charge(worth: number): void {
    const wanted = worth - asked
    if (isFree || wanted <= 0) return
    asked = worth
    last = takeAfter(last, wanted)
    // Thrown by whoever waits for it.
    last.catch(() => {})
  }

  return {
    /** Rows that the account may still send today. */
    left: async (): Promise<number> => (isFree ? Infinity : aDay - (await usedOfDay(db, sent, clock.now()))),
    /** Notes that what was read so far counts as this many rows; returns false once others have used up the day's. */
    note(worth: number): boolean {
      if (worth - asked >= step) charge(worth)
      return !isUsedUp
    },
    /** Whether there was room for all steps so far. */
    async hadRoom(): Promise<boolean> {
      await last
      return !isUsedUp
    },
    /** Charges the rest: the import is over. */
    async end(worth: number): Promise<void> {
      charge(worth)
      await last
    },
  }
}
