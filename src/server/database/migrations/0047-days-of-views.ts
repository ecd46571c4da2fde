import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Views saved without days meant the explorer's 28; its default is now that of all screens. */
export const daysOfViews: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `UPDATE saved_explorations SET content = content || CASE WHEN content = '' THEN '' ELSE '&' END || 'range=28d'
          WHERE kind = 'view' AND content NOT LIKE 'range=%' AND content NOT LIKE '%&range=%'`,
      )
      .execute(db)
  },
}
