import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile as readWholeFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { finished, type Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { messageOf } from '../common/errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { CopyOut } from '../platform/postgres-copy.ts'
import { withoutLimits } from '../platform/postgres.ts'
import { loadSecretKeys } from '../platform/secrets.ts'
import { version } from '../platform/version.ts'
import { type ArchiveFile, zipStream } from '../platform/zip-stream.ts'
import { columnsOf, pointerTable, rowTables, type Slice, slicesOf, writeFile } from './facts-files.ts'
import { holdFacts } from './facts-kept.ts'
import { backupFormat, keyName, type Manifest, manifestName, markOf } from './manifest.ts'
import { BackupProblem } from './problem.ts'
import { type PostgresTable, postgresTables, sequencesOf } from './postgres-tables.ts'

export type BackupDeps = {
  pool: pg.Pool
  clickhouse: ClickHouseClient
  config: Pick<Config, 'dataDir' | 'secretKey' | 'clickhouse'>
  clock: Clock
  log: Log
}

/**
 * All data of this installation as one archive, created while it is read and while others read and write.
 *
 * PostgreSQL's snapshot comes first, then the names of the loads to read, then the facts (docs/decisions/0033). The archive ends with its
 * manifest; without it, it is incomplete. If it isn't read to the end, or something fails, nothing of it remains.
 * @throws BackupProblem if another one is being made, or the facts are elsewhere
 */
export async function makeBackup({ pool, clickhouse, config, clock, log }: BackupDeps): Promise<Readable> {
  const { dataDir, secretKey } = config
  refuseElsewhere(config)
  await using opened = new AsyncDisposableStack()
  const madeAt = clock.now()
  const [key] = await loadSecretKeys({ secretKey, dataDir })
  const held = await holdFacts(pool)
  opened.defer(() => held.release())
  const drafts = draftsIn(dataDir)
  await rm(drafts, { recursive: true, force: true })
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  opened.defer(() => rm(drafts, { recursive: true, force: true }))
  const snapshot = await takeSnapshot(pool)
  opened.defer(() => snapshot.end())

  const manifest: Manifest = {
    format: backupFormat,
    version,
    madeAt: madeAt.toISOString(),
    migrations: await snapshot.migrations(),
    jobs: await snapshot.jobsVersion(),
    key: { included: secretKey === undefined, mark: markOf(key) },
    postgres: [],
    sequences: {},
    facts: [],
    others: [],
  }

  /** A file whose size and checksum go into the manifest once it has been read. */
  function member(file: ArchiveFile, note: (sum: { file: string; bytes: number; sha256: string }) => void): ArchiveFile {
    async function* counted(): AsyncGenerator<Uint8Array> {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const part of typeof file.content === 'string' ? [file.content] : file.content) {
        const chunk = typeof part === 'string' ? Buffer.from(part) : part
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
      note({ file: file.name, bytes, sha256: hash.digest('hex') })
    }
    return { ...file, content: counted() }
  }

  const tableFile = ({ name: table, columns }: PostgresTable): ArchiveFile => {
    let rows = 0
    const name = `postgres/${table}.copy`
    const content = snapshot.copy(table, columns, (count) => (rows = count))
    return member({ name, content }, (sum) => manifest.postgres.push({ ...sum, table, columns, rows }))
  }

  const factsFile = (slice: Slice, columns: string[], written?: Written): ArchiveFile => {
    let rows = 0
    const name = `facts/${slice.table}-${slice.partition}-${slice.first}.native.zst`
    async function* content(): AsyncGenerator<Uint8Array> {
      const draft = written ?? (await writeSlice(clickhouse, drafts, slice, columns))
      rows = draft.rows
      yield* createReadStream(draft.file)
      await rm(draft.file)
    }
    return member({ name, content: content(), stored: true }, (sum) => manifest.facts.push({ ...sum, table: slice.table, columns, rows }))
  }

  const tables = await snapshot.tables()
  // Now, not when its turn comes: every row that these name must be in a slice determined after it.
  const pointers: ArchiveFile[] = []
  const pointerColumns = await columnsOf(clickhouse, pointerTable)
  for (const slice of await slicesOf(clickhouse, pointerTable))
    pointers.push(factsFile(slice, pointerColumns, await writeSlice(clickhouse, drafts, slice, pointerColumns)))
  const rows: ArchiveFile[] = []
  for (const table of rowTables) {
    const columns = await columnsOf(clickhouse, table)
    rows.push(...(await slicesOf(clickhouse, table)).map((slice) => factsFile(slice, columns)))
  }

  async function* end(): AsyncGenerator<string> {
    await held.stillHeld()
    yield `${JSON.stringify(manifest, null, 2)}\n`
  }
  /** Sequences aren't part of a snapshot: read last, they are at least as far as any row. */
  async function* sequences(): AsyncGenerator<string> {
    manifest.sequences = await snapshot.sequences()
    await snapshot.end()
    yield `${JSON.stringify(manifest.sequences, null, 2)}\n`
  }
  const others = (file: ArchiveFile): ArchiveFile => member(file, (sum) => manifest.others.push(sum))
  const archive = zipStream(
    [
      ...(secretKey === undefined ? [others({ name: keyName, content: await readWholeFile(path.join(dataDir, keyName), 'utf8') })] : []),
      ...tables.map(tableFile),
      others({ name: 'postgres/sequences.json', content: sequences() }),
      ...pointers,
      ...rows,
      { name: manifestName, content: end() },
    ],
    madeAt,
  )
  const underWay = opened.move()
  finished(archive, { writable: false }, () => {
    underWay.disposeAsync().catch((error: unknown) => log.warn({ err: error }, 'temporary files of a backup could not be removed'))
  })
  return archive
}

/** @throws BackupProblem if the facts are on a separate server */
export function refuseElsewhere({ clickhouse }: Pick<Config, 'clickhouse'>): void {
  if (clickhouse.url !== undefined)
    throw new BackupProblem('With CLICKHOUSE_URL, back up both databases with their own tools: see "Backup and restore" in docs/deploy.md')
}

/** Where parts wait until they are in the archive. ClickHouse treats some characters of a path as a pattern. */
const draftsIn = (dataDir: string): string => path.join(/[*?{}[\]]/.test(dataDir) ? tmpdir() : dataDir, 'backup-drafts')

type Written = { file: string; rows: number }

async function writeSlice(client: ClickHouseClient, directory: string, slice: Slice, columns: readonly string[]): Promise<Written> {
  const file = path.join(directory, `${slice.table}-${slice.partition}-${slice.first}.native.zst`)
  try {
    return { file, rows: await writeFile(client, slice, columns, file) }
  } catch (error) {
    throw new BackupProblem(`Part of the backup could not be written completely to ${directory}; is the disk full? (${messageOf(error)})`)
  }
}

/** PostgreSQL as it is at this moment, for as long as it is read. */
async function takeSnapshot(pool: pg.Pool) {
  const client = await pool.connect()
  const ask = async <Row extends object>(sql: string): Promise<Row[]> => (await client.query<Row>(sql)).rows
  let ended = false
  const end = async (): Promise<void> => {
    if (ended) return
    ended = true
    client.release(true)
  }
  try {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${withoutLimits};
      SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres'; SELECT 1`)
  } catch (error) {
    await end()
    throw error
  }
  return {
    end,
    tables: () => postgresTables(client),
    sequences: () => sequencesOf(client),
    migrations: async () => (await ask<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')).map(({ name }) => name),
    jobsVersion: async () => (await ask<{ version: number }>('SELECT version FROM jobs.version'))[0]?.version ?? 0,
    async *copy(table: string, columns: readonly string[], count: (rows: number) => void): AsyncGenerator<Uint8Array> {
      const copied = new CopyOut(`COPY (SELECT ${columns.join(', ')} FROM ${table}) TO STDOUT`)
      client.query(copied)
      yield* copied
      count(copied.rows)
    },
  }
}
