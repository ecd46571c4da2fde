import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { lockDirectory } from '../platform/directory-lock.ts'
import { BackupProblem } from './problem.ts'

/** Marks a data directory while it is being filled; the process that fills it holds its lock. */
const markIn = (dataDir: string): string => path.join(dataDir, 'restore-unfinished')

/** What file systems and `npm start` put into a directory that people consider empty. */
const notOurs = ['lost+found', 'emulators']

/** @throws BackupProblem if a restore into this directory was interrupted, or is still running */
export function refuseUnfinished(dataDir: string): void {
  if (existsSync(markIn(dataDir)))
    throw new BackupProblem(
      `A restore into ${dataDir} is in progress or was interrupted: run "npm run restore" again, or remove the directory`,
    )
}

export type Filling = {
  /** Everything has been restored. */
  finish(): Promise<void>
  /** It failed: the directory is as empty as before. */
  giveUp(): Promise<void>
}

/**
 * Marks an empty or missing directory as being filled; removes what an interrupted restore left in it.
 * @throws BackupProblem if it contains anything else, or DirectoryInUseError if another restore is running
 */
export async function beginFilling(dataDir: string): Promise<Filling> {
  const mark = markIn(dataDir)
  const made = await mkdir(dataDir, { recursive: true })
  const before = await contentOf(dataDir)
  if (before.length > 0 && !before.includes(path.basename(mark)))
    throw new BackupProblem(
      `${dataDir} is not empty: a backup can only be restored into an empty or missing directory (set one with --data-dir)`,
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
