import { ofSql } from './of-sql.ts'

/** API keys, and responses kept for repeated requests. */
export const api = ofSql(
  `CREATE TABLE api_keys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    name text NOT NULL, scope text NOT NULL CHECK (scope IN ('read', 'write')),
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32), start text NOT NULL CHECK (length(start) <= 8),
    created_at timestamptz NOT NULL, last_used_at timestamptz, expires_at timestamptz)`,
  `CREATE INDEX api_keys_user ON api_keys (user_id)`,

  // A running request has no status yet; a dead process's lock expires.
  `CREATE TABLE api_requests (
    api_key_id bigint NOT NULL REFERENCES api_keys ON DELETE CASCADE, idempotency_key text NOT NULL,
    fingerprint bytea NOT NULL, begun_at timestamptz NOT NULL, locked_until timestamptz NOT NULL,
    status smallint CHECK (status BETWEEN 200 AND 299), body text,
    PRIMARY KEY (api_key_id, idempotency_key))`,
  `CREATE INDEX api_requests_begun ON api_requests (begun_at)`,
)
