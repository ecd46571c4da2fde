import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Responses to webhooks, attempt by attempt. */
export const webhookLog: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}

const statements = [
  // No status means no response; `detail` then says what happened.
  `CREATE TABLE webhook_attempts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, notification_id bigint NOT NULL REFERENCES notifications ON DELETE CASCADE,
    at timestamptz NOT NULL, status smallint, ms integer NOT NULL CHECK (ms >= 0), answer text, detail text)`,
  `CREATE INDEX webhook_attempts_notification ON webhook_attempts (notification_id, id)`,
]
