import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Manifest, totalsOf } from '../backup/manifest.ts'
import { BackupProblem } from '../backup/problem.ts'
import { restoreBackup } from '../backup/restore.ts'
import { parseConfig } from '../config.ts'
import { createLog } from '../platform/log.ts'
import { type Env, help, runCommand } from './run.ts'

const usage = `Usage: npm run restore -- FILE [--data-dir DIR] [--keep-access]

  FILE            a backup made by "npm run backup"
  --data-dir DIR  an empty or missing directory to restore it into (by default DATA_DIR)
  --keep-access   keeps the logins, API keys, shared links, alert destinations and report schedules of the backup,
                  and sends the messages that were waiting in it; without the option, all are revoked and nothing waiting
                  is sent: otherwise, any revoked since the backup would work again

See docs/backup.md.`

type Job = { file: string; dataDir: string | undefined; keepAccess: boolean }

function read(argv: readonly string[], from: string): Job | undefined {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { 'data-dir': { type: 'string' }, 'keep-access': { type: 'boolean' }, help },
  })
  if (values.help) return undefined
  const [file, ...more] = positionals
  if (file === undefined) throw new Error('Name the backup to restore')
  if (more.length > 0) throw new Error(`One backup at a time: unexpected "${more.join(' ')}" (put names with spaces in quotes)`)
  const dataDir = values['data-dir']
  return {
    file: path.resolve(from, file),
    dataDir: dataDir === undefined ? undefined : path.resolve(from, dataDir),
    keepAccess: values['keep-access'] ?? false,
  }
}

async function act({ file, dataDir, keepAccess }: Job, env: Env): Promise<string> {
  const config = parseConfig(env)
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw new BackupProblem(`There is no file ${file}`)
  if (config.clickhouse.url !== undefined)
    throw new BackupProblem('With CLICKHOUSE_URL, restore both databases with their own tools: see "Backup and restore" in docs/deploy.md')
  const into = dataDir ?? config.dataDir
  const manifest = await restoreBackup(file, {
    dataDir: into,
    databaseUrl: config.databaseUrl,
    secretKey: config.secretKey,
    memoryBytes: config.clickhouse.memoryBytes,
    keepAccess,
    log: createLog('error', true, { write: (line) => void process.stderr.write(line) }),
  })
  return answerText(manifest, into, keepAccess)
}

const whole = new Intl.NumberFormat('en-US')

function answerText(manifest: Manifest, dataDir: string, keepAccess: boolean): string {
  const { people, properties, facts } = totalsOf(manifest)
  const held = `accounts: ${whole.format(people)}, properties: ${whole.format(properties)}, rows of data: ${whole.format(facts)}`
  const access = keepAccess
    ? ''
    : 'Everyone has to log in again, create new API keys and shared links, enter alert destinations and turn scheduled reports on again: a backup cannot know which were revoked after it was made. '
  return `Restored into ${dataDir} as of ${manifest.madeAt} (${held}). ${access}Start with: DATA_DIR=${dataDir} npm start\n`
}

const prefixOf = (error: unknown): string => (error instanceof BackupProblem ? '' : 'Nothing was restored: ')

/** `npm run restore`. @returns the exit code */
export const runRestore = (argv: readonly string[], env: Env): Promise<number> => runCommand({ usage, read, act, prefixOf }, argv, env)

if (import.meta.main) process.exitCode = await runRestore(process.argv.slice(2), process.env)
