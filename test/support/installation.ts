import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { test, vi } from 'vitest'
import { unused } from './app.ts'
import { blank } from './database.ts'
import { gatherLine } from './gathered-log.ts'
import { silentLog } from './platform.ts'
import { openHome } from './snapshots.ts'
import type { runBackup } from '../../src/server/commands/backup.ts'
import { mailQueues } from '../../src/server/mail/mailer.ts'
import { openQueue } from '../../src/server/platform/queue.ts'
import { parseConfig } from '../../src/server/config.ts'
import { type ArchiveFile, zipStream } from '../../src/server/platform/zip-stream.ts'
import type { runRestore } from '../../src/server/commands/restore.ts'
import { openStores } from '../../src/server/stores/stores.ts'
import { type Manifest, manifestName } from '../../src/server/backup/manifest.ts'
import { openBackup } from '../../src/server/backup/read-backup.ts'

export type Outcome = { code: number; out: string; err: string }
export type Environment = Record<string, string>
export type Command = typeof runBackup | typeof runRestore

/** A nonexistent database server: a command that connects fails with something other than a refusal. */
export const nowhere = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' }

/** A command's file. */
export const commandFile = (name: 'backup' | 'restore'): string =>
  fileURLToPath(new URL(`../../src/server/commands/${name}.ts`, import.meta.url))

/** The path in a backup command's output. */
export const nameIn = (out: string): string => /^Backed up to (\S+) /.exec(out)?.[1] ?? ''

export async function manifestOf(file: string): Promise<Manifest> {
  const opened = await openBackup(file)
  opened.close()
  return opened.manifest
}

/** What an installation stores, by the rows and sums of its tables and by the rows of its facts. */
export async function holdings(file: string) {
  const { postgres: tables, facts, sequences } = await manifestOf(file)
  const rows: Record<string, number> = {}
  for (const each of facts) rows[each.table] = (rows[each.table] ?? 0) + each.rows
  return { tables: tables.map(({ table, sha256 }) => [table, sha256]), rows, sequences }
}

/** A column named `row` from a database's result. */
export async function ask(url: string, sql: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ row: string }>(sql)).rows.map(({ row }) => row)
  } finally {
    await client.end()
  }
}

export const thingsIn = (url: string): Promise<string[]> =>
  ask(
    url,
    `SELECT n.nspname || '.' || c.relname AS row FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'jobs') ORDER BY 1`,
  )

/** The backup, with a changed manifest. */
export async function saying(backup: string, to: string, change: (manifest: Manifest) => object): Promise<string> {
  const opened = await openBackup(backup)
  const { manifest } = opened
  const said = change(structuredClone(manifest))
  const others = 'others' in said ? (said as Manifest).others : manifest.others
  const members = [...manifest.postgres, ...manifest.facts, ...others].map(({ file }) => file)
  async function* content(member: string) {
    yield* await opened.content(member)
  }
  const files: ArchiveFile[] = members.map((member) => ({ name: member, content: content(member), stored: true }))
  await pipeline(zipStream([...files, { name: manifestName, content: JSON.stringify(said) }], new Date()), createWriteStream(to))
  opened.close()
  return to
}

/** The commands, run in a given directory. */
type Commands = {
  environment(more: Environment): Record<string, string | undefined>
  runFile(file: string, args: readonly string[], more: Environment): Promise<Outcome>
  at(...names: string[]): string
  /** A command in its own process, as npm runs it. */
  run(name: 'backup' | 'restore', args: readonly string[], more: Environment): Promise<Outcome>
  /** The same in this process. */
  here(command: Command, args: readonly string[], more: Environment): Promise<Outcome>
}

export type Installation = Commands & {
  /** Its settings. */
  lived: Environment
  home: string
  /** A backup of it, and the command's output. */
  backup: string
  made: Outcome
  /** The URL of an empty database. */
  newDatabase(): Promise<string>
}

export function commandsIn(scratch: string): Commands {
  const environment = (more: Environment) => ({ ...process.env, INIT_CWD: scratch, BASE_URL: '', ...more })
  const runFile = (file: string, args: readonly string[], more: Environment): Promise<Outcome> =>
    new Promise((resolve) => {
      execFile(file, args, { env: environment(more) }, (error, out, err) => {
        gatherLine(`${out}\n${err}\n`)
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err })
      })
    })
  return {
    environment,
    runFile,
    at: (...names) => path.join(scratch, ...names),
    run: (name, args, more) => runFile(process.execPath, [commandFile(name), ...args], more),
    async here(command, args, more) {
      const [out, err] = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockReturnValue(true))
      try {
        const code = await command(args, environment(more))
        return { code, out: out?.mock.calls.join('') ?? '', err: err?.mock.calls.join('') ?? '' }
      } finally {
        out?.mockRestore()
        err?.mockRestore()
      }
    },
  }
}

/**
 * Tests in a file that share an installation with an external database, with a user, a property and figures in it, and a backup of that.
 * @param perTable rows of each kind of figures
 */
