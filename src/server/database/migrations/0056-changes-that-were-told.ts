import { ofSql } from './of-sql.ts'

/**
 * News of an alert remembers the change it was about, so that people are told again if it becomes much larger; each time is an event of its
 * own. What was reported about open alerts so far is taken to be what opened them.
 */
export const changesThatWereTold = ofSql(
  `ALTER TABLE delivery_news ADD COLUMN change double precision, ADD COLUMN change_before double precision, ADD COLUMN so_far text`,
  `UPDATE delivery_news SET change = (alerts.opening->>'change')::float8 FROM alerts
    WHERE alerts.id = delivery_news.alert_id AND alerts.recovered_at IS NULL`,
  `DROP INDEX delivery_news_once`,
  `CREATE UNIQUE INDEX delivery_news_once ON delivery_news (alert_id, channel, event,
    (CASE WHEN event = 'woken' OR change_before IS NOT NULL THEN at END)) NULLS NOT DISTINCT`,
)
