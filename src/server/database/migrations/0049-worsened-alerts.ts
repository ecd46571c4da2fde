import { ofSql } from './of-sql.ts'

/** News about an alert may be that it became critical while it was open. */
export const worsenedAlerts = ofSql(
  `ALTER TABLE delivery_news DROP CONSTRAINT delivery_news_event_check,
          ADD CONSTRAINT delivery_news_event_check CHECK (event IN ('opened', 'recovered', 'woken', 'worsened'))`,
)
