import { ofSql } from './of-sql.ts'

/** Daily usage of an account, a number or the whole installation, and which addresses refuse an account's alert emails. */
export const dayCounts = ofSql(
  `CREATE TABLE day_counts (what text NOT NULL, whose text NOT NULL, day date NOT NULL, used integer NOT NULL, PRIMARY KEY (what, whose, day))`,
  // The table itself stays for processes of the previous version, which count there until they end.
  `INSERT INTO day_counts (what, whose, day, used) SELECT 'report-mail', user_id, day, mails FROM report_mail_days`,
  `CREATE TABLE alert_mail_refusals (
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE, address text NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (user_id, address))`,
)
