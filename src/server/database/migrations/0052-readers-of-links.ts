import { ofSql } from './of-sql.ts'

/** Whoever opened a link in an email isn't always the account's owner: their network address and browser are not the owner's to see. */
export const readersOfLinks = ofSql(
  `ALTER TABLE audit_events DROP CONSTRAINT audit_events_actor_check,
    ADD CONSTRAINT audit_events_actor_check CHECK (actor IN ('person', 'key', 'house', 'reader'))`,
)
