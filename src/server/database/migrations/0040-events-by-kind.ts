import { ofSql } from './of-sql.ts'

/** Every event counts the account's others of its kind, and every noted use of a key looks for its earlier ones. */
export const eventsByKind = ofSql(
  'CREATE INDEX audit_events_of_kind ON audit_events (user_id, kind, id)',
  `CREATE INDEX audit_events_of_key ON audit_events (user_id, (details->>'id')) WHERE kind = 'key-used'`,
)
