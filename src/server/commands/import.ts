import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type ImportAnswer, type ImportProblem, type ImportProgress, mostFiles } from '../../contract/import.ts'
import { counted } from '../../core/words.ts'
import { type Config, parseConfig } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { withStores } from '../stores/stores.ts'
import { throughServerOr } from '../platform/command-handshake.ts'
import { handOverFiles } from '../sync/import/hand-over-file.ts'
import { ImportRefusal } from '../sync/import/refusal.ts'
import { createImportService, type ImportResult } from '../sync/import/service.ts'
import { type Env, help, runCommand } from './run.ts'

const usage = `Usage: npm run import -- FILE… --property NAME [--user NAME]

  FILE             a ZIP or CSV from Search Console's Export button; a CSV with the columns date,
                   clicks, impressions, ctr or position, and any of query, page, country, device; or all
                   files of the bulk export's tables (CSV or newline-delimited JSON, gzipped or not)
  --property NAME  the property to import into; it is created if it doesn't exist
  --user NAME      whose property it is: a username or confirmed email address (default: the only account, or the demo account in a demo)

See docs/import.md.`

type Job = { files: string[]; property: string; user: string | undefined }

function read(argv: readonly string[], from: string): Job | undefined {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { property: { type: 'string' }, user: { type: 'string' }, help },
  })
  if (values.help) return undefined
  if (positionals.length === 0) throw new Error('Name the files to import')
  if (positionals.length > mostFiles) throw new Error(`At most ${mostFiles} files at a time: split them by date`)
  if (values.property === undefined) throw new Error('Name the property to import into with --property NAME')
  return { files: positionals.map((file) => path.resolve(from, file)), property: values.property, user: values.user }
}

async function mustBeFile(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined)
  if (!stats) throw new Error(`There is no file ${file}`)
  if (!stats.isFile()) throw new Error(`${file} is not a file; for an unpacked export, use its Chart.csv or Dates.csv`)
}

/** If this DATA_DIR's server is running, it does the import, since one process owns the stores. */
async function importAnywhere(config: Config, job: Job): Promise<ImportResult> {
  const onProgress = progressOn(process.stderr)

  return throughServerOr(
    config.dataDir,
    (server) => handOverFiles(server, { ...job, onProgress }),
    () => importHere(config, job, onProgress),
  )
}

const importHere = (config: Config, job: Job, onProgress: (progress: ImportProgress) => void): Promise<ImportResult> =>
  withStores(config, async ({ pool, db, facts }) => {
    const { dataDir, offer, demo } = config
    const imports = createImportService({ pool, db, facts, dataDir, offer, demo, clock: systemClock })
    const userId = await imports.findUser(job.user)
    const files = job.files.map((file) => ({ name: path.basename(file), content: createReadStream(file) }))
    return imports.importFiles({ userId, propertyName: job.property, files, onProgress, ofThisMachine: true })
  })

/** On a terminal, one line that is overwritten as the import progresses. */
function progressOn(terminal: NodeJS.WriteStream): (progress: ImportProgress) => void {
  if (!terminal.isTTY) return () => {}
  let saidAt = 0
  return ({ rows, fraction }) => {
    const now = performance.now()
    if (now - saidAt < 500 && fraction < 1) return
    saidAt = now
    terminal.write(`\r\u001b[KReading: ${Math.floor(fraction * 100)}%, ${counted(rows, 'row')}${fraction < 1 ? '' : '\n'}`)
  }
}

function answerText({ property, changed, rows, days, start, end, clicks, impressions, notes }: ImportAnswer): string {
  return [
    changed ? `Imported into ${property}:` : `Nothing changed: these files were already imported into ${property}:`,
    `  ${counted(rows, 'row')}, ${counted(days, 'day')} from ${start} to ${end}`,
    `  ${counted(clicks, 'click')}, ${counted(impressions, 'impression')}`,
    ...notes.map((note) => `  Note: ${note}`),
    '',
  ].join('\n')
}

function problemText({ message, file, line }: ImportProblem): string {
  const place = [...(file === undefined ? [] : [file]), ...(line === undefined ? [] : [`line ${line}`])].join(', ')
  return `Nothing was imported. ${place === '' ? '' : `${place}: `}${message}`
}

async function act(job: Job, env: Env): Promise<string> {
  for (const file of job.files) await mustBeFile(file)
  const result = await importAnywhere(parseConfig(env), job).catch((error: unknown) => {
    throw error instanceof ImportRefusal ? new Error(problemText(error.problem), { cause: error }) : error
  })
  if (!result.ok) throw new Error(problemText(result.problem))
  return answerText(result.answer)
}

/** `npm run import`. @returns the exit code */
export const runImport = (argv: readonly string[], env: Env): Promise<number> => runCommand({ usage, read, act }, argv, env)

if (import.meta.main) process.exitCode = await runImport(process.argv.slice(2), process.env)
