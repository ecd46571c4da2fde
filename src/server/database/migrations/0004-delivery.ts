import { ofSql } from './of-sql.ts'

const channels = `('email', 'slack', 'sms', 'webhook')`

/** Where and when people want messages, news to send, and the messages themselves. */
export const delivery = ofSql(
  `ALTER TABLE delivery_settings
    ADD COLUMN sms_enabled boolean NOT NULL DEFAULT false, ADD COLUMN webhook_enabled boolean NOT NULL DEFAULT false,
    ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC',
    ADD COLUMN digest_hour smallint NOT NULL DEFAULT 8 CHECK (digest_hour BETWEEN 0 AND 23),
    ADD COLUMN digest_weekday smallint NOT NULL DEFAULT 1 CHECK (digest_weekday BETWEEN 1 AND 7),
    ADD COLUMN digest_when_quiet boolean NOT NULL DEFAULT true,
    ADD COLUMN quiet_from smallint CHECK (quiet_from BETWEEN 0 AND 23),
    ADD COLUMN quiet_until smallint CHECK (quiet_until BETWEEN 0 AND 23),
    ADD CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))`,

  `CREATE TABLE delivery_channels (
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE, channel text NOT NULL CHECK (channel IN ${channels}),
    destination text, shown text, waiting text, waiting_shown text, extra text,
    problem text, problem_since timestamptz, last_sent_at timestamptz, PRIMARY KEY (user_id, channel))`,

  `CREATE TABLE digest_schedules (user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE, next_at timestamptz NOT NULL)`,
  `CREATE INDEX digest_schedules_next ON digest_schedules (next_at)`,

  `CREATE TABLE notifications (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE, property_id bigint REFERENCES properties ON DELETE CASCADE,
    channel text NOT NULL CHECK (channel IN ${channels}), kind text NOT NULL CHECK (kind IN ('alerts', 'digest', 'test')),
    message jsonb NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'failed')), attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL, give_up_at timestamptz NOT NULL,
    sent_to text, sent_at timestamptz CHECK ((sent_at IS NOT NULL) = (state = 'sent')), detail text, reference text,
    created_at timestamptz NOT NULL)`,
  `CREATE INDEX notifications_waiting ON notifications (next_attempt_at) WHERE state = 'waiting'`,
  `CREATE INDEX notifications_user ON notifications (user_id, created_at DESC)`,
  `CREATE INDEX notifications_property ON notifications (property_id)`,

  `CREATE TABLE delivery_news (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE, property_id bigint NOT NULL REFERENCES properties ON DELETE CASCADE,
    alert_id bigint NOT NULL REFERENCES alerts ON DELETE CASCADE, channel text NOT NULL CHECK (channel IN ${channels}),
    event text NOT NULL CHECK (event IN ('opened', 'recovered', 'woken')), at timestamptz NOT NULL,
    state text NOT NULL CHECK (state IN ('waiting', 'told', 'suppressed')), not_before timestamptz, detail text,
    notification_id bigint REFERENCES notifications ON DELETE SET NULL)`,
  // An alert opens and recovers once, and may wake from several snoozes.
  `CREATE UNIQUE INDEX delivery_news_once ON delivery_news (alert_id, channel, event, (CASE event WHEN 'woken' THEN at END)) NULLS NOT DISTINCT`,
  `CREATE INDEX delivery_news_waiting ON delivery_news (user_id, channel) WHERE state = 'waiting'`,
  `CREATE INDEX delivery_news_due ON delivery_news (not_before) WHERE state = 'waiting'`,
  `CREATE INDEX delivery_news_property ON delivery_news (property_id)`,
  `CREATE INDEX delivery_news_notification ON delivery_news (notification_id)`,
)
