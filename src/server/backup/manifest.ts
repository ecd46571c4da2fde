import { createHash } from 'node:crypto'
import { z } from 'zod'
import { deriveKey } from '../platform/secrets.ts'

/** Raised when an older version couldn't read what is written. */
export const backupFormat = 1

export const manifestName = 'manifest.json'
export const keyName = 'secret.key'

const member = { file: z.string(), bytes: z.number(), sha256: z.string().length(64) }

/** A table of PostgreSQL, in COPY's text format. */
const tableMember = z.object({ ...member, table: z.string(), columns: z.array(z.string()).min(1), rows: z.number() })
/** Some rows of a facts table, in ClickHouse's Native format, compressed with zstd. */
const factsMember = z.object({ ...member, table: z.string(), columns: z.array(z.string().regex(/^\w+$/)).min(1), rows: z.number() })

export type TableMember = z.infer<typeof tableMember>
export type FactsMember = z.infer<typeof factsMember>

/** Describes a backup; read before the rest of it. */
export const manifestSchema = z.object({
  format: z.number(),
  /** The app's version, for people to read. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** Names of the migrations that the tables had. */
  migrations: z.array(z.string()).min(1),
  /** The schema version of pg-boss's tables. */
  jobs: z.number(),
  /** The secret key: in the backup, or given by the operator. The mark identifies it. */
  key: z.object({ included: z.boolean(), mark: z.string() }),
  postgres: z.array(tableMember),
  /** Sequences and the last number from each; null: none yet. */
  sequences: z.record(z.string(), z.number().nullable()),
  facts: z.array(factsMember),
  others: z.array(z.object(member)),
})
export type Manifest = z.infer<typeof manifestSchema>

/** Distinguishes keys without revealing anything about them. */
export const markOf = (secretKey: string): string =>
  createHash('sha256').update(deriveKey(secretKey, 'backup')).digest('base64url').slice(0, 16)

/** A backup's content, for people. */
export function totalsOf({ postgres, facts }: Manifest): { people: number; properties: number; facts: number } {
  const rowsOf = (table: string): number => postgres.find((entry) => entry.table === table)?.rows ?? 0
  const figures = facts.filter(({ table }) => table !== 'facts_current').reduce((sum, { rows }) => sum + rows, 0)
  return { people: rowsOf('users'), properties: rowsOf('properties'), facts: figures }
}
