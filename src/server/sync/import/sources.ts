import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { mostFiles } from '../../../contract/import.ts'
import { ImportRefusal } from './refusal.ts'
import { counted, maxUnpacked, observed, type OnRead, type Source } from './file/source.ts'
import { openArchive } from './file/zip.ts'

/** Larger pieces take fewer turns of the event loop, each still a few milliseconds. */
const pieceSize = 256 * 1024

/** A file on this server's disk, with its name on the person's. */
export type UploadedFile = { path: string; name: string; size: number }

/** More comes out of a packed file than was allowed. */
export class LongerThanAllowed extends Error {
  override name = 'LongerThanAllowed'
}

export type Sources = { list: readonly Source[]; close(): void }

/**
 * Opens uploaded files: those in ZIPs one by one, and anything gzipped unpacked. Recognizes files by their first bytes, because people
 * rename them.
 * @param reading `most`: bytes that may be read of them in all, unpacked; packed ones count where they are more
 * @throws ImportRefusal; later, from what is read, LongerThanAllowed
 */
export async function openSources(
  files: readonly UploadedFile[],
  { most = maxUnpacked, onUnpacked }: { most?: number; onUnpacked?: OnRead } = {},
): Promise<Sources> {
  const list: Source[] = []
  const closing: (() => void)[] = []
  const budget = { left: Math.min(most, maxUnpacked), isLimit: most >= maxUnpacked }
  const close = (): void => closing.forEach((each) => each())
  try {
    for (const file of files) {
      const label = files.length > 1 ? file.name : undefined
      if (await isZip(file.path)) {
        const archive = await openArchive(file.path)
        closing.push(archive.close)
        list.push(...archive.tables)
      } else list.push({ label, size: file.size, open: async (onRead) => counted(createReadStream(file.path), onRead) })
      if (list.length > mostFiles)
        throw new ImportRefusal(`The upload contains more than ${mostFiles} tables: split it by date`, { field: 'file' })
    }
    return { list: list.map((source) => unpacked(source, { budget, onUnpacked, closing })), close }
  } catch (error) {
    close()
    throw error
  }
}

/** Unpacked size of an upload as far as it is known before reading: gzip files don't state theirs. @throws ImportRefusal */
export async function knownSize(files: readonly UploadedFile[]): Promise<number> {
  const { list, close } = await openSources(files)
  close()
  return list.reduce((sum, { size, packed = 0 }) => sum + Math.max(size, packed), 0)
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead > 2 && buffer.toString('latin1', 0, 2) === 'PK' && [3, 5, 7].includes(buffer[2] ?? 0)
  } finally {
    await file.close()
  }
}

type Unpacking = { budget: { left: number; isLimit: boolean }; onUnpacked: OnRead | undefined; closing: (() => void)[] }

/**
 * The source without its gzip, if any; refuses `bq extract` formats that aren't text. What nobody reads to its end is closed with all
 * sources: a deleted file takes up disk space for as long as it is open.
 */
function unpacked(source: Source, { budget, onUnpacked, closing }: Unpacking): Source {
  const { label } = source
  function spend(bytes: number): void {
    budget.left -= bytes
    onUnpacked?.(bytes)
    if (budget.left < 0 && !budget.isLimit) throw new LongerThanAllowed()
    if (budget.left < 0) throw new ImportRefusal('The upload is larger than 16 GB when unpacked: split it by date', { file: label }, 413)
  }
  /** Counts the bytes of one reading at whatever stage they are most: reading packed ones takes time even if nothing comes out of them. */
  function createMeter() {
    let most = 0
    return () => {
      let seen = 0
      return ({ length }: { length: number }): void => {
        seen += length
        const more = seen - most
        if (more <= 0) return
        most = seen
        spend(more)
      }
    }
  }
  return {
    ...source,
    async open(onRead) {
      const bytes = (await source.open(onRead))[Symbol.asyncIterator]()
      closing.push(() => void Promise.resolve(bytes.return?.(undefined)).catch(() => {}))
      const stage = createMeter()
      stage()({ length: source.packed ?? 0 })
      const first = await bytes.next()
      if (first.done) return Readable.from([])
      const whole = (async function* () {
        try {
          yield first.value
          for (let next = await bytes.next(); !next.done; next = await bytes.next()) yield next.value
        } finally {
          await bytes.return?.(undefined)
        }
      })()
      const start = Buffer.from(first.value.subarray(0, 4)).toString('latin1')
      if (start === 'Obj\x01' || start === 'PAR1') {
        await bytes.return?.(undefined)
        throw new ImportRefusal(
          `This is ${start === 'PAR1' ? 'a Parquet' : 'an Avro'} file: export the table as CSV or newline-delimited JSON`,
          {
            file: label,
          },
        )
      }
      const read = observed(whole, stage())
      return start.startsWith('\x1f\x8b') ? observed(gunzipped(read, label), stage()) : read
    },
  }
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>, label: string | undefined): AsyncGenerator<Uint8Array> {
  const text = new PassThrough({ readableHighWaterMark: pieceSize })
  // Leaving a stream early isn't an error; real errors reach the reader.
  pipeline(Readable.from(bytes), createGunzip({ chunkSize: pieceSize }), text, () => {})
  try {
    yield* text
  } catch (error) {
    if (error instanceof ImportRefusal || error instanceof LongerThanAllowed) throw error
    throw new ImportRefusal('The gzip file is damaged: download it again', { file: label })
  }
}
