import type { Db } from './open.ts'

/** Runs work in the caller's open transaction, if any; otherwise in its own. */
export const inTransaction = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)
