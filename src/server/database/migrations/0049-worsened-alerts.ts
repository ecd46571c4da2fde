import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** News about an alert may be that it became critical while it was open. */
export const worsenedAlerts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `ALTER TABLE delivery_news DROP CONSTRAINT delivery_news_event_check,
          ADD CONSTRAINT delivery_news_event_check CHECK (event IN ('opened', 'recovered', 'woken', 'worsened'))`,
      )
      .execute(db)
  },
}
