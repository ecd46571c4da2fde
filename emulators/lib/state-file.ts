import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A small JSON document kept in a directory, or in memory only when there is no directory. */
export interface StateFile {
  /** What was saved last, or undefined when nothing readable was. */
  load(): unknown
  /** Replaces the document; after a crash there is the old one or the new one, never half of one. */
  save(value: unknown): void
}

/** @param directory null: nothing outlives the process. */
export function openStateFile(directory: string | null, name: string): StateFile {
  if (directory === null) return { load: () => undefined, save: () => undefined }
  const path = join(directory, name)
  return {
    load: () => {
      try {
        return JSON.parse(readFileSync(path, 'utf8'))
      } catch {
        return undefined
      }
    },
    save: (value) => {
      mkdirSync(directory, { recursive: true })
      const next = `${path}.${process.pid}.tmp`
      // Readable by its owner only: it holds tokens, if only of this stand-in.
      writeFileSync(next, JSON.stringify(value, null, 1), { mode: 0o600 })
      renameSync(next, path)
    },
  }
}
