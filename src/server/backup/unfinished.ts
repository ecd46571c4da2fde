import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { lockDirectory } from '../platform/directory-lock.ts'
import { BackupProblem } from './problem.ts'

/** Stands in a data directory for as long as it is being filled; whoever fills it holds its lock. */
const markIn = (dataDir: string): string => path.join(dataDir, 'restore-unfinished')

/** What file systems and `npm start` put into a directory that is empty for people. */
const notOurs = ['lost+found', 'emulators']

/** @throws BackupProblem when a restore into this directory was broken off, or is still at it */
export function refuseUnfinished(dataDir: string): void {
  if (existsSync(markIn(dataDir)))
    throw new BackupProblem(
      `A restore into ${dataDir} is under way or was broken off: run "npm run restore" again, or remove the directory`,
    )
}

export type Filling = {
  /** All is there. */
  finish(): Promise<void>
  /** It failed: it is as empty as it was. */
  giveUp(): Promise<void>
}

/**
 * Marks an empty or missing directory as one that is being filled; what a broken-off restore left in it is removed.
 * @throws BackupProblem when something else is in there, or DirectoryInUseError when another restore is at it
 */
export async function beginFilling(dataDir: string): Promise<Filling> {
  const mark = markIn(dataDir)
  const made = await mkdir(dataDir, { recursive: true })
  const before = await contentOf(dataDir)
  if (before.length > 0 && !before.includes(path.basename(mark)))
    throw new BackupProblem(
      `${dataDir} is not empty: a backup is restored into an empty or missing directory only (give one with --data-dir)`,
    )
  const lock = lockDirectory(mark)
  const empty = async (): Promise<void> => {
    for (const name of await contentOf(dataDir))
      if (name !== path.basename(mark)) await rm(path.join(dataDir, name), { recursive: true, force: true })
  }
  const unmark = async (): Promise<void> => {
    lock.release()
    await rm(mark, { recursive: true, force: true })
  }
  await empty()
  return {
    finish: unmark,
    async giveUp() {
      await empty()
      await unmark()
      if (made !== undefined) await rmdir(dataDir)
    },
  }
}

const contentOf = async (directory: string): Promise<string[]> => (await readdir(directory)).filter((name) => !notOurs.includes(name))
