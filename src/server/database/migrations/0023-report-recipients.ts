import { ofSql } from './of-sql.ts'

/** Who agreed to get an account's reports, who refuses them, and how many went out today. */
export const reportRecipients = ofSql(
  `CREATE TABLE report_recipients (
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE, address text NOT NULL, confirmed_at timestamptz, unsubscribed_at timestamptz,
    asked_at timestamptz, asks integer NOT NULL DEFAULT 0, PRIMARY KEY (user_id, address))`,
  `CREATE INDEX report_recipients_asked ON report_recipients (address, asked_at)`,
  `CREATE TABLE report_mail_days (
    user_id text PRIMARY KEY REFERENCES users ON DELETE CASCADE, day date NOT NULL, mails integer NOT NULL)`,

  // Current recipients keep getting reports (docs/decisions/0053).
  `INSERT INTO report_recipients (user_id, address, confirmed_at)
    SELECT DISTINCT user_id, lower(address), now() FROM report_schedules, unnest(recipients) AS address`,
  // People who left one schedule and are on another stay on that one: report_schedules.unsubscribed still says which they left.
  `INSERT INTO report_recipients (user_id, address, unsubscribed_at)
    SELECT DISTINCT user_id, lower(address), now() FROM report_schedules, unnest(unsubscribed) AS address
    ON CONFLICT (user_id, address) DO NOTHING`,
)
