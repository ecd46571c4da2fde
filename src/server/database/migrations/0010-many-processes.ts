import { ofSql } from './of-sql.ts'

/** Counts shared by several processes, and account events. */
export const manyProcesses = ofSql(
  // Counts of the last minute, which may restart after a crash and so need no durability. rate-limiter-flexible's columns; `expire` is in
  // milliseconds since 1970.
  `CREATE UNLOGGED TABLE request_counts (key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`,
  `CREATE INDEX request_counts_expire ON request_counts (expire)`,

  // Token buckets for Google's quotas: what was left at that moment, below zero while callers queue (google/quota.ts).
  `CREATE UNLOGGED TABLE google_quotas (key text PRIMARY KEY, tokens double precision NOT NULL, at timestamptz NOT NULL)`,

  // Which process is asking Google about a property: one at a time (database/leases.ts).
  `CREATE TABLE sync_leases (
    kind text NOT NULL CHECK (kind IN ('days', 'hours')), property_id bigint NOT NULL, user_id text NOT NULL, owner uuid NOT NULL,
    until timestamptz NOT NULL, PRIMARY KEY (kind, property_id)) WITH (fillfactor = 50)`,

  // \`actor\` is the person in the browser, a program with a key, or the system itself.
  `CREATE TABLE audit_events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE, at timestamptz NOT NULL,
    kind text NOT NULL, actor text NOT NULL CHECK (actor IN ('person', 'key', 'house')),
    address text, agent text, details jsonb NOT NULL DEFAULT '{}')`,
  `CREATE INDEX audit_events_of_person ON audit_events (user_id, id)`,
)
