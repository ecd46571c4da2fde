import { existsSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { ReadableStream } from 'node:stream/web'
import { z } from 'zod'
import { machineEndpoints } from '../../contract/machine.ts'
import { counted } from '../../core/words.ts'
import { type Destination, destinationOf, keepNewest, writeBackup } from '../backup/backup-file.ts'
import { makeBackup, refuseElsewhere } from '../backup/make-backup.ts'
import { type Manifest, totalsOf } from '../backup/manifest.ts'
import { BackupProblem } from '../backup/problem.ts'
import { type Config, parseConfig } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { type HandOverFile, throughServerOr } from '../platform/command-handshake.ts'
import { createLog } from '../platform/log.ts'
import { openPostgres } from '../platform/postgres.ts'
import { withStores } from '../stores/stores.ts'
import { type Env, help, runCommand } from './run.ts'

const usage = `Usage: npm run backup -- [--to PATH] [--keep N]

  --to PATH   a directory (the file is named by date and time) or a file name
              (by default the directory "backups" next to Ranklark)
  --keep N    keep only the newest N backups in that directory

See docs/backup.md.`

type Job = { to: Destination; keep: number | undefined }

function read(argv: readonly string[], from: string): Job | undefined {
  const { values } = parseArgs({ args: [...argv], options: { to: { type: 'string' }, keep: { type: 'string' }, help } })
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
async function refuseNothing({ dataDir, databaseUrl }: Config): Promise<void> {
  const isThere = (...names: string[]): boolean => existsSync(path.join(dataDir, ...names))
  if (isThere('clickhouse') && (databaseUrl === undefined ? isThere('postgres', 'cluster') : await hasTables(databaseUrl, dataDir))) return
  throw new BackupProblem(
    `Nothing to back up in ${dataDir}: no server has run there with these settings. Use the server's DATA_DIR (and DATABASE_URL)`,
  )
}

async function hasTables(databaseUrl: string, dataDir: string): Promise<boolean> {
  const log = createLog('error', true, { write: (line) => void process.stderr.write(line) })
  const { pool, close } = await openPostgres({ databaseUrl, dataDir, log, onLost: () => {} })
  try {
    const { rows } = await pool.query<{ there: boolean }>(`SELECT to_regclass('kysely_migration') IS NOT NULL AS there`)
    return rows[0]?.there === true
  } finally {
    await close()
  }
}

async function backUpHere(config: Config, to: Destination): ReturnType<typeof writeBackup> {
  await refuseNothing(config)
  return withStores(config, async ({ pool, clickhouse }, log) =>
    writeBackup(await makeBackup({ pool, clickhouse, config, clock: systemClock, log }), to),
  )
}

function answerText({ file, bytes, manifest }: { file: string; bytes: number; manifest: Manifest }): string {
  const { people, properties, facts } = totalsOf(manifest)
  const held = `${counted(people, 'account')}, ${counted(properties, 'property', 'properties')}, ${counted(facts, 'row')} of data`
  return [
    `Backed up to ${file} (${(bytes / 1e6).toFixed(1)} MB): ${held}.`,
    manifest.key.included
      ? 'It contains the secret key and everything encrypted with it: keep it where only you can read it.'
      : "It doesn't contain the SECRET_KEY, which you need to restore it.",
    '',
  ].join('\n')
}

async function act({ to, keep }: Job, env: Env): Promise<string> {
  const written = await backUpAnywhere(parseConfig(env), to)
  // Printed before anything is removed, since removal may fail.
  process.stdout.write(answerText(written))
  const removed = keep === undefined ? 0 : await keepNewest(to.directory, keep, written.file)
  return removed > 0 ? `Removed ${counted(removed, 'older backup')}.\n` : ''
}

const prefixOf = (error: unknown): string => (error instanceof BackupProblem ? '' : 'No backup was made: ')

/** `npm run backup`. @returns the exit code */
export const runBackup = (argv: readonly string[], env: Env): Promise<number> => runCommand({ usage, read, act, prefixOf }, argv, env)

if (import.meta.main) process.exitCode = await runBackup(process.argv.slice(2), process.env)
