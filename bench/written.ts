import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'

/** Puts the last results of a measurement into a document, between its two markers; the rest stays unchanged. */
export async function writeMeasured(file: string, name: string, results: string): Promise<void> {
  const begin = `<!-- ${name}: written by the command, do not edit -->`
  const end = `<!-- end of ${name} -->`
  const text = await readFile(file, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${file} has no place for results: a line ${begin} and, below it, a line ${end}`)
  await writeFile(file, `${text.slice(0, from)}${begin}\n\n${results.trim()}\n\n${text.slice(to)}`)
}

/** When, and on what hardware: figures mean nothing without it. */
export function measuredOn(now: Date): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `Measured on ${now.toISOString().slice(0, 10)} with Node ${process.versions.node} on ${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${memory} GiB of memory.`
}
