import type { Db } from './open.ts'

/** Does work in the transaction that somebody has begun, which then commits it; otherwise in one of its own. */
export const inTransaction = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)
