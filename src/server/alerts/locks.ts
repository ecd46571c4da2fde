import { createLocks, type LockName } from '../database/locks.ts'
import type { Db } from '../database/open.ts'

/** Maximum number of concurrent evaluations in one process while they query the facts. */
const places = 2

/** One evaluation of a property at a time, over all processes. */
export type PropertyLocks = {
  /** Waits for evaluations of the same properties. */
  all<T>(propertyIds: readonly number[], work: () => Promise<T>): Promise<T>
  /** Only for those that nobody is evaluating now; the others stay due. One person's long evaluation must not hold up everybody's. */
  free<T>(propertyIds: readonly number[], work: (propertyIds: readonly number[]) => Promise<T>): Promise<T>
}

const keyOf = (id: number): LockName => `alerts:${id}`

export function createPropertyLocks(db: Db): PropertyLocks {
  const locks = createLocks(db, places)
  return {
    all: (ids, work) => locks.all(ids.map(keyOf), work),
    free: (ids, work) => locks.free(ids.map(keyOf), (keys) => work(ids.filter((id) => keys.has(keyOf(id))))),
  }
}
