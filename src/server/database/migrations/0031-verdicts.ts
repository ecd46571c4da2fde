import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** People's ratings of alerts: useful or noise. Nobody has rated one yet. */
export const verdicts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `ALTER TABLE alerts ADD COLUMN verdict text CHECK (verdict IN ('useful', 'noise')), ADD COLUMN verdict_at timestamptz,
          ADD CHECK ((verdict IS NULL) = (verdict_at IS NULL))`,
      )
      .execute(db)
    await sql.raw(`CREATE INDEX alerts_verdict ON alerts (property_id) WHERE verdict IS NOT NULL`).execute(db)
  },
}
