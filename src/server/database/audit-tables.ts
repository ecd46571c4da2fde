import type { ColumnType, JSONColumnType } from 'kysely'

/** What happened to an account that its owner may want to know. Never changed, deleted with the account or by age. */
export type AuditEventsTable = {
  id: ColumnType<number, never, never>
  userId: string
  at: Date
  kind: string
  /** The person in a browser, a program with a key, or the house itself. */
  actor: 'person' | 'key' | 'house'
  /** The network address and program it came from; null for the house. */
  address: string | null
  agent: string | null
  details: JSONColumnType<Record<string, string | number | boolean | null>>
}
