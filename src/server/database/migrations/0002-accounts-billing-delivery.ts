import { ofSql } from './of-sql.ts'

/** Confirmed addresses, two-factor, paid plans, sites paused by a plan, delivery settings. */
export const accountsBillingDelivery = ofSql(
  // Anyone may claim an address; it belongs to the one account that confirmed it (docs/decisions/0016).
  `ALTER TABLE users DROP CONSTRAINT users_email_key`,
  `CREATE UNIQUE INDEX users_confirmed_email ON users (email) WHERE email_verified`,
  `CREATE INDEX users_email ON users (email)`,
  `ALTER TABLE users ADD COLUMN two_factor_enabled boolean NOT NULL DEFAULT false`,
  `CREATE TABLE two_factors (
    id text PRIMARY KEY, user_id text NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
    secret text NOT NULL, backup_codes text NOT NULL, verified boolean NOT NULL DEFAULT false,
    failed_verification_count integer NOT NULL DEFAULT 0, locked_until timestamptz)`,
  // rate-limiter-flexible's columns.
  `CREATE TABLE attempts (key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint)`,

  `ALTER TABLE people ADD COLUMN plan_chosen_at timestamptz`,
  `UPDATE people SET plan_chosen_at = now()`,
  `ALTER TABLE properties ADD COLUMN paused_at timestamptz, ADD COLUMN monitored_at timestamptz`,

  `CREATE TABLE stripe_customers (
    user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    customer_id text NOT NULL UNIQUE, created_at timestamptz NOT NULL DEFAULT now())`,
  `CREATE TABLE subscriptions (
    id text PRIMARY KEY, user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    plan text NOT NULL CHECK (plan IN ('free', 'pro', 'agency')), status text NOT NULL,
    current_period_end timestamptz, next_plan text CHECK (next_plan IN ('free', 'pro', 'agency')), card jsonb,
    created_at timestamptz NOT NULL, read_at timestamptz NOT NULL)`,
  `CREATE INDEX subscriptions_user ON subscriptions (user_id)`,
  `CREATE TABLE stripe_events (id text PRIMARY KEY, type text NOT NULL, handled_at timestamptz NOT NULL)`,

  `CREATE TABLE delivery_settings (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id text NOT NULL UNIQUE REFERENCES users ON DELETE CASCADE,
    email_enabled boolean NOT NULL DEFAULT true, critical_alerts boolean NOT NULL DEFAULT true,
    warning_alerts boolean NOT NULL DEFAULT true, positive_alerts boolean NOT NULL DEFAULT false,
    slack_enabled boolean NOT NULL DEFAULT false,
    frequency text NOT NULL DEFAULT 'weekly' CHECK (frequency IN ('instant', 'daily', 'weekly')))`,
)
