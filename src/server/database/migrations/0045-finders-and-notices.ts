import { ofSql } from './of-sql.ts'

/**
 * Other rules that find what an alert is about; and what people are told once in the app. People who joined before every property got the
 * rule about unusual changes (0029) are told about it if one of their properties has it.
 */
export const findersAndNotices = ofSql(
  `CREATE TABLE alert_finders (
        alert_id bigint NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
        condition_id bigint NOT NULL REFERENCES alert_conditions (id) ON DELETE CASCADE,
        PRIMARY KEY (alert_id, condition_id))`,
  `CREATE INDEX alert_finders_condition ON alert_finders (condition_id)`,
  `CREATE TABLE notices (
        user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        notice text NOT NULL CHECK (notice IN ('unusual_changes')),
        PRIMARY KEY (user_id, notice))`,
  `INSERT INTO notices (user_id, notice)
        SELECT users.id, 'unusual_changes' FROM users
        WHERE users.created_at < (SELECT max(timestamp)::timestamptz FROM kysely_migration WHERE name = '0029-unusual-changes')
          AND EXISTS (SELECT FROM properties JOIN alert_conditions ON alert_conditions.property_id = properties.id
            WHERE properties.user_id = users.id AND alert_conditions.kind = 'unusual')`,
)
