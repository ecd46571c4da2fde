import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ImportRefusal } from './refusal.ts'

/** The largest file taken in. */
export const maxUpload = 256 * 1024 ** 2

/** A file on its way in: private to this process, gone after `remove`. */
export type Received = { path: string; sha256: string; remove(): Promise<void> }

const uploadsOf = (dataDir: string): string => path.join(dataDir, 'uploads')

export const tooLarge = (): ImportRefusal => new ImportRefusal('The file is larger than 256 MiB: split it by date', { field: 'file' }, 413)

/**
 * Writes an upload to disk, since a ZIP is read from its end, and takes its SHA-256 on the way.
 * @throws ImportRefusal (413) beyond the limit, 256 MiB unless said; nothing stays behind when it throws
 */
export async function receive(dataDir: string, content: Readable, limit = maxUpload): Promise<Received> {
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
  return { path: target, sha256: hash.digest('hex'), remove }
}

/** No upload takes a day; a younger file may belong to another process. */
const abandonedAfter = 24 * 3_600_000

/** Removes what killed processes left; to be called at the start of a server. */
export async function clearUploads(dataDir: string, now: Date): Promise<void> {
  const directory = uploadsOf(dataDir)
  for (const name of await readdir(directory).catch(() => [])) {
    const file = path.join(directory, name)
    const stats = await stat(file).catch(() => undefined)
    if (stats && now.getTime() - stats.mtimeMs > abandonedAfter) await rm(file, { force: true })
  }
}
