import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { messageOf } from '../common/errors.ts'
import { createFactsTables } from '../facts/schema.ts'
import { openClickHouse } from '../platform/clickhouse/clickhouse.ts'
import type { Log } from '../platform/log.ts'
import { openPostgres, type Postgres } from '../platform/postgres.ts'
import { columnsOf, countRows, newestLoad, readFile, rowTables } from './facts-files.ts'
import { type FactsMember, keyName, type Manifest, markOf } from './manifest.ts'
import { beginFillingDatabase } from './given-database.ts'
import { BackupProblem, whyFull } from './problem.ts'
import { type Backup, newerProblem, openBackup } from './read-backup.ts'
import { endAccess, raiseLoads, restorePostgres } from './restore-postgres.ts'
import { beginFilling } from './unfinished.ts'

export type RestoreTarget = {
  dataDir: string
  databaseUrl: string | undefined
  /** The key that a server here would use instead of one in `dataDir`. */
  secretKey: string | undefined
  memoryBytes: number
  /** Keeps all access that existed at the time of the backup, even if revoked since. */
  keepAccess: boolean
  log: Log
}

/**
 * Restores a backup into an empty or missing data directory. Whatever interrupts it, the directory ends up empty or marked as unfinished,
 * so it is never mistaken for complete.
 * @throws BackupProblem with one clear line
 */
export async function restoreBackup(file: string, target: RestoreTarget): Promise<Manifest> {
  const backup = await openBackup(file)
  try {
    await checkKey(backup, target.secretKey)
    await backup.verify()
    const filling = await beginFilling(target.dataDir)
    try {
      await fill(backup, target)
    } catch (error) {
      await filling.giveUp()
      const why = whyFull(error)
      throw why === undefined ? error : new BackupProblem(`Nothing was restored because it does not fit: ${why} (${messageOf(error)})`)
    }
    await filling.finish()
    return backup.manifest
  } finally {
    backup.close()
  }
}

/** Nothing sealed with the key can be opened without it, and nobody would notice before Google's tokens are needed. */
async function checkKey({ manifest }: Backup, secretKey: string | undefined): Promise<void> {
  const same = secretKey !== undefined && markOf(secretKey) === manifest.key.mark
  if (same || (manifest.key.included && secretKey === undefined)) return
  throw new BackupProblem(
    manifest.key.included
      ? 'SECRET_KEY differs from the key in the backup: unset it to use the key from the backup'
      : 'The SECRET_KEY this backup was made with is not in it: set SECRET_KEY to that key, or encrypted values cannot be read',
  )
}

async function fill(backup: Backup, target: RestoreTarget): Promise<void> {
  const { dataDir, log } = target
  await using opened = new AsyncDisposableStack()
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  const postgres = await openPostgres({ databaseUrl: target.databaseUrl, dataDir, log, onLost: lost.reject })
  opened.defer(() => postgres.close())
  // A database in the directory is removed with it.
  const database = target.databaseUrl === undefined ? undefined : await beginFillingDatabase(postgres.pool)
  try {
    const clickhouse = await openClickHouse({ dataDir, memoryBytes: target.memoryBytes, log })
    opened.defer(() => clickhouse.close())
    await Promise.race([fillStores(backup, target, postgres, clickhouse.client), lost.promise])
  } catch (error) {
    // What can't be undone is marked as unfinished.
    await database?.giveUp().catch((failed: unknown) => log.error({ err: failed }, 'the database could not be emptied again'))
    throw error
  }
  await database?.finish()
}

async function fillStores(
  backup: Backup,
  { dataDir, secretKey, keepAccess, log }: RestoreTarget,
  postgres: Postgres,
  client: ClickHouseClient,
): Promise<void> {
  await createFactsTables(client)
  for (const { table, columns } of backup.manifest.facts) {
    const known = await columnsOf(client, table)
    if (columns.some((column) => !known.includes(column))) throw newerProblem('This backup', backup.manifest.version)
  }
  await restorePostgres(postgres, backup, log)
  if (!keepAccess) await endAccess(postgres.pool)
  await restoreFacts(client, backup, dataDir)
  await raiseLoads(postgres.pool, await newestLoad(client))
  if (!backup.manifest.key.included || secretKey !== undefined) return
  const key = await text((await backup.content(keyName)) as AsyncIterable<Buffer>)
  await writeFile(path.join(dataDir, keyName), key, { mode: 0o600 })
}

async function restoreFacts(client: ClickHouseClient, backup: Backup, dataDir: string): Promise<void> {
  const drafts = path.join(/[*?{}[\]]/.test(dataDir) ? tmpdir() : dataDir, `restore-drafts-${process.pid}`)
  await mkdir(drafts, { recursive: true, mode: 0o700 })
  try {
    const { facts } = backup.manifest
    for (const [index, member] of facts.entries()) {
      const draft = path.join(drafts, `${index}.native.zst`)
      await pipeline(Readable.from(await backup.content(member.file)), createWriteStream(draft))
      await readFile(client, member.table, member.columns, draft)
      await rm(draft)
    }
    for (const table of rowTables) await mustHold(client, table, facts)
  } finally {
    await rm(drafts, { recursive: true, force: true })
  }
}

/** Pointers aren't counted: ClickHouse keeps only the newest for each day. */
async function mustHold(client: ClickHouseClient, table: string, facts: readonly FactsMember[]): Promise<void> {
  const expected = facts.filter((member) => member.table === table).reduce((sum, { rows }) => sum + rows, 0)
  const found = await countRows(client, table)
  if (found !== expected) throw new BackupProblem(`${found} of ${expected} rows of ${table} were restored`)
}
