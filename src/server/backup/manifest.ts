import { createHash } from 'node:crypto'
import { z } from 'zod'
import { deriveKey } from '../platform/secrets.ts'

/** Raised when an older program could not read what is written. */
export const backupFormat = 1

export const manifestName = 'manifest.json'
export const keyName = 'secret.key'

const member = { file: z.string(), bytes: z.number(), sha256: z.string().length(64) }

/** A table of PostgreSQL, in COPY's text form. */
const tableMember = z.object({ ...member, table: z.string(), columns: z.array(z.string()).min(1), rows: z.number() })
/** Some rows of a table of facts, in ClickHouse's Native format, compressed with zstd. */
const factsMember = z.object({ ...member, table: z.string(), columns: z.array(z.string().regex(/^\w+$/)).min(1), rows: z.number() })

export type TableMember = z.infer<typeof tableMember>
export type FactsMember = z.infer<typeof factsMember>

/** What a backup says of itself, read before anything else of it. */
export const manifestSchema = z.object({
  format: z.number(),
  /** The program's, for people to read. */
  version: z.string(),
  madeAt: z.iso.datetime(),
  /** Names of the migrations that the tables had seen. */
  migrations: z.array(z.string()).min(1),
  /** The form of pg-boss's tables. */
  jobs: z.number(),
  /** The secret key: in the backup, or given by whoever runs the server. By the mark it is known again. */
  key: z.object({ included: z.boolean(), mark: z.string() }),
  postgres: z.array(tableMember),
  /** Sequences and the last number each gave; null: none yet. */
  sequences: z.record(z.string(), z.number().nullable()),
  facts: z.array(factsMember),
  others: z.array(z.object(member)),
})
export type Manifest = z.infer<typeof manifestSchema>

/** Tells keys apart without telling anything of them. */
export const markOf = (secretKey: string): string =>
  createHash('sha256').update(deriveKey(secretKey, 'backup')).digest('base64url').slice(0, 16)

/** What a backup holds, for people. */
export function totalsOf({ postgres, facts }: Manifest): { people: number; properties: number; facts: number } {
  const rowsOf = (table: string): number => postgres.find((entry) => entry.table === table)?.rows ?? 0
  const figures = facts.filter(({ table }) => table !== 'facts_current').reduce((sum, { rows }) => sum + rows, 0)
  return { people: rowsOf('users'), properties: rowsOf('properties'), facts: figures }
}
