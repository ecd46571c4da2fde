import { sql } from 'kysely'

/**
 * Leaves out closed accounts. Nothing is done for them; one that is being erased, which may take minutes, would also keep waiting whoever
 * changes something of it.
 * @param userId the column
 */
export const isOpen = (userId: string) =>
  sql<boolean>`${sql.ref(userId)} NOT IN (SELECT people.user_id FROM people WHERE people.closed_at IS NOT NULL)`
