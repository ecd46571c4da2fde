import { ofSql } from './of-sql.ts'

/**
 * A rule that knows the expected value, for every property that has rules and room for one more, and what is stored for it about a
 * property's past.
 */
export const unusualChanges = ofSql(
  `CREATE TABLE alert_baselines (
        property_id bigint NOT NULL REFERENCES properties (id) ON DELETE CASCADE,
        metric text NOT NULL,
        rests_on text NOT NULL,
        state jsonb NOT NULL,
        PRIMARY KEY (property_id, metric))`,
  `ALTER TABLE alert_conditions ADD COLUMN sensitivity text`,
  `INSERT INTO alert_conditions (property_id, type, kind, title, is_enabled, direction, only_unusual, monitor, targets, threshold,
          threshold_unit, sensitivity)
        SELECT property_id, 'clicks', 'unusual', 'Unusual clicks', true, 'both', true, 'site', '[]', 11, '%', 'normal' FROM alert_watches
        WHERE (SELECT count(*) FROM alert_conditions WHERE alert_conditions.property_id = alert_watches.property_id) < 50`,
  // Everything is evaluated again, also by the new rule; evaluations in progress aren't stored.
  `UPDATE alert_watches SET judged_version = NULL, rules_changed = rules_changed + 1`,
)
