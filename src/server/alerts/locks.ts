import { createLock } from '../database/locks.ts'
import type { Db } from '../database/open.ts'

/** Evaluations at the same time in one process, while the facts are asked. */
const places = 2

export type PropertyLock = <T>(propertyIds: readonly number[], work: () => Promise<T>) => Promise<T>

/** One evaluation of a property at a time. */
export function createPropertyLock(db: Db): PropertyLock {
  const lock = createLock(db, places)
  return (propertyIds, work) =>
    lock(
      propertyIds.map((id) => `alerts:${id}`),
      work,
    )
}
