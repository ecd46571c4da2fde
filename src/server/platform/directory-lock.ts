import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process is using the directory; the one-line message says which. */
export class DirectoryInUseError extends Error {
  override name = 'DirectoryInUseError'
}

export type DirectoryLock = { release(): void }

/**
 * Makes this process the only one of ours to use `directory` (created if absent).
 *
 * Node has no file locks of its own, but SQLite uses the kernel's: they vanish with the process however it dies, so there are no stale
 * locks to deal with. A `pid` file next to it is for the message only.
 * @throws DirectoryInUseError
 */
export function lockDirectory(directory: string): DirectoryLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const holderFile = path.join(directory, 'server.pid')
  const database = new DatabaseSync(path.join(directory, 'server.lock'), { timeout: 0 })
  try {
    // Keeps the rollback journal in memory: locking must leave nothing that a later start would have to repair.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (!isBusy(error)) throw error
    throw new DirectoryInUseError(
      `Another Ranklark server${holder(holderFile)} is using ${directory}: stop it, or give this one another DATA_DIR`,
    )
  }
  try {
    writeFileSync(holderFile, `${process.pid}\n`)
  } catch {
    // Whoever stores data here reports a full disk; the lock holds without the note.
  }
  return { release: () => database.close() }
}

const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

function holder(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`
  } catch {
    return ''
  }
}
