import { sql } from 'kysely'
import type { Db } from '../database/open.ts'

/** Evaluations at the same time in one process: each holds a database connection while the facts are asked. */
const places = 2

export type PropertyLock = <T>(propertyIds: readonly number[], work: () => Promise<T>) => Promise<T>

/** One evaluation of a property at a time, over all processes; always taken in the same order, so that none waits for another in a circle. */
export function createPropertyLock(db: Db): PropertyLock {
  let free = places
  const waiting: (() => void)[] = []
  return async (propertyIds, work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await db.transaction().execute(async (trx) => {
        const keys = propertyIds.toSorted((a, b) => a - b).map((id) => `alerts:${id}`)
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest(${keys}::text[]) WITH ORDINALITY AS keys (key, place) ORDER BY place`.execute(
          trx,
        )
        return work()
      })
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
