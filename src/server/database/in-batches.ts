import { type RawBuilder, sql } from 'kysely'
import type { Db } from './open.ts'

type Change = {
  table: string
  where: RawBuilder<unknown>
  /** What becomes of the rows; they are deleted without it. Afterwards, `where` must no longer include them. */
  set?: RawBuilder<unknown>
  /** So few that the largest of them are changed well within the time that a statement may take. */
  atOnce: number
}

/**
 * Changes or deletes many rows of a table with an `id`, some at a time: one statement for all would be rolled back as a whole once it takes
 * longer than a statement may, and every night from then on. Leaves rows that somebody else is changing to the next time. Returns how many.
 */
export async function changeInBatches(db: Db, { table, where, set, atOnce }: Change): Promise<number> {
  const change = set
    ? sql`UPDATE ${sql.table(table)} AS changed SET ${set} FROM chosen`
    : sql`DELETE FROM ${sql.table(table)} AS changed USING chosen`
  let [after, count] = [0, 0]
  for (;;) {
    const { rows } = await sql<{ id: number }>`
      WITH chosen AS MATERIALIZED (SELECT id FROM ${sql.table(table)} WHERE id > ${after} AND ${where} ORDER BY id LIMIT ${atOnce}
        FOR UPDATE SKIP LOCKED)
      ${change} WHERE changed.id = chosen.id RETURNING changed.id`.execute(db)
    count += rows.length
    if (rows.length < atOnce) return count
    after = Math.max(...rows.map(({ id }) => Number(id)))
  }
}
