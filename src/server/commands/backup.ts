import { existsSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { ReadableStream } from 'node:stream/web'
import { z } from 'zod'
import { machineEndpoints } from '../../contract/machine.ts'
import { type Destination, destinationOf, keepNewest, writeBackup } from '../backup/backup-file.ts'
import { makeBackup, refuseElsewhere } from '../backup/make-backup.ts'
import { type Manifest, totalsOf } from '../backup/manifest.ts'
import { BackupProblem } from '../backup/problem.ts'
import { type Config, ConfigError, parseConfig } from '../config.ts'
import { messageOf } from '../common/errors.ts'
import { systemClock } from '../platform/clock.ts'
import { type HandOverFile, throughServerOr } from '../platform/hand-over.ts'
import { createLog, type Log } from '../platform/log.ts'
import { openPostgres } from '../platform/postgres.ts'
import { openStores } from '../stores/stores.ts'

const usage = `Usage: npm run backup -- [--to PATH] [--keep N]

  --to PATH   a directory (the file is named by date and time) or a file name
              (by default the directory "backups" next to Ranklark)
  --keep N    keep only the newest N backups in that directory

See docs/backup.md.`

type Job = { to: Destination; keep: number | undefined }

/** @throws BackupProblem; undefined if help was requested */
function readArguments(argv: readonly string[], from: string): Job | undefined {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { to: { type: 'string' }, keep: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) return undefined
    const to = destinationOf(
      values.to === undefined
        ? path.resolve('backups') + path.sep
        : path.resolve(from, values.to) + (/[\\/]$/.test(values.to) ? path.sep : ''),
    )
    if (values.keep === undefined) return { to, keep: undefined }
    if (!/^[1-9]\d{0,5}$/.test(values.keep)) throw new Error(`--keep ${values.keep} must be a whole number, at least 1`)
    if (to.name !== null) throw new Error('--keep only works with a directory, not with a single file')
    return { to, keep: Number(values.keep) }
  } catch (error) {
    throw new BackupProblem(`${messageOf(error)}\n\n${usage}`)
  }
}

function backUpAnywhere(config: Config, to: Destination): ReturnType<typeof writeBackup> {
  refuseElsewhere(config)
  return throughServerOr(
    config.dataDir,
    (server) => backUpThrough(server, to),
    () => backUpHere(config, to),
  )
}

async function backUpThrough({ url, token }: HandOverFile, to: Destination): ReturnType<typeof writeBackup> {
  const answer = await fetch(url + machineEndpoints.backup.path, {
    method: machineEndpoints.backup.method,
    headers: { authorization: `Bearer ${token}` },
  })
  if (!answer.ok || answer.body === null) {
    const said = z.object({ message: z.string() }).safeParse(await answer.json().catch(() => null))
    throw new BackupProblem(said.success ? said.data.message : `The server responded with ${answer.status}`)
  }
  return writeBackup(Readable.fromWeb(answer.body as ReadableStream), to).catch((error: unknown) => {
    // `fetch`'s error for a truncated response.
    if (error instanceof Error && error.message === 'terminated') throw new BackupProblem('The server stopped the backup; see its log')
    throw error
  })
}

/** An installation that was never started would be created here, and its empty backup mistaken for yours. */
async function refuseNothing({ dataDir, databaseUrl }: Config, log: Log): Promise<void> {
  const isThere = (...names: string[]): boolean => existsSync(path.join(dataDir, ...names))
  if (isThere('clickhouse') && (databaseUrl === undefined ? isThere('postgres', 'cluster') : await hasTables(databaseUrl, dataDir, log)))
    return
  throw new BackupProblem(
    `Nothing to back up in ${dataDir}: no server has run there with these settings. Use the server's DATA_DIR (and DATABASE_URL)`,
  )
}

async function hasTables(databaseUrl: string, dataDir: string, log: Log): Promise<boolean> {
  const { pool, close } = await openPostgres({ databaseUrl, dataDir, log, onLost: () => {} })
  try {
    const { rows } = await pool.query<{ there: boolean }>(`SELECT to_regclass('kysely_migration') IS NOT NULL AS there`)
    return rows[0]?.there === true
  } finally {
    await close()
  }
}

async function backUpHere(config: Config, to: Destination): ReturnType<typeof writeBackup> {
  const log = createLog('error', true, { write: (line) => void process.stderr.write(line) })
  await refuseNothing(config, log)
  await using opened = new AsyncDisposableStack()
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  const { pool, clickhouse, close } = await openStores(config, log, lost.reject)
  opened.defer(close)
  const archive = await makeBackup({ pool, clickhouse, config, clock: systemClock, log })
  // Awaited here: the stores are closed on return.
  return await Promise.race([writeBackup(archive, to), lost.promise])
}

const whole = new Intl.NumberFormat('en-US')
const count = (number: number, one: string, many: string): string => `${whole.format(number)} ${number === 1 ? one : many}`

function answerText({ file, bytes, manifest }: { file: string; bytes: number; manifest: Manifest }): string {
  const { people, properties, facts } = totalsOf(manifest)
  const held = `${count(people, 'account', 'accounts')}, ${count(properties, 'property', 'properties')}, ${count(facts, 'row', 'rows')} of data`
  return [
    `Backed up to ${file} (${(bytes / 1e6).toFixed(1)} MB): ${held}.`,
    manifest.key.included
      ? 'It contains the secret key and everything encrypted with it: keep it where only you can read it.'
      : "It doesn't contain the SECRET_KEY, which you need to restore it.",
    '',
  ].join('\n')
}

/** `npm run backup`. @returns the exit code */
export async function runBackup(argv: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<number> {
  try {
    // npm runs scripts in the package's directory; a relative PATH refers to the user's.
    const job = readArguments(argv, env['INIT_CWD'] ?? process.cwd())
    if (!job) {
      process.stdout.write(`${usage}\n`)
      return 0
    }
    const written = await backUpAnywhere(parseConfig(env), job.to)
    // Printed before anything is removed, since removal may fail.
    process.stdout.write(answerText(written))
    const removed = job.keep === undefined ? 0 : await keepNewest(job.to.directory, job.keep, written.file)
    if (removed > 0) process.stdout.write(`Removed ${count(removed, 'older backup', 'older backups')}.\n`)
    return 0
  } catch (error) {
    const prefix = error instanceof ConfigError ? 'Configuration: ' : error instanceof BackupProblem ? '' : 'No backup was made: '
    process.stderr.write(`${prefix}${messageOf(error)}\n`)
    return 1
  }
}

if (import.meta.main) process.exitCode = await runBackup(process.argv.slice(2), process.env)
