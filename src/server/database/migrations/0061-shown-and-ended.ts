import { ofSql } from './of-sql.ts'

/**
 * What others saw in reports until its link was revoked, or its schedule changed or deleted, and when that was. Reports that stopped before
 * this aren't known. And how often an account's other sessions were ended, which a login that began before must not survive.
 */
export const shownAndEnded = ofSql(
  `CREATE TABLE shown_lately (
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    property_id bigint REFERENCES properties ON DELETE CASCADE, client_id bigint REFERENCES report_clients ON DELETE CASCADE,
    segment_id bigint, last_at timestamptz NOT NULL,
    CHECK (num_nonnulls(property_id, client_id, segment_id) = 1),
    UNIQUE NULLS NOT DISTINCT (user_id, property_id, client_id, segment_id)
  )`,
  `CREATE INDEX shown_lately_property ON shown_lately (property_id)`,
  `CREATE INDEX shown_lately_client ON shown_lately (client_id)`,
  `ALTER TABLE people ADD COLUMN sessions_version integer NOT NULL DEFAULT 0`,
)
