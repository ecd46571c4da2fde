import { ofSql } from './of-sql.ts'

/** Responses to webhooks, attempt by attempt. */
export const webhookLog = ofSql(
  // No status means no response; `detail` then says what happened.
  `CREATE TABLE webhook_attempts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, notification_id bigint NOT NULL REFERENCES notifications ON DELETE CASCADE,
    at timestamptz NOT NULL, status smallint, ms integer NOT NULL CHECK (ms >= 0), answer text, detail text)`,
  `CREATE INDEX webhook_attempts_notification ON webhook_attempts (notification_id, id)`,
)
