import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import type pg from 'pg'
import { messageOf } from '../common/errors.ts'
import { migrations } from '../database/migrations/index.ts'
import { openDatabase } from '../database/open.ts'
import { createFactsTables } from '../facts/schema.ts'
import { dropWaitingEmails } from '../mail/waiting-emails.ts'
import { openClickHouse } from '../platform/clickhouse/clickhouse.ts'
import type { Log } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import { copyIn } from '../platform/postgres-copy.ts'
import { openPostgres, type Postgres, withoutLimits } from '../platform/postgres.ts'
import { openQueue } from '../platform/queue.ts'
import { columnsOf, countRows, newestLoad, readFile, rowTables } from './facts-files.ts'
import { beginFillingDatabase } from './given-database.ts'
import { type FactsMember, keyName, type Manifest, markOf, type TableMember } from './manifest.ts'
import { type PostgresTable, postgresTables, sequencesOf } from './postgres-tables.ts'
import { BackupProblem, whyFull } from './problem.ts'
import { type Backup, newerProblem, openBackup } from './read-backup.ts'
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
  await migrate(openDatabase(postgres.pool), migrations, log)
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

/** Creates the tables as they were at the time of the backup, and fills them in one transaction. */
export async function restorePostgres({ pool, url }: Pick<Postgres, 'pool' | 'url'>, backup: Backup, log: Log): Promise<void> {
  const { manifest } = backup
  const asThen = Object.fromEntries(Object.entries(migrations).filter(([name]) => manifest.migrations.includes(name)))
  await migrate(openDatabase(pool), asThen, log)
  const queue = await openQueue({ url, log, worker: false })
  await queue.close()

  const client = await pool.connect()
  try {
    const tables = await postgresTables(client)
    await client.query(`BEGIN; ${withoutLimits}; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres'`)
    await client.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`)
    const members = new Map(manifest.postgres.map((member) => [member.table, member]))
    for (const table of tables) {
      const member = members.get(table.name)
      if (member) await fillTable(client, table, member, await backup.content(member.file))
      members.delete(table.name)
    }
    // Ours are created as they were; pg-boss may have dropped one of its own.
    const lost = [...members.keys()].filter((name) => !name.startsWith('jobs.'))
    if (lost.length > 0) throw new BackupProblem(`The backup contains unknown tables: ${lost.join(', ')}`)
    await setSequences(client, manifest)
    await client.query('COMMIT')
    await client.query('ANALYZE')
  } finally {
    client.release(true)
  }
}

const wasWaiting = 'It was still waiting in the backup that was restored.'
/** docs/deploy.md has the same for databases that are restored with their own tools. */
export const ends = [
  'DELETE FROM sessions',
  // Links that undo a change stay: the address in force may be a thief's again.
  `DELETE FROM verifications WHERE kind IS DISTINCT FROM 'undo-address'`,
  // The emailed links that would confirm them have just ended.
  'UPDATE people SET pending_email = NULL, pending_email_until = NULL',
  'UPDATE api_keys SET expires_at = least(expires_at, now())',
  'UPDATE report_shares SET expires_at = least(expires_at, now())',
  // Users without a password would have no way in.
  `DELETE FROM google_sign_ins AS held
    WHERE EXISTS (SELECT 1 FROM accounts WHERE accounts.user_id = held.user_id AND provider_id = 'credential' AND password IS NOT NULL)`,
  // Alert emails go to the account's own address again.
  `DELETE FROM delivery_channels WHERE channel = 'email';
    UPDATE delivery_channels SET destination = NULL, waiting = NULL, waiting_shown = NULL,
      problem = 'It was entered before the data was restored from a backup. Enter it again.', problem_since = now()`,
  'UPDATE report_schedules SET enabled = false',
  // It may have been a thief's, and would get the replies of those who agree again.
  'UPDATE report_brands SET reply_to = NULL',
  // People who agreed may have unsubscribed or been removed since; links sent before no longer count. Refusals stay.
  'UPDATE report_recipients SET confirmed_at = NULL, links_count_from = now() WHERE unsubscribed_at IS NULL',
  // They may have been sent since, or their reader may have unsubscribed. Alerts without a message so far are announced.
  `UPDATE report_mails SET state = 'failed', detail = '${wasWaiting}' WHERE state = 'waiting'`,
  `UPDATE report_runs SET state = 'failed', detail = '${wasWaiting}'
    WHERE state IN ('waiting', 'running') AND schedule_id IS NOT NULL`,
  `UPDATE notifications SET state = 'failed', detail = '${wasWaiting}' WHERE state = 'waiting'`,
  dropWaitingEmails,
]

/**
 * Ends all access that works without a password, and everything that is sent to others: nobody knows which of it was revoked after the
 * backup was made. Keys, links, destinations and schedules stay listed as ended, so that their owners see which ones to create again, and
 * messages that were waiting to be sent as not sent. The tables must be up to date.
 */
export async function endAccess(pool: pg.Pool): Promise<void> {
  for (const end of ends) await pool.query(end)
}

/** Load numbers continue after the newest one stored: some facts are newer than PostgreSQL's snapshot. */
export async function raiseLoads(pool: pg.Pool, newest: number): Promise<void> {
  await pool.query(`SELECT setval('fact_load', greatest($1::bigint, (SELECT last_value FROM fact_load)))`, [Math.max(newest, 1)])
}

async function fillTable(
  client: pg.ClientBase,
  table: PostgresTable,
  member: TableMember,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const common = member.columns.filter((column) => table.columns.includes(column))
  let rows: number
  if (common.length === member.columns.length) {
    rows = await copyIn(client, `COPY ${table.name} (${common.join(', ')}) FROM STDIN`, content)
  } else {
    // A later pg-boss dropped one of its columns: the rest is loaded through a table that has it.
    const as = member.columns.map((_, index) => `c${index}`)
    await client.query(`CREATE TEMP TABLE arrived (${as.map((name) => `${name} text`).join(', ')}) ON COMMIT DROP`)
    rows = await copyIn(client, 'COPY arrived FROM STDIN', content)
    const types = await typesOf(client, table.name)
    const values = common.map((column) => `${as[member.columns.indexOf(column)]}::${types.get(column)}`)
    await client.query(`INSERT INTO ${table.name} (${common.join(', ')}) OVERRIDING SYSTEM VALUE SELECT ${values.join(', ')} FROM arrived`)
    await client.query('DROP TABLE arrived')
  }
  if (rows !== member.rows) throw new BackupProblem(`Only ${rows} of ${member.rows} rows of ${table.name} could be restored`)
}

async function typesOf(client: pg.ClientBase, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}

async function setSequences(client: pg.ClientBase, { sequences }: Manifest): Promise<void> {
  for (const name of Object.keys(await sequencesOf(client))) {
    const last = sequences[name]
    if (typeof last === 'number') await client.query('SELECT setval($1::regclass, $2)', [name, last])
  }
}
