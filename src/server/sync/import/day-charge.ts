import { takeOfDay, usedOfDay } from '../../database/day-counts.ts'
import type { Db } from '../../database/open.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { withoutTurns } from '../../platform/tenant.ts'

type Charging = { userId: string; aDay: number; step: number; isFree: boolean }

/** How many charges in a row may fail before reading stops: a busy minute of the database must not cost an hour of reading. */
const mostFailures = 3

/**
 * Charges what an import reads to its account's day while it is read: the account's other imports, in any process, share the allowance, and
 * a process that is killed leaves no more than a step uncharged. The next charge includes what one that failed did not.
 */
export function createDayCharge({ db, clock, log }: { db: Db; clock: Clock; log?: Log }, { userId, aDay, step, isFree }: Charging) {
  const sent = { what: 'import-row', whose: userId } as const
  let [asked, isUsedUp, failures] = [0, false, 0]
  let failure: unknown
  let last = Promise.resolve()

  async function takeAfter(before: Promise<void>, wanted: number): Promise<void> {
    await before
    try {
      // As the server's own work: the account could make its own line for connections so long that nothing is charged.
      const taken = await withoutTurns(() => db.transaction().execute((trx) => takeOfDay(trx, sent, wanted, aDay, clock.now())))
      failures = 0
      if (taken < wanted) isUsedUp = true
    } catch (error) {
      asked -= wanted
      failures += 1
      failure = error
    }
  }

  function charge(worth: number): Promise<void> {
    const wanted = worth - asked
    if (isFree || wanted <= 0) return last
    asked = worth
    last = takeAfter(last, wanted)
    return last
  }

  /** Charges all of it, with one more try. @returns whether that worked */
  async function chargeAll(worth: number): Promise<boolean> {
    await last
    await charge(worth)
    if (failures > 0) await charge(worth)
    return failures === 0
  }

  return {
    /** Rows that the account may still send today. */
    left: async (): Promise<number> => (isFree ? Infinity : aDay - (await usedOfDay(db, sent, clock.now()))),
    /**
     * Notes that what was read so far counts as this many rows; returns false once others have used up the day's.
     * @throws what charges fail with, after several in a row
     */
    note(worth: number): boolean {
      if (failures >= mostFailures) throw failure
      if (worth - asked >= step) void charge(worth)
      return !isUsedUp
    },
    /** Whether there was room for all steps so far. @throws what charges fail with: nothing uncharged may be stored */
    async hadRoom(worth: number): Promise<boolean> {
      await last
      if (failures > 0 && !(await chargeAll(worth))) throw failure
      return !isUsedUp
    },
    /** Charges the rest: the import is over, and its result stays what it is. */
    async end(worth: number): Promise<void> {
      if (!(await chargeAll(worth))) log?.error({ err: failure, userId, rows: worth - asked }, 'Imported rows could not be charged')
    },
  }
}
