import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ImportRefusal } from './refusal.ts'
import type { UploadedFile } from './sources.ts'

/** Limit for all files of an upload together, as sent: a year of 50,000 rows a day is 1 GB with gzip. */
export const maxUpload = 4 * 1024 ** 3

/** An incoming file: private to this process, gone after `remove`. `name` is its name at the sender. */
export type Received = UploadedFile & { sha256: string; remove(): Promise<void> }

const uploadsOf = (dataDir: string): string => path.join(dataDir, 'uploads')

export const tooLarge = (): ImportRefusal =>
  new ImportRefusal(
    'The upload is larger than 4 GB, or larger than this server has room for: compress the files with gzip, or split them by date',
    { field: 'file' },
    413,
  )

/** How much an upload may hold now: never more than half of the remaining disk. */
export async function roomForUpload(dataDir: string): Promise<number> {
  const directory = uploadsOf(dataDir)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(directory)
  return Math.min(maxUpload, (bavail * bsize) / 2)
}

/**
 * Writes an upload to disk, since a ZIP is read from its end, computing its SHA-256 on the way.
 * @throws ImportRefusal (413) beyond the limit; leaves nothing behind when it throws
 */
export async function receive(dataDir: string, { name, content }: { name: string; content: Readable }, limit: number): Promise<Received> {
  const directory = uploadsOf(dataDir)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const target = path.join(directory, randomUUID())
  const remove = (): Promise<void> => rm(target, { force: true })
  const hash = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash.update(chunk)
      done(size > limit ? tooLarge() : null, chunk)
    },
  })
  try {
    await pipeline(content, measure, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    await remove()
    throw error
  }
  return { path: target, name, size, sha256: hash.digest('hex'), remove }
}

export const removeAll = async (files: readonly Received[]): Promise<void> => void (await Promise.all(files.map((file) => file.remove())))

/** No upload takes a day; a newer file may belong to another process. */
const abandonedAfter = 24 * 3_600_000

/** Removes the files of killed processes; call it when a server starts. */
export async function clearUploads(dataDir: string, now: Date): Promise<void> {
  const directory = uploadsOf(dataDir)
  for (const name of await readdir(directory).catch(() => [])) {
    const file = path.join(directory, name)
    const stats = await stat(file).catch(() => undefined)
    if (stats && now.getTime() - stats.mtimeMs > abandonedAfter) await rm(file, { force: true })
  }
}
