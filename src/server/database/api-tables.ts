import type { ColumnType } from 'kysely'
import type { ApiScope } from '../../contract/api-keys.ts'

/** API keys. Only a key's SHA-256 hash is stored: it is random enough to be irreversible. */
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

/** Requests with an idempotency key, and their responses; `status` is null while one is running. */
export type ApiRequestsTable = {
  apiKeyId: number
  idempotencyKey: string
  /** SHA-256 of the request. */
  fingerprint: Buffer
  begunAt: Date
  /** Until when nobody else runs it. */
  lockedUntil: Date
  status: number | null
  body: string | null
}
