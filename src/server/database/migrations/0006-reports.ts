import { ofSql } from './of-sql.ts'

/** Branded, scheduled and shared reports for agencies. */
export const reports = ofSql(
  `CREATE TABLE report_brands (
    user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE, name text NOT NULL, colour text NOT NULL, sender_name text NOT NULL,
    reply_to text, logo bytea, updated_at timestamptz NOT NULL)`,

  `CREATE TABLE report_clients (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE, name text NOT NULL,
    created_at timestamptz NOT NULL)`,
  `CREATE INDEX report_clients_user ON report_clients (user_id)`,
  `CREATE TABLE report_client_properties (
    client_id bigint NOT NULL REFERENCES report_clients ON DELETE CASCADE,
    property_id bigint NOT NULL REFERENCES properties ON DELETE CASCADE, PRIMARY KEY (client_id, property_id))`,
  `CREATE INDEX report_client_properties_property ON report_client_properties (property_id)`,

  // About one property or one client. Never sends periods that ended before first_start began.
  `CREATE TABLE report_schedules (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    property_id bigint REFERENCES properties ON DELETE CASCADE, client_id bigint REFERENCES report_clients ON DELETE CASCADE,
    kind text NOT NULL, paper text NOT NULL, recipients text[] NOT NULL, unsubscribed text[] NOT NULL DEFAULT '{}',
    enabled boolean NOT NULL, first_start date NOT NULL, sent_start date, last_sent_at timestamptz, look_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL, CHECK (num_nonnulls(property_id, client_id) = 1))`,
  `CREATE INDEX report_schedules_user ON report_schedules (user_id)`,
  `CREATE INDEX report_schedules_property ON report_schedules (property_id)`,
  `CREATE INDEX report_schedules_client ON report_schedules (client_id)`,
  `CREATE INDEX report_schedules_due ON report_schedules (look_at) WHERE enabled`,

  `CREATE TABLE report_runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    property_id bigint REFERENCES properties ON DELETE CASCADE, client_id bigint REFERENCES report_clients ON DELETE CASCADE,
    schedule_id bigint REFERENCES report_schedules ON DELETE SET NULL, scheduled boolean NOT NULL, title text NOT NULL, kind text NOT NULL,
    paper text NOT NULL, period_start date, period_end date, state text NOT NULL DEFAULT 'waiting', attempts integer NOT NULL DEFAULT 0,
    done integer NOT NULL DEFAULT 0, total integer NOT NULL, recipients text[] NOT NULL, detail text, mail jsonb, pdf bytea,
    created_at timestamptz NOT NULL)`,
  `CREATE INDEX report_runs_user ON report_runs (user_id, id DESC)`,
  `CREATE INDEX report_runs_property ON report_runs (property_id)`,
  `CREATE INDEX report_runs_client ON report_runs (client_id)`,
  // A schedule's week or month is created once, however many processes check whether it is due.
  `CREATE UNIQUE INDEX report_runs_once ON report_runs (schedule_id, kind, period_start) WHERE scheduled`,

  // An email to one recipient: sent only after the mail server has accepted it. The PDF is stored with its run.
  `CREATE TABLE report_mails (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, key uuid NOT NULL DEFAULT gen_random_uuid(),
    run_id bigint NOT NULL REFERENCES report_runs ON DELETE CASCADE, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    address text NOT NULL, state text NOT NULL DEFAULT 'waiting', attempts integer NOT NULL DEFAULT 0, next_attempt_at timestamptz NOT NULL,
    give_up_at timestamptz NOT NULL, sent_at timestamptz, detail text, created_at timestamptz NOT NULL, UNIQUE (run_id, address))`,
  `CREATE INDEX report_mails_waiting ON report_mails (next_attempt_at) WHERE state = 'waiting'`,
  `CREATE INDEX report_mails_user ON report_mails (user_id)`,

  `CREATE TABLE report_shares (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    property_id bigint REFERENCES properties ON DELETE CASCADE, client_id bigint REFERENCES report_clients ON DELETE CASCADE,
    title text NOT NULL, kind text NOT NULL, period_start date NOT NULL, period_end date NOT NULL, token_hash text NOT NULL UNIQUE,
    token_sealed text NOT NULL, created_at timestamptz NOT NULL, expires_at timestamptz NOT NULL, views integer NOT NULL DEFAULT 0,
    last_viewed_at timestamptz, pdf bytea, pdf_key text, CHECK (num_nonnulls(property_id, client_id) = 1))`,
  `CREATE INDEX report_shares_user ON report_shares (user_id, id DESC)`,
  `CREATE INDEX report_shares_property ON report_shares (property_id)`,
  `CREATE INDEX report_shares_client ON report_shares (client_id)`,
)
