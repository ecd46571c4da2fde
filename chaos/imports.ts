import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { addDays, eachDay } from '../src/core/analytics/days.ts'
import type { GrainSums } from '../test/support/grain-sums.ts'
import { until } from '../test/support/until.ts'
import type { Installation } from './installation.ts'
import type { Inhabitant } from './people.ts'

/** An imported file: no other has its days, so that it can be checked for completeness. */
export type ImportedFile = {
  property: string
  name: string
  start: string
  end: string
  text: string
  /** The grains for which its columns give daily sums. */
  sums: Pick<GrainSums, 'total' | 'page' | 'query' | 'query_page'>
  acknowledged: boolean
  /** How it is imported: as the app does, or by `npm run import`. */
  by: 'app' | 'command'
}

const days = 20
/** A command's file is larger: there has to be time to kill it. */
const rowsADay = { app: 150, command: 600 }
const firstOfAll = '2018-01-01'

/** Somebody's `index`th file: days of the past that no other file has. */
export function makeFile(person: Inhabitant, index: number, by: ImportedFile['by'] = 'app'): ImportedFile {
  const start = addDays(firstOfAll, index * days)
  const end = addDays(start, days - 1)
  const lines = ['date,query,page,clicks,impressions,position']
  const sums: ImportedFile['sums'] = { total: {}, page: {}, query: {}, query_page: {} }
  for (const date of eachDay(start, end)) {
    let clicks = 0
    for (let row = 0; row < rowsADay[by]; row++) {
      const count = (row * 7 + index) % 40
      clicks += count
      lines.push(`${date},query ${row},https://${person.name}.example/page-${row},${count},${count + 10},3.5`)
    }
    const sum = { clicks, impressions: clicks + 10 * rowsADay[by] }
    sums.total[date] = { rows: 1, ...sum }
    for (const grain of ['page', 'query', 'query_page'] as const) sums[grain][date] = { rows: rowsADay[by], ...sum }
  }
  return { property: person.imports, name: `export-${index}.csv`, start, end, text: lines.join('\n'), sums, acknowledged: false, by }
}

/** Imports a file as the app does. Returns the status; 0 without an answer. */
export async function upload(person: Inhabitant, url: string, file: ImportedFile): Promise<number> {
  const form = new FormData()
  form.set('property', file.property)
  form.set('file', new Blob([file.text]), file.name)
  const cookie = [...person.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const bytes = crypto.getRandomValues(new Uint8Array(3))
  try {
    const answer = await fetch(`${url}/api/import`, {
      method: 'POST',
      body: form,
      headers: { cookie, 'x-forwarded-for': `10.${bytes.join('.')}` },
      signal: AbortSignal.timeout(60_000),
    })
    await answer.text()
    if (answer.status === 200) file.acknowledged = true
    return answer.status
  } catch {
    return 0
  }
}

const script = fileURLToPath(new URL('../src/server/commands/import.ts', import.meta.url))

/** `npm run import` of a file, in its own process. */
export type ImportCommand = {
  /** Its exit code, null if it was killed, and its output. */
  readonly ended: Promise<{ code: number | null; said: string }>
  /** kill -9. Returns false if it had already ended. */
  kill(): boolean
}

export async function startImport(person: Inhabitant, at: Installation, file: ImportedFile): Promise<ImportCommand> {
  const directory = path.join(at.directory, 'files')
  await mkdir(directory, { recursive: true })
  const place = path.join(directory, file.name)
  await writeFile(place, file.text)
  const child = spawn(process.execPath, ['--no-warnings', script, place, '--property', file.property, '--user', person.account], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], TZ: 'UTC', ...at.settings },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    if (code === 0) file.acknowledged = true
    return { code: code ?? null, said }
  })
  return { ended, kill: () => child.exitCode === null && child.kill('SIGKILL') }
}

/** Without an answer, people import the file again, which has to end well. */
export async function handInUntilTaken(person: Inhabitant, at: Installation, file: ImportedFile): Promise<void> {
  await until(
    async () => (file.by === 'app' ? upload(person, at.url, file) : await (await startImport(person, at, file)).ended),
    () => file.acknowledged,
    120_000,
  )
}