export const installationTest = (perTable: number) =>
  test.extend('installed', { scope: 'file' }, async ({}, { onCleanup }): Promise<Installation> => {
    const scratch = await mkdtemp(path.join(tmpdir(), 'ranklark-commands-'))
    const home = await openHome(unused)
    const homes = [home]
    onCleanup(async () => {
      for (const each of homes) await each.remove()
      await rm(scratch, { recursive: true, force: true })
    })
    const lived = { DATA_DIR: home.dataDir, DATABASE_URL: home.databaseUrl }
    const commands = commandsIn(scratch)
    const config = parseConfig(lived)
    const { pool, clickhouse, nextLoad, close } = await openStores(config, silentLog, () => {})
    await nextLoad()
    await pool.query(`INSERT INTO users (id, name, email) VALUES ('ann', 'Ann', 'ann@example.test')`)
    await pool.query(`INSERT INTO properties (user_id, name, kind) VALUES ('ann', 'one', 'google')`)
    // What lets ann in without her password.
    await pool.query(`INSERT INTO sessions (id, user_id, token, expires_at) VALUES ('s', 'ann', 't', now() + interval '30 days');
      INSERT INTO verifications (id, identifier, value, expires_at) VALUES ('v', 'trust-device-x', 'ann', now() + interval '30 days');
      INSERT INTO accounts (id, account_id, provider_id, user_id, password, created_at, updated_at) VALUES ('a', 'ann', 'credential', 'ann', 'hash', now(), now());
      INSERT INTO google_sign_ins (google_sub, user_id, email) VALUES ('sub', 'ann', 'ann@gmail.com');
      INSERT INTO api_keys (user_id, name, scope, hash, start, created_at) VALUES ('ann', 'program', 'read', decode(repeat('00', 32), 'hex'), 'rk_', now());
      INSERT INTO delivery_channels (user_id, channel, destination, shown) VALUES ('ann', 'webhook', 'sealed', 'x.example'), ('ann', 'email', 'sealed', 'x@y.example');
      INSERT INTO report_schedules (user_id, property_id, kind, paper, recipients, enabled, first_start, look_at, created_at)
        SELECT 'ann', id, 'week', 'a4', '{x@y.example}', true, '2026-03-09', now() + interval '30 days', now() FROM properties;
      INSERT INTO report_recipients (user_id, address, asked_at, asks, confirmed_at, unsubscribed_at)
        VALUES ('ann', 'x@y.example', now(), 1, now(), NULL), ('ann', 'left@y.example', now(), 1, NULL, now());
      INSERT INTO report_brands (user_id, name, colour, sender_name, reply_to, updated_at)
        VALUES ('ann', 'North', '#123456', 'North', 'replies@y.example', now());
      INSERT INTO report_shares (user_id, property_id, title, kind, period_start, period_end, token_hash, token_sealed, created_at, expires_at)
        SELECT 'ann', id, 'one', 'week', '2026-03-02', '2026-03-08', 'h', 's', now(), now() + interval '30 days' FROM properties`)
    await pool.query(`INSERT INTO report_runs (user_id, property_id, scheduled, title, kind, paper, state, total, recipients, created_at)
        SELECT 'ann', id, false, 'one', 'week', 'a4', 'done', 1, '{x@y.example}', now() FROM properties;
      INSERT INTO report_mails (run_id, user_id, address, next_attempt_at, give_up_at, created_at)
        SELECT id, 'ann', 'x@y.example', now(), now() + interval '1 day', now() FROM report_runs;
      INSERT INTO notifications (user_id, channel, kind, message, next_attempt_at, give_up_at, created_at)
        VALUES ('ann', 'email', 'test', '{"kind":"test","property":null}', now(), now() + interval '1 day', now())`)
    const queue = await openQueue({ url: home.databaseUrl, log: silentLog, worker: false })
    for (const name of mailQueues) {
      await queue.defineQueue(name)
      await queue.send(name, { sealed: 'waiting' })
    }
    await queue.close()
    // Names that don't compress, so that disks get full.
    const rowsOf = (table: string, columns: string, names: string): Promise<unknown> =>
      clickhouse.command({
        query: `INSERT INTO ${table} (property, type, date, load, ${columns}, clicks, impressions, position_sum)
          SELECT 1, 'web', toDate('2026-03-01') + number % 20, 1, ${names}, 1, 2, 3 FROM numbers(${perTable})`,
      })
    await rowsOf('facts_query', 'query', 'randomPrintableASCII(30)')
    await rowsOf('facts_page', 'page', 'randomPrintableASCII(30)')
    await rowsOf('facts_query_page', 'query, page', `randomPrintableASCII(30), ''`)
    await clickhouse.command({
      query: `INSERT INTO facts_current SELECT 1, 'web', 'query', toDate('2026-03-01') + number, 1, 1000, 1000, 2000 FROM numbers(20)`,
    })
    await close()
    const made = await commands.run('backup', ['--to', 'first/'], lived)
    if (made.code !== 0) throw new Error(`No backup was made: ${made.err}`)
    return {
      ...commands,
      lived,
      home: home.dataDir,
      backup: nameIn(made.out),
      made,
      async newDatabase() {
        const other = await openHome(blank)
        homes.push(other)
        return other.databaseUrl
      },
    }
  })
