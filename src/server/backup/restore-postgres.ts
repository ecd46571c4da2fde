import type pg from 'pg'
import { migrations } from '../database/migrations/index.ts'
import { openDatabase } from '../database/open.ts'
import type { Log } from '../platform/log.ts'
import { migrate } from '../platform/migrate.ts'
import type { Postgres } from '../platform/postgres.ts'
import { copyIn } from '../platform/postgres-copy.ts'
import { openQueue } from '../platform/queue.ts'
import type { Manifest, TableMember } from './manifest.ts'
import { type PostgresTable, postgresTables, sequencesOf } from './postgres-tables.ts'
import { BackupProblem } from './problem.ts'
import type { Backup } from './read-backup.ts'

/**
 * Makes the tables as they were when the backup was made, and fills them; the next start brings them up to date.
 * All rows come in one transaction.
 */
export async function restorePostgres({ pool, url }: Pick<Postgres, 'pool' | 'url'>, backup: Backup, log: Log): Promise<void> {
  const { manifest } = backup
  const asThen = Object.fromEntries(Object.entries(migrations).filter(([name]) => manifest.migrations.includes(name)))
  await migrate(openDatabase(pool), asThen, log)
  const queue = await openQueue({ url, log, worker: false })
  await queue.close()

  const client = await pool.connect()
  try {
    const tables = await postgresTables(client)
    await client.query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL DateStyle = 'ISO'; SET LOCAL IntervalStyle = 'postgres'`)
    await client.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')}`)
    const members = new Map(manifest.postgres.map((member) => [member.table, member]))
    for (const table of tables) {
      const member = members.get(table.name)
      if (member) await fill(client, table, member, await backup.content(member.file))
      members.delete(table.name)
    }
    // Ours are made as they were; of pg-boss's, one may have gone.
    const lost = [...members.keys()].filter((name) => !name.startsWith('jobs.'))
    if (lost.length > 0) throw new BackupProblem(`The backup has tables that nobody knows: ${lost.join(', ')}`)
    await setSequences(client, manifest)
    await client.query('COMMIT')
    await client.query('ANALYZE')
  } finally {
    client.release(true)
  }
}

const ends = {
  api_keys: 'UPDATE api_keys SET expires_at = least(expires_at, now())',
  report_shares: 'UPDATE report_shares SET expires_at = least(expires_at, now())',
  // Who has no password would be left without a way in.
  google_sign_ins: `DELETE FROM google_sign_ins AS held
    WHERE EXISTS (SELECT 1 FROM accounts WHERE accounts.user_id = held.user_id AND provider_id = 'credential' AND password IS NOT NULL)`,
} as const

/**
 * Ends what lets somebody in without a password: nobody knows which of it was taken back after the backup was made. Keys
 * and links stay in their lists as ended, so that their owners see which ones to make anew.
 */
export async function endAccess(pool: pg.Pool): Promise<void> {
  await pool.query('DELETE FROM sessions; DELETE FROM verifications')
  // A backup from before there were some of them has no tables of theirs yet.
  for (const [table, end] of Object.entries(ends)) {
    const { rows } = await pool.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table])
    if (rows[0]?.there) await pool.query(end)
  }
}

/** Numbers of loads go on after the newest that is stored: some of the facts are newer than PostgreSQL's picture. */
export async function raiseLoads(pool: pg.Pool, newest: number): Promise<void> {
  await pool.query(`SELECT setval('fact_load', greatest($1::bigint, (SELECT last_value FROM fact_load)))`, [Math.max(newest, 1)])
}

async function fill(client: pg.ClientBase, table: PostgresTable, member: TableMember, content: AsyncIterable<Uint8Array>): Promise<void> {
  const common = member.columns.filter((column) => table.columns.includes(column))
  let rows: number
  if (common.length === member.columns.length) {
    rows = await copyIn(client, `COPY ${table.name} (${common.join(', ')}) FROM STDIN`, content)
  } else {
    // A later pg-boss did without one of its columns: what is left goes in by way of a table that has it.
    const as = member.columns.map((_, index) => `c${index}`)
    await client.query(`CREATE TEMP TABLE arrived (${as.map((name) => `${name} text`).join(', ')}) ON COMMIT DROP`)
    rows = await copyIn(client, 'COPY arrived FROM STDIN', content)
    const types = await typesOf(client, table.name)
    const values = common.map((column) => `${as[member.columns.indexOf(column)]}::${types.get(column)}`)
    await client.query(`INSERT INTO ${table.name} (${common.join(', ')}) OVERRIDING SYSTEM VALUE SELECT ${values.join(', ')} FROM arrived`)
    await client.query('DROP TABLE arrived')
  }
  if (rows !== member.rows) throw new BackupProblem(`Of ${member.rows} rows of ${table.name} only ${rows} could be restored`)
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
