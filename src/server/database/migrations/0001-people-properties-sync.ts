import { ofSql } from './of-sql.ts'

/** People (better-auth's tables and our own), their Google account, properties and sync state. */
export const peoplePropertiesSync = ofSql(
  `CREATE TABLE users (
    id text PRIMARY KEY, name text NOT NULL, email text NOT NULL UNIQUE, email_verified boolean NOT NULL DEFAULT false,
    image text, username text UNIQUE, display_username text,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE sessions (
    id text PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE, token text NOT NULL UNIQUE,
    expires_at timestamptz NOT NULL, ip_address text, user_agent text,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE INDEX sessions_user ON sessions (user_id)`,
  `CREATE TABLE accounts (
    id text PRIMARY KEY, account_id text NOT NULL, provider_id text NOT NULL,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    access_token text, refresh_token text, id_token text,
    access_token_expires_at timestamptz, refresh_token_expires_at timestamptz, scope text, password text,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (provider_id, account_id))`,
  `CREATE INDEX accounts_user ON accounts (user_id)`,
  `CREATE TABLE verifications (
    id text PRIMARY KEY, identifier text NOT NULL, value text NOT NULL, expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE INDEX verifications_identifier ON verifications (identifier)`,

  `CREATE TABLE properties (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    name text NOT NULL CHECK (length(name) BETWEEN 1 AND 2048),
    kind text NOT NULL CHECK (kind IN ('google', 'imported')),
    permission_level text, monitored boolean NOT NULL DEFAULT false, detached_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (user_id, name))`,
  `CREATE TABLE people (
    user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'agency')),
    selected_property_id bigint REFERENCES properties ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE google_connections (
    user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    google_sub text NOT NULL, email text NOT NULL,
    refresh_token text NOT NULL, access_token text, access_token_expires_at timestamptz,
    scope text NOT NULL, state text NOT NULL DEFAULT 'ok',
    connected_at timestamptz NOT NULL DEFAULT now(), updated_at timestamptz NOT NULL DEFAULT now())`,

  `CREATE TABLE property_syncs (
    property_id bigint PRIMARY KEY REFERENCES properties ON DELETE CASCADE,
    state text NOT NULL DEFAULT 'never', message text, retry_at timestamptz, running_until timestamptz, last_synced_at timestamptz,
    complete_through date, facts_version bigint NOT NULL DEFAULT 0, types_probed_at timestamptz)`,
  `CREATE TABLE search_type_syncs (
    property_id bigint NOT NULL REFERENCES properties ON DELETE CASCADE,
    search_type text NOT NULL, backfill_to date NOT NULL,
    backfilled_from date, final_through date, fetched_through date,
    PRIMARY KEY (property_id, search_type))`,
  `CREATE TABLE imports (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    property_id bigint NOT NULL REFERENCES properties ON DELETE CASCADE,
    sha256 text NOT NULL, file_name text NOT NULL, rows integer NOT NULL, days integer NOT NULL,
    start_date date NOT NULL, end_date date NOT NULL,
    clicks bigint NOT NULL, impressions bigint NOT NULL, notes jsonb NOT NULL DEFAULT '[]',
    imported_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (property_id, sha256))`,
  // Numbers of fact loads (facts/load.ts): higher means later, across processes and restarts.
  `CREATE SEQUENCE fact_load AS bigint CACHE 1`,
  `CREATE TABLE fact_sweeps (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL, newest_load bigint NOT NULL)`,
)
