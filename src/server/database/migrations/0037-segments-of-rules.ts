import { ofSql } from './of-sql.ts'

/**
 * Rules limited to a segment. An alert keeps the segment's name and filters as they were when it opened. The segment's own table says who
 * owns it. Deferred: an account's segments and rules go together, in either order.
 */
export const segmentsOfRules = ofSql(
  `ALTER TABLE alert_conditions ADD COLUMN segment_id bigint
          CONSTRAINT alert_conditions_segment REFERENCES saved_explorations DEFERRABLE INITIALLY DEFERRED`,
  `CREATE INDEX alert_conditions_segment_id ON alert_conditions (segment_id) WHERE segment_id IS NOT NULL`,
  `ALTER TABLE alerts ADD COLUMN segment jsonb, DROP CONSTRAINT alerts_entity_kind_check,
          ADD CONSTRAINT alerts_entity_kind_check CHECK (entity_kind IN ('site', 'segment', 'page', 'query', 'connection'))`,
)
