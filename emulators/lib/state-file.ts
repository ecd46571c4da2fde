import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A small JSON document kept in a directory, or only in memory if there is none. */
export interface StateFile {
  /** What was saved last, or undefined if there is nothing readable. */
  load(): unknown
  /** Replaces the document; after a crash there is the old or the new one, never half of one. */
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
      // Readable only by its owner: it contains tokens, if only this stand-in's.
      writeFileSync(next, JSON.stringify(value, null, 1), { mode: 0o600 })
      renameSync(next, path)
    },
  }
}
