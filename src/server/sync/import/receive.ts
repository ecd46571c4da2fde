import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { diskIsFull } from '../../common/errors.ts'
import { diskRoomOf, spareRoom } from '../../facts/disk-rooms.ts'
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

export const noRoom = (): ImportRefusal => new ImportRefusal(diskIsFull('imports'), { field: 'file' }, 503)

/** @throws ImportRefusal (503) if the disk is nearly full */
async function spareRoomIn(directory: string): Promise<number> {
  const spare = spareRoom(await diskRoomOf(directory))
  if (spare <= 0) throw noRoom()
  return spare
}

/** How much an upload may hold now: never more than half of what can be spared. @throws ImportRefusal (503) if the disk is nearly full */
export async function roomForUpload(dataDir: string): Promise<number> {
  const directory = uploadsOf(dataDir)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  return Math.min(maxUpload, (await spareRoomIn(directory)) / 2)
}

/** After this many bytes, an upload checks again whether there is room: others may have begun meanwhile. */
const bytesBetweenLooks = 64 * 1024 ** 2

/**
 * Writes an upload to disk, since a ZIP is read from its end, computing its SHA-256 on the way.
 * @throws ImportRefusal (413) beyond the limit, (503) once the disk is nearly full; leaves nothing behind when it throws
 */
export async function receive(
  dataDir: string,
  { name, content }: { name: string; content: Readable },
  limit: number,
  bytesBetween = bytesBetweenLooks,
  refusal: () => ImportRefusal = tooLarge,
): Promise<Received> {
  const directory = uploadsOf(dataDir)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const target = path.join(directory, randomUUID())
  const remove = (): Promise<void> => rm(target, { force: true })
  const hash = createHash('sha256')
  let size = 0
  let looked = 0
  async function* measured(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      size += piece.length
      hash.update(piece)
      if (size > limit) throw refusal()
      if (size - looked >= bytesBetween) {
        looked = size
        await spareRoomIn(directory)
      }
      yield piece
    }
  }
  try {
    await pipeline(content, measured, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
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
