import { ofSql } from './of-sql.ts'

/** Rules, alerts with their history, and how far each property has been evaluated. */
export const alerts = ofSql(
  `CREATE TABLE alert_conditions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property_id bigint NOT NULL REFERENCES properties ON DELETE CASCADE,
    type text NOT NULL, kind text NOT NULL, title text NOT NULL, is_enabled boolean NOT NULL,
    monitor text NOT NULL, targets jsonb NOT NULL DEFAULT '[]',
    threshold integer NOT NULL, threshold_unit text NOT NULL, comparison text, minimum_impressions integer,
    problem text, problem_since timestamptz, retry_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(), changed_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE INDEX alert_conditions_property ON alert_conditions (property_id)`,

  // Existing properties have been given their first rules, and are evaluated again when their facts version changes.
  `CREATE TABLE alert_watches (
    property_id bigint PRIMARY KEY REFERENCES properties ON DELETE CASCADE,
    judged_version bigint, judged_through date, judged_at timestamptz)`,

  // Includes what is needed to show an alert whose rule is gone. Without a kind it is about the connection.
  `CREATE TABLE alerts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property_id bigint NOT NULL REFERENCES properties ON DELETE CASCADE,
    condition_id bigint REFERENCES alert_conditions ON DELETE SET NULL,
    kind text, type text NOT NULL, comparison text,
    entity_kind text NOT NULL CHECK (entity_kind IN ('site', 'page', 'query', 'connection')), entity_name text NOT NULL,
    severity text NOT NULL CHECK (severity IN ('critical', 'warning', 'info', 'positive')),
    state text NOT NULL CHECK (state IN ('firing', 'acknowledged', 'snoozed', 'recovered')),
    snoozed_until timestamptz CHECK ((snoozed_until IS NOT NULL) = (state = 'snoozed')),
    viewed_at timestamptz,
    opening jsonb, figures jsonb, contributors jsonb NOT NULL DEFAULT '[]', series jsonb NOT NULL DEFAULT '[]',
    message text, action jsonb,
    opened_at timestamptz NOT NULL, judged_at timestamptz NOT NULL, judged_through date,
    recovered_at timestamptz CHECK ((recovered_at IS NOT NULL) = (state = 'recovered')))`,
  // A rule and entity have at most one open alert. Names may be too long for an index.
  `CREATE UNIQUE INDEX alerts_open ON alerts (property_id, coalesce(condition_id, 0), entity_kind, md5(entity_name))
    WHERE recovered_at IS NULL`,
  `CREATE INDEX alerts_property ON alerts (property_id, opened_at DESC)`,
  `CREATE INDEX alerts_condition ON alerts (condition_id)`,
  `CREATE INDEX alerts_snoozed ON alerts (snoozed_until) WHERE state = 'snoozed'`,

  // Append-only.
  `CREATE TABLE alert_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE,
    from_state text, to_state text NOT NULL, reason text NOT NULL, by_user text, at timestamptz NOT NULL)`,
  `CREATE INDEX alert_events_alert ON alert_events (alert_id)`,
)
