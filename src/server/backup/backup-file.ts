import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { messageOf } from '../common/errors.ts'
import { hasCode } from '../platform/secrets.ts'
import type { Manifest } from './manifest.ts'
import { BackupProblem, whyFull } from './problem.ts'
import { openBackup } from './read-backup.ts'

/** A directory, in which the backup gets a generated name, or the file to write. */
export type Destination = { directory: string; name: string | null }

/** A draft's name tells who writes it: several machines may write to one directory, and can't see each other's processes. */
const machine = hostname().replaceAll(/\W/g, '_')
const draftName = /^\.ranklark-(\w+)-(\d+)-[0-9a-f]{8}\.part$/
/** No backup in progress goes this long without writing. */
const abandonedAfterMs = 24 * 3600_000
const ownName = /^ranklark-(\d{4}-\d\d-\d\dT\d{4})(?:-(\d+))?\.backup$/

/** A directory, or a name ending in a slash, takes many backups; any other name is the file of one. */
export function destinationOf(target: string): Destination {
  if (target.endsWith('/') || target.endsWith(path.sep) || isDirectory(target)) return { directory: path.resolve(target), name: null }
  return { directory: path.dirname(path.resolve(target)), name: path.basename(target) }
}

/**
 * Writes a backup under a temporary name, reads it back, and renames it once it proves complete.
 * @throws BackupProblem; then nothing of it remains
 */
export async function writeBackup(
  archive: Readable,
  { directory, name }: Destination,
): Promise<{ file: string; bytes: number; manifest: Manifest }> {
  const draft = path.join(directory, `.ranklark-${machine}-${process.pid}-${randomBytes(4).toString('hex')}.part`)
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await removeDrafts(directory)
    await pipeline(archive, createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }))
    const backup = await openBackup(draft)
    await backup.verify().finally(() => backup.close())
    const file = await nameIt(draft, directory, name === null ? namesOf(backup.manifest.madeAt) : [name])
    await settle(directory)
    return { file, bytes: (await stat(file)).size, manifest: backup.manifest }
  } catch (error) {
    archive.destroy()
    await rm(draft, { force: true })
    const why = whyFull(error)
    if (why !== undefined && !(error instanceof BackupProblem)) throw new BackupProblem(`The backup does not fit in ${directory}: ${why}`)
    throw error
  }
}

/**
 * Removes all but the newest `count` of the backups named here. `fresh` always stays, whatever the clock said when others were made; so
 * does anything that isn't a file.
 * @returns how many were removed
 * @throws BackupProblem if some couldn't be removed
 */
export async function keepNewest(directory: string, count: number, fresh: string): Promise<number> {
  const older = (await readdir(directory, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && ownName.test(entry.name) && entry.name !== path.basename(fresh))
    .map(({ name }) => name)
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1))
  const old = older.slice(count - 1)
  const refused: string[] = []
  for (const name of old) await rm(path.join(directory, name), { force: true }).catch((error: unknown) => refused.push(messageOf(error)))
  if (refused.length > 0)
    throw new BackupProblem(`The backup is complete, but ${refused.length} older ones could not be removed: ${refused[0]}`)
  return old.length
}

/** Gives it the first of these names that is free. @throws BackupProblem if all are taken */
async function nameIt(draft: string, directory: string, names: Iterable<string>): Promise<string> {
  let taken = ''
  for (const name of names) {
    taken = path.join(directory, name)
    if (await withoutReplacing(draft, taken)) return taken
  }
  throw new BackupProblem(`${taken} already exists`)
}

/** Renames, unless the name is taken. */
async function withoutReplacing(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    if (existsSync(to)) return false
    // Not every file system has hard links.
    if (!noLinks.some((code) => hasCode(error, code))) throw error
    await rename(from, to)
    return true
  }
  await rm(from)
  return true
}
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']

/** By the minute in UTC; a second backup in the same minute gets a number. */
function* namesOf(madeAt: string): Generator<string> {
  const minute = `${madeAt.slice(0, 13)}${madeAt.slice(14, 16)}`
  yield `ranklark-${minute}.backup`
  for (let number = 2; ; number += 1) yield `ranklark-${minute}-${number}.backup`
}

function orderOf(name: string): string {
  const [, minute = '', number = '1'] = ownName.exec(name) ?? []
  return `${minute} ${number.padStart(6, '0')}`
}

/** Removes what killed commands left behind. */
async function removeDrafts(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, of, pid] = draftName.exec(name) ?? []
    if (of === undefined) continue
    const file = path.join(directory, name)
    const written = (await stat(file).catch(() => undefined))?.mtimeMs ?? 0
    if (of === machine ? !isAlive(Number(pid)) : written < Date.now() - abandonedAfterMs) await rm(file, { force: true })
  }
}

/** Makes sure the new name is on disk, too. */
async function settle(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}

function isDirectory(target: string): boolean {
  return statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
