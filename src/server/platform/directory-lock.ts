import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process works in the directory; the message is one line saying which. */
export class DirectoryInUseError extends Error {
  override name = 'DirectoryInUseError'
}

export type DirectoryLock = { release(): void }

/**
 * Makes this process the only one of ours to use `directory` (created when absent).
 *
 * Node has no file locks of its own, but SQLite takes the kernel's: they vanish with the process however it dies, so
 * there is no stale lock to judge. A `pid` file beside it serves the message only.
 * @throws DirectoryInUseError
 */
export function lockDirectory(directory: string): DirectoryLock {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const holderFile = path.join(directory, 'server.pid')
  const database = new DatabaseSync(path.join(directory, 'server.lock'), { timeout: 0 })
  try {
    // The rollback journal stays in memory: locking must leave nothing behind that a later start would have to repair.
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
    // A full disk is for whoever stores data here to report; the lock holds without the note.
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
