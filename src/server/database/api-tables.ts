import type { ColumnType } from 'kysely'
import type { ApiScope } from '../../contract/api-keys.ts'

/** Keys of the API. Of the key itself only its SHA-256 hash is stored: it is random enough that nothing leads back from it. */
export type ApiKeysTable = {
  id: ColumnType<number, never, never>
  userId: string
  name: string
  scope: ApiScope
  hash: Buffer
  start: string
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

/** Requests that named themselves, and how they were answered; `status` is null while one is carried out. */
export type ApiRequestsTable = {
  apiKeyId: number
  idempotencyKey: string
  /** SHA-256 of what was asked. */
  fingerprint: Buffer
  begunAt: Date
  /** Until when nobody else carries it out. */
  lockedUntil: Date
  status: number | null
  body: string | null
}
