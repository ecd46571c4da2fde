import type { ColumnType, JSONColumnType } from 'kysely'

/** Account events that the owner may want to know about. Never changed; deleted with the account or by age. */
export type AuditEventsTable = {
  id: ColumnType<number, never, never>
  userId: string
  at: Date
  kind: string
  /** The person in a browser, a program with a key, the system itself, or whoever opened a link in an email. */
  actor: 'person' | 'key' | 'house' | 'reader'
  /** The source's network address and program; null for the system and for readers of links, who may be somebody else. */
  address: string | null
  agent: string | null
  details: JSONColumnType<Record<string, string | number | boolean | null>>
}
