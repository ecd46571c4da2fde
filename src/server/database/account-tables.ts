import type { ColumnType } from 'kysely'

/** Emailed links, logins in progress and trusted browsers; better-auth writes them. */
export type VerificationsTable = {
  id: string
  identifier: string
  /** Of a link about an address, JSON; else the account's ID, or a count of better-auth's. */
  value: string
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
  /** The account that `value` names. PostgreSQL sets both; an address in `value` may contain the ID of any account. */
  userId: ColumnType<string, never, never>
  kind: ColumnType<'confirm-address' | 'undo-address' | null, never, never>
}

/** Usernames that accounts gave up lately, in lower case: nobody else may take them yet (accounts/username.ts). */
export type FormerUsernamesTable = { name: string; userId: string; reservedUntil: Date }
