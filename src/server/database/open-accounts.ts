import { sql } from 'kysely'

/**
 * Leaves out closed accounts. Nothing is done for them, and anything that changes one while it is being erased would wait, maybe for
 * minutes.
 * @param userId the column
 */
export const isOpen = (userId: string) =>
  sql<boolean>`${sql.ref(userId)} NOT IN (SELECT people.user_id FROM people WHERE people.closed_at IS NOT NULL)`
