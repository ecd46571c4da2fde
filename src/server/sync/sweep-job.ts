import { monthsBefore, pacificDay } from '../../core/analytics/days.ts'
import type { Db } from '../database/open.ts'
import type { FactsStore } from '../facts/store.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Queue } from '../platform/queue.ts'
import { abandonedNow, newTenancy, nightTenant, runAs } from '../platform/tenant.ts'
import { dropForgotten, longestLoadHours } from './forgotten.ts'

const sweepQueue = 'sweep-facts'

/** Hours are only useful compared with the same weeks of last year. */
const hourMonths = 13

export type SweepDeps = { db: Db; facts: FactsStore; nextLoad: () => Promise<number>; clock: Clock; log: Log }

/**
 * One sweep: deletes what belonged to deleted accounts, and what was replaced before the last sweep that is long enough ago, and notes the
 * newest load for the next one. A step that fails doesn't keep the others from being done.
 * @returns the number of replaced rows that were deleted
 * @throws AggregateError at the end, if a step failed; the reason why it is abandoned
 */
export async function sweepOnce({ db, facts, nextLoad, clock, log }: SweepDeps): Promise<number> {
  const at = clock.now()
  const settled = new Date(at.getTime() - longestLoadHours * 3_600_000)
  const mark = await db.selectFrom('factSweeps').where('at', '<=', settled).select('newestLoad').orderBy('at', 'desc').executeTakeFirst()
  const failures: unknown[] = []
  async function step(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      // The server stops, or the job took too long and is run again: nothing more is begun.
      if (abandonedNow()?.aborted) throw error
      log.error({ err: error }, `the nightly sweep could not ${what}`)
      failures.push(error)
    }
  }

  let dropped = 0
  await step('delete the facts of deleted accounts', () => dropForgotten({ db, facts, clock, log }, settled, mark?.newestLoad ?? null))
  await step('delete replaced facts', async () => {
    if (!mark) return
    const { rows, unfit } = await facts.sweep(mark.newestLoad)
    dropped = rows
    if (unfit) log.warn(unfit, 'replaced facts are not all deleted yet: the disk has no room to rewrite them')
  })
  await step('delete old hours', async () => {
    const unfit = await facts.forgetHours(monthsBefore(pacificDay(at), hourMonths))
    if (unfit) log.warn(unfit, 'old hours are not all deleted yet: the disk has no room to rewrite them')
  })
  await step('note the newest load', async () => {
    await db
      .insertInto('factSweeps')
      .values({ at, newestLoad: await nextLoad() })
      .execute()
    await db
      .deleteFrom('factSweeps')
      .where('at', '<', new Date(at.getTime() - 30 * 86_400_000))
      .execute()
  })
  if (dropped > 0) log.info({ rows: dropped }, 'replaced facts were deleted')
  if (failures.length > 0) throw new AggregateError(failures, 'Some steps of the nightly sweep failed')
  return dropped
}

/** Sweeps the facts every night, in one process at a time. */
export async function workOnSweeps(queue: Queue, deps: SweepDeps): Promise<void> {
  await queue.defineQueue(sweepQueue, { policy: 'exclusive', expireInSeconds: 4 * 3600, retryDelay: 15 * 60 })
  await queue.work<object>(sweepQueue, {}, async ({ signal }) => void (await runAs(newTenancy(signal, nightTenant), () => sweepOnce(deps))))
  await queue.schedule(sweepQueue, '17 3 * * *', 'UTC')
}
